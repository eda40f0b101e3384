//! Stages that fuse units: by equal density, by proximity.

use super::unit::{FnStage, StageInfo, Trail, Unit};
use super::{Input, Stage};

/// Fuses neighbours with the same text density.
pub(super) fn equal_density() -> FnStage {
    static INFO: StageInfo = StageInfo { name: "equal-density", source: "boilerpipe", rules: &["fused: same density"] };
    FnStage::new(&INFO, |_, units, _| {
        let mut out: Vec<Unit> = Vec::with_capacity(units.len());
        for unit in units {
            match out.last_mut() {
                Some(last) if last.counts.density() == unit.counts.density() => *last = last.fuse(unit),
                _ => out.push(unit),
            }
        }
        out
    })
}

/// Fuses content units that are close to each other, with everything between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Proximity {
    /// Maximum number of blocks between the two.
    distance: u32,
    /// Fuses content only: anything between the two must have been dropped before.
    content_only: bool,
    /// Fuses units at the same level only.
    same_level: bool,
}

impl Proximity {
    /// Fuses units at most `distance` blocks apart; everything between the two becomes content.
    pub(super) const fn within(distance: u32) -> Self {
        Proximity { distance, content_only: false, same_level: false }
    }

    /// Fuses only content at the same level, at most `distance` blocks apart.
    pub(super) const fn content_at_same_level(distance: u32) -> Self {
        Proximity { distance, content_only: true, same_level: true }
    }
}

static PROXIMITY: StageInfo =
    StageInfo { name: "proximity", source: "boilerpipe", rules: &["content: at most {} blocks from content on either side"] };

impl Stage for Proximity {
    fn info(&self) -> &'static StageInfo {
        &PROXIMITY
    }

    fn apply(&self, _: &Input<'_>, units: Vec<Unit>, trail: &mut Trail) -> Vec<Unit> {
        let mut out: Vec<Unit> = Vec::with_capacity(units.len());
        // Index in `out` of the last content unit; no unit after it is content.
        let mut anchor: Option<usize> = None;
        for unit in units {
            if !unit.content {
                out.push(unit);
                continue;
            }
            let near = anchor.filter(|&at| {
                let last = &out[at];
                let between = out.len() > at + 1;
                unit.first - last.last - 1 <= self.distance
                    && !(self.content_only && between)
                    && !(self.same_level && last.level != unit.level)
            });
            match near {
                Some(at) => {
                    let has_gap = out.len() > at + 1;
                    let mut fused = out[at];
                    for other in out.drain(at + 1..) {
                        fused = fused.fuse(other);
                    }
                    fused = fused.fuse(unit);
                    if has_gap {
                        fused.step = trail.note(&PROXIMITY, 0, &[self.distance as f32]);
                    }
                    out.truncate(at);
                    out.push(fused);
                }
                None => out.push(unit),
            }
            anchor = Some(out.len() - 1);
        }
        out
    }
}

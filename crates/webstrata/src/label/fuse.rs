//! Stages that make one unit of several: by equal density, by proximity.

use super::unit::{StageInfo, Trail, Unit};
use super::{Input, Stage};

/// Neighbours with the same text density are one.
#[derive(Clone, Copy, Debug)]
pub(super) struct EqualDensity;

static EQUAL_DENSITY: StageInfo = StageInfo { name: "equal-density", source: "boilerpipe", rules: &["fused: same density"] };

impl Stage for EqualDensity {
    fn info(&self) -> &'static StageInfo {
        &EQUAL_DENSITY
    }

    fn apply(&self, _: &Input<'_>, units: Vec<Unit>, _: &mut Trail) -> Vec<Unit> {
        let mut out: Vec<Unit> = Vec::with_capacity(units.len());
        for unit in units {
            match out.last_mut() {
                Some(last) if last.counts.density() == unit.counts.density() => *last = last.fuse(unit),
                _ => out.push(unit),
            }
        }
        out
    }
}

/// Content units at most so many blocks apart are one, with what stands between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Proximity {
    /// Most blocks between the two.
    pub(super) distance: u32,
    /// Only content is taken in: what stands between must have been dropped before.
    pub(super) content_only: bool,
    /// Only units at the same level are fused.
    pub(super) same_level: bool,
}

impl Proximity {
    /// Whatever stands between becomes content.
    pub(super) const fn within(distance: u32) -> Self {
        Proximity { distance, content_only: false, same_level: false }
    }

    /// Only content at the same level.
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
        // Place in `out` of the last content unit; what follows it there is not content.
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
                    let taken_in = out.len() > at + 1;
                    let mut fused = out[at];
                    for other in out.drain(at + 1..) {
                        fused = fused.fuse(other);
                    }
                    fused = fused.fuse(unit);
                    if taken_in {
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

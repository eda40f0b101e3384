//! Layouts and screenshots for `segment`.

use crate::args::{LayoutName, SegmentArgs};
use crate::driver::PageInput;
use anyhow::{Result, bail};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use webstrata::Page;
use webstrata::content::Content;
use webstrata::label::Role;
use webstrata::layout::{Color, Layout};
use webstrata::segment::Segments;
use webstrata_corpus::io::write_without_sync;
use webstrata_layout::{Assets, Capture, Chromium, Outline, data_address, outlined, segment_areas};

/// Browsers, one for each thread that needs one at the same time.
pub(crate) struct Layouts {
    idle: Mutex<Vec<Chromium>>,
    /// Whether pictures are needed.
    draws: bool,
    /// Output file of the picture.
    screenshot: Option<PathBuf>,
}

/// A page as a browser shows it.
pub(crate) struct Captured {
    pub(crate) layout: Layout,
    picture: Option<Vec<u8>>,
}

impl Layouts {
    /// The layouts that the options ask for; `None` for none.
    pub(crate) fn new(args: &SegmentArgs) -> Result<Option<Self>> {
        let chromium = match (args.layout, &args.screenshot) {
            (Some(LayoutName::None), Some(_)) => bail!("--screenshot needs a layout; omit --layout none"),
            (Some(LayoutName::None), None) | (None, None) => return Ok(None),
            (Some(LayoutName::Chromium), _) | (None, Some(_)) => Chromium::default(),
        };
        // Fails before any page is read.
        chromium.find()?;
        let draws = args.report.is_some() || args.screenshot.is_some();
        Ok(Some(Layouts { idle: Mutex::new(vec![chromium]), draws, screenshot: args.screenshot.clone() }))
    }

    /// The name of the engine.
    pub(crate) fn name(&self) -> &'static str {
        "chromium"
    }

    /// Whether pictures are needed.
    pub(crate) fn draws(&self) -> bool {
        self.draws
    }

    /// Renders a page with the files next to it.
    pub(crate) fn capture(&self, input: &PageInput<'_>, page: &Page<'_>) -> Result<Captured, String> {
        let assets = input.file.map(Assets::beside).transpose().map_err(|error| error.to_string())?;
        let mut chromium = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        let captured = chromium.capture(page, assets.as_ref(), self.draws);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(chromium);
        let Capture { layout, screenshot, .. } = captured.map_err(|error| error.to_string())?;
        Ok(Captured { layout, picture: screenshot })
    }

    /// Draws segments on the picture, writes the requested file, and returns the picture as an address for a report.
    pub(crate) fn draw(&self, captured: &Captured, segments: &Segments<'_>, content: &Content<'_>) -> Result<String, String> {
        let Some(picture) = &captured.picture else { return Ok(String::new()) };
        let verdicts = content.label_segments(segments);
        let areas = segment_areas(segments, &captured.layout).into_iter().zip(verdicts).enumerate();
        let outlines: Vec<Outline> = areas
            .filter_map(|(number, (area, verdict))| Some(Outline::new(area?, color(verdict.role), u32::try_from(number).ok()?)))
            .collect();
        let drawn = outlined(picture, &outlines).map_err(|error| error.to_string())?;
        if let Some(path) = &self.screenshot {
            write_without_sync(path, &drawn).map_err(|error| error.to_string())?;
        }
        Ok(data_address(&drawn))
    }
}

/// The colour of a role in reports, on white.
fn color(role: Role) -> Color {
    let rgb = match role {
        Role::Title => 0x8b_1a78,
        Role::Heading => 0x95_3476,
        Role::Body => 0x1a_52be,
        Role::List | Role::Comment => 0x0b_565b,
        Role::Table => 0x28_91c7,
        Role::Code => 0x42_4393,
        Role::Caption | Role::Credit | Role::Byline => 0x5b_5196,
        Role::Navigation | Role::Related => 0xaf_7e02,
        Role::Footer | Role::Legal => 0x79_5e35,
        Role::Form | Role::Advertisement => 0xcd_532e,
        _ => 0x83_8d95,
    };
    let [_, red, green, blue] = u32::to_be_bytes(rgb);
    Color::new(red, green, blue, 255)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_those_of_reports() {
        let style = include_str!("../report/report.css");
        for role in Role::ALL {
            let Color { red, green, blue, .. } = color(role);
            let rule = format!(".{} {{ --c: light-dark(#{red:02x}{green:02x}{blue:02x},", role.name());
            assert!(style.contains(&rule), "{rule}");
        }
    }
}

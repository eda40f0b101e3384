//! Outlines of segments on a screenshot.
//!
//! Screenshots are PNG files, which the crate `png` reads and writes; frames and numbers are drawn here, pixel by pixel. The files
//! come from a browser that renders untrusted pages, so their size is limited before they are decoded.

use crate::LayoutError;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use png::{BitDepth, ColorType, Compression, Decoder, Encoder, Limits, Transformations};
use std::io::Cursor;
use webstrata::layout::{Area, Color, Layout};
use webstrata::segment::Segments;

/// Maximum number of pixels of a picture: the widest window times the maximum height of a screenshot.
const MAX_PIXELS: u64 = 10_000 * 16_384;

/// Width of frames in pixels.
const LINE: i64 = 2;

/// Strength of the tint of an area, out of 256.
const TINT: u16 = 24;

/// Pixels per dot of a digit.
const DOT: i64 = 3;

/// Space around a number, in pixels.
const PADDING: i64 = 3;

/// Digits of 3 × 5 dots, one octal digit per row.
const DIGITS: [u16; 10] = [0o75557, 0o26227, 0o71747, 0o71717, 0o55711, 0o74717, 0o74757, 0o71122, 0o75757, 0o75717];

/// A frame with a number in its corner.
///
/// ```
/// use webstrata::layout::{Area, Color};
/// use webstrata_layout::Outline;
/// let outline = Outline::new(Area::new(10.0, 10.0, 300.0, 80.0), Color::new(26, 82, 190, 255), 17);
/// assert_eq!(outline.number, 17);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Outline {
    /// Where it is on the page.
    pub area: Area,
    /// The colour of the frame.
    pub color: Color,
    /// The number in its corner.
    pub number: u32,
}

impl Outline {
    /// A frame around an area.
    #[must_use]
    pub fn new(area: Area, color: Color, number: u32) -> Self {
        Outline { area, color, number }
    }
}

/// The areas of segments, each around its visible text; `None` for segments without visible text.
///
/// ```
/// use webstrata::{Page, layout::{Area, Layout, Rendered}, segment::Method};
/// let page = Page::parse(b"<p>Rain<p>Snow");
/// let mut layout = Layout::new(1280.0, 800.0, page.dom().len());
/// let text = page.dom().nodes().find(|node| node.text() == "Rain" && !node.is_element()).unwrap();
/// layout.set(text.id(), Rendered::new(Area::new(8.0, 16.0, 40.0, 18.0)));
/// let segments = page.segments_by(&*Method::TagGap.segmenter(Default::default()));
/// assert_eq!(webstrata_layout::segment_areas(&segments, &layout), [Some(Area::new(8.0, 16.0, 40.0, 18.0)), None]);
/// ```
#[must_use]
pub fn segment_areas(segments: &Segments<'_>, layout: &Layout) -> Vec<Option<Area>> {
    let blocks = segments.blocks();
    let area = |segment: webstrata::segment::Segment<'_>| {
        let texts = segment.block_numbers().filter_map(|number| blocks.get(number)).flat_map(|block| block.runs());
        texts.filter_map(|text| layout.get(text)).map(|rendered| rendered.area).reduce(Area::union)
    };
    segments.iter().map(area).collect()
}

/// A screenshot with outlines, as a PNG file. Parts outside the picture are cut off.
///
/// # Errors
/// If the screenshot is not a PNG file, or too large.
pub fn outlined(screenshot: &[u8], outlines: &[Outline]) -> Result<Vec<u8>, LayoutError> {
    let mut picture = Picture::decode(screenshot)?;
    for outline in outlines {
        picture.tint(outline);
    }
    for outline in outlines {
        picture.frame(outline);
    }
    for outline in outlines {
        picture.label(outline);
    }
    picture.encode()
}

/// A picture as an address that contains it, for an HTML page.
///
/// ```
/// assert_eq!(webstrata_layout::data_address(b"PNG"), "data:image/png;base64,UE5H");
/// ```
#[must_use]
pub fn data_address(png: &[u8]) -> String {
    format!("data:image/png;base64,{}", STANDARD.encode(png))
}

/// Pixels of three bytes: red, green, blue.
struct Picture {
    width: i64,
    height: i64,
    pixels: Vec<u8>,
}

impl Picture {
    fn decode(file: &[u8]) -> Result<Self, LayoutError> {
        let failed = |reason: String| LayoutError::Picture { action: "read", reason };
        let mut decoder = Decoder::new_with_limits(Cursor::new(file), Limits { bytes: 4 * MAX_PIXELS as usize });
        decoder.set_transformations(Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().map_err(|error| failed(error.to_string()))?;
        let (width, height) = (reader.info().width, reader.info().height);
        if u64::from(width) * u64::from(height) > MAX_PIXELS {
            return Err(LayoutError::TooLarge { what: "the screenshot", limit: format!("{MAX_PIXELS} pixels") });
        }
        let size = reader.output_buffer_size().ok_or_else(|| failed("it is too large".to_owned()))?;
        let mut buffer = vec![0; size];
        let frame = reader.next_frame(&mut buffer).map_err(|error| failed(error.to_string()))?;
        buffer.truncate(frame.buffer_size());
        let channels = match frame.color_type {
            ColorType::Grayscale => 1,
            ColorType::GrayscaleAlpha => 2,
            ColorType::Rgba => 4,
            ColorType::Rgb | ColorType::Indexed => 3,
        };
        // Screenshots are opaque, so opacity is dropped.
        let pixel = |channel: &[u8]| if channels < 3 { [channel[0]; 3] } else { [channel[0], channel[1], channel[2]] };
        let pixels: Vec<u8> = buffer.chunks_exact(channels).flat_map(pixel).collect();
        Ok(Picture { width: width.into(), height: height.into(), pixels })
    }

    fn encode(&self) -> Result<Vec<u8>, LayoutError> {
        let failed = |reason: String| LayoutError::Picture { action: "write", reason };
        let size = |length: i64| u32::try_from(length).map_err(|error| failed(error.to_string()));
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, size(self.width)?, size(self.height)?);
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::Fast);
        let mut writer = encoder.write_header().map_err(|error| failed(error.to_string()))?;
        writer.write_image_data(&self.pixels).map_err(|error| failed(error.to_string()))?;
        writer.finish().map_err(|error| failed(error.to_string()))?;
        Ok(file)
    }

    /// Mixes a colour into the part of a rectangle that is inside the picture; `share` is the weight of the colour, out of 256.
    fn fill(&mut self, (left, top, right, bottom): (i64, i64, i64, i64), color: Color, share: u16) {
        let (left, right) = (left.clamp(0, self.width), right.clamp(0, self.width));
        let mix = |old: u8, new: u8| ((u16::from(old) * (256 - share) + u16::from(new) * share) / 256) as u8;
        for y in top.clamp(0, self.height)..bottom.clamp(0, self.height) {
            // Both are inside the picture, so neither is negative.
            let (from, to) = (((y * self.width + left) * 3) as usize, ((y * self.width + right) * 3) as usize);
            let Some(row) = self.pixels.get_mut(from..to) else { continue };
            for pixel in row.chunks_exact_mut(3) {
                for (part, new) in pixel.iter_mut().zip([color.red, color.green, color.blue]) {
                    *part = mix(*part, new);
                }
            }
        }
    }

    /// The pixels of a frame: left, top, right, bottom. It surrounds the text and does not cover it.
    fn pixels_of(area: Area) -> (i64, i64, i64, i64) {
        let out = LINE as f32;
        let edge = |at: f32| at.round() as i64;
        (edge(area.x - out), edge(area.y - out), edge(area.right() + out), edge(area.bottom() + out))
    }

    fn tint(&mut self, outline: &Outline) {
        self.fill(Self::pixels_of(outline.area), outline.color, TINT);
    }

    fn frame(&mut self, outline: &Outline) {
        let (left, top, right, bottom) = Self::pixels_of(outline.area);
        for side in [
            (left, top, right, top + LINE),
            (left, bottom - LINE, right, bottom),
            (left, top + LINE, left + LINE, bottom - LINE),
            (right - LINE, top + LINE, right, bottom - LINE),
        ] {
            self.fill(side, outline.color, 256);
        }
    }

    /// The number, in the upper right corner, where text of most scripts is sparse.
    fn label(&mut self, outline: &Outline) {
        let (_, top, right, _) = Self::pixels_of(outline.area);
        let digits: Vec<usize> = outline.number.to_string().bytes().map(|digit| usize::from(digit - b'0')).collect();
        let width = (digits.len() as i64 * 4 - 1) * DOT + 2 * PADDING;
        let right = right.clamp(width.min(self.width), self.width);
        let top = top.clamp(0, self.height);
        self.fill((right - width, top, right, top + 5 * DOT + 2 * PADDING), outline.color, 256);
        let white = Color::new(255, 255, 255, 255);
        let ink = if outline.color.brightness() < 0.6 { white } else { Color::default() };
        for (place, digit) in digits.into_iter().enumerate() {
            let (x, y) = (right - width + PADDING + place as i64 * 4 * DOT, top + PADDING);
            let dots = DIGITS.get(digit).copied().unwrap_or(0);
            for dot in (0..15).filter(|dot| dots >> (14 - dot) & 1 == 1) {
                let (x, y) = (x + dot % 3 * DOT, y + dot / 3 * DOT);
                self.fill((x, y, x + DOT, y + DOT), ink, 256);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn white(width: i64, height: i64) -> Picture {
        Picture { width, height, pixels: vec![255; (width * height * 3) as usize] }
    }

    fn pixel(picture: &Picture, x: i64, y: i64) -> [u8; 3] {
        let at = ((y * picture.width + x) * 3) as usize;
        [picture.pixels[at], picture.pixels[at + 1], picture.pixels[at + 2]]
    }

    fn red() -> Color {
        Color::new(255, 0, 0, 255)
    }

    #[test]
    fn frames_and_numbers_are_drawn() {
        let file = white(200, 100).encode().unwrap();
        let drawn = outlined(&file, &[Outline::new(Area::new(20.0, 20.0, 100.0, 50.0), red(), 7)]).unwrap();
        let picture = Picture::decode(&drawn).unwrap();
        assert_eq!(pixel(&picture, 10, 10), [255, 255, 255]);
        assert_eq!([pixel(&picture, 18, 18), pixel(&picture, 18, 40), pixel(&picture, 60, 71)], [[255, 0, 0]; 3]);
        // Inside, the page shows through.
        assert!(pixel(&picture, 40, 50)[1] > 200);
        // The number is white on red, in the upper right corner: the 7 has its upper bar, and nothing at its lower left.
        let (left, top) = (122 - PADDING - 3 * DOT, 18 + PADDING);
        let dots = [(0, 0), (1, 0), (2, 0), (0, 4), (2, 1)].map(|(x, y)| pixel(&picture, left + x * DOT + 1, top + y * DOT + 1)[1]);
        assert_eq!(dots, [255, 255, 255, 0, 255]);
    }

    #[test]
    fn what_is_outside_is_cut_off() {
        let file = white(20, 10).encode().unwrap();
        for area in [
            Area::new(-5000.0, -5000.0, 1e7, 1e7),
            Area::new(1e7, 1e7, 5.0, 5.0),
            Area::new(-50.0, -50.0, 1.0, 1.0),
            Area::new(19.0, 9.0, 0.0, 0.0),
        ] {
            assert!(outlined(&file, &[Outline::new(area, red(), u32::MAX)]).is_ok());
        }
    }

    #[test]
    fn garbage_is_not_a_picture() {
        let file = white(20, 10).encode().unwrap();
        assert!(matches!(outlined(b"GIF89a", &[]), Err(LayoutError::Picture { .. })));
        assert!(matches!(outlined(&file[..file.len() / 2], &[]), Err(LayoutError::Picture { .. })));
        // A file that claims 2^31 - 1 pixels in both directions.
        let mut huge = file.clone();
        huge[16..24].copy_from_slice(&[0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff]);
        assert!(outlined(&huge, &[]).is_err());
    }
}

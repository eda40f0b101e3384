//! Renders saved pages and prints how many of their texts are visible: `cargo run --example capture_pages -- saved/*.html`. With
//! `--within DIR`, a page in DIR/<name> may use the files in that folder and below; with `--pictures OUT`, screenshots with
//! outlines of the segments are written.
#![allow(clippy::print_stdout, reason = "a program")]

use std::path::{Path, PathBuf};
use std::time::Instant;
use webstrata::Page;
use webstrata::block::GapModel;
use webstrata::layout::Color;
use webstrata::segment::{Method, RuleSet};
use webstrata_layout::{Assets, Chromium, Outline, outlined, segment_areas};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (mut within, mut pictures, mut pages) = (None, None, Vec::new());
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--within" => within = arguments.next().map(PathBuf::from),
            "--pictures" => pictures = arguments.next().map(PathBuf::from),
            _ => pages.push(PathBuf::from(argument)),
        }
    }
    let mut chromium = Chromium::default();
    for path in pages {
        let html = std::fs::read(&path)?;
        let page = Page::parse(&html);
        let assets = match &within {
            Some(root) => Assets::within(&root.join(first_below(root, &path)), &path)?,
            None => Assets::beside(&path)?,
        };
        let started = Instant::now();
        let capture = match chromium.capture(&page, Some(&assets), pictures.is_some()) {
            Ok(capture) => capture,
            Err(error) => {
                println!("{}\tfailed: {error}", path.display());
                continue;
            }
        };
        let seconds = started.elapsed().as_secs_f64();
        let texts: Vec<_> = page.blocks_by(GapModel::Tags).iter().flat_map(|block| block.runs()).collect();
        let found = texts.iter().filter(|text| capture.texts.binary_search(text).is_ok()).count();
        let visible = texts.iter().filter(|text| capture.layout.get(**text).is_some()).count();
        println!("{}\t{}\t{found}\t{visible}\t{seconds:.2}", path.display(), texts.len());
        if let (Some(folder), Some(picture)) = (&pictures, &capture.screenshot) {
            let segments = page.segments_by(&*Method::Strata.segmenter(RuleSet::html5()));
            let colors = [(26, 82, 190), (175, 126, 2), (11, 86, 91), (139, 26, 120), (205, 83, 46)];
            let outline = |(number, area): (usize, Option<_>)| {
                let (red, green, blue) = colors[number % colors.len()];
                Some(Outline::new(area?, Color::new(red, green, blue, 255), u32::try_from(number).ok()?))
            };
            let outlines: Vec<Outline> =
                segment_areas(&segments, &capture.layout).into_iter().enumerate().filter_map(outline).collect();
            let page = within.as_deref().map_or_else(|| path.clone(), |root| first_below(root, &path));
            let name = format!("{}.png", page.file_name().unwrap_or_default().to_string_lossy());
            std::fs::write(folder.join(name), outlined(picture, &outlines)?)?;
        }
    }
    Ok(())
}

/// The first part of a path below a folder.
fn first_below(folder: &Path, path: &Path) -> PathBuf {
    path.strip_prefix(folder)
        .ok()
        .and_then(|below| below.components().next())
        .map_or_else(PathBuf::new, |part| part.as_os_str().into())
}

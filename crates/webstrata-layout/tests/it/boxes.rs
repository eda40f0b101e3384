//! Boxes and styles of a test page with its style sheets.

use crate::common::{chromium, testdata};
use webstrata::Page;
use webstrata::html::Node;
use webstrata::layout::{Color, Layout, Rendered};
use webstrata_layout::{Assets, Capture};

fn capture(html: &[u8], assets: Option<&Assets>) -> Option<Capture> {
    Some(chromium()?.capture(&Page::parse(html), assets, false).expect("the browser renders the page"))
}

/// The last node with this text: the run itself.
fn text<'p>(page: &'p Page<'_>, text: &str) -> Node<'p> {
    page.dom().nodes().filter(|node| node.text() == text).last().unwrap_or_else(|| panic!("there is no {text:?}"))
}

fn rendered<'l>(page: &Page<'_>, layout: &'l Layout, wanted: &str) -> &'l Rendered {
    layout.get(text(page, wanted).id()).unwrap_or_else(|| panic!("{wanted:?} has no box"))
}

#[test]
fn two_columns_are_side_by_side() {
    let path = testdata("two-columns/page.html");
    let html = std::fs::read(&path).expect("the test page exists");
    let Some(Capture { layout, .. }) = capture(&html, Some(&Assets::beside(&path).expect("its folder exists"))) else { return };
    let page = Page::parse(&html);
    let get = |wanted: &str| rendered(&page, &layout, wanted);
    let parent = |wanted: &str| layout.get(text(&page, wanted).parent().expect("a parent").id()).expect("a box");

    let (menu, heading) = (get("Forecast"), get("Rain until Thursday"));
    assert!(menu.area.right() <= 200.0 && heading.area.x == 220.0, "{menu:?} {heading:?}");
    assert!(heading.area.y < menu.area.bottom(), "the columns are beside each other: {menu:?} {heading:?}");
    assert_eq!((heading.font_size, heading.font_weight), (32.0, 700));
    assert_eq!((get("bridge").font_weight, menu.font_weight), (700, 400));
    assert_eq!((menu.background, menu.color), (Color::new(0, 51, 102, 255), Color::new(255, 255, 255, 255)));
    assert_eq!((heading.background, heading.color), (Color::new(255, 255, 255, 255), Color::new(34, 34, 34, 255)));
    assert_eq!(get("See the map").color, Color::new(0, 102, 0, 255));
    assert_eq!(get("Sandbags are at the fire station.").background, Color::new(255, 238, 204, 255));
    let lead = get("It has been raining in the valley for three days, and the river is rising.");
    assert_eq!(lead.font_size, 20.0);
    assert_ne!(lead.font_family, heading.font_family);
    assert_eq!(get("bridge").font_family, heading.font_family);
    assert_eq!(parent("Rain until Thursday").area.width, 600.0);
    assert_eq!(layout.page().width, 1280.0);
    // Moved out of the table by the browser, but not by us.
    assert!(get("misplaced text").area.y < get("a cell").area.y);

    for invisible in ["Nobody sees this.", "Nor this.", "Skip to the content", "Left of the window", "Folded away"] {
        assert_eq!(layout.get(text(&page, invisible).id()), None, "{invisible}");
    }
    // The box around two floats has no height of its own.
    let floats = page.dom().nodes().find(|node| node.attribute("class").as_deref() == Some("floats")).expect("the floats");
    let area = layout.get(floats.id()).expect("an area around the floats").area;
    assert_eq!((area.x, area.width, area.height), (220.0, 300.0, 30.0));
    let images: Vec<_> = page.dom().nodes().filter(|node| node.name() == "img").map(|node| layout.get(node.id())).collect();
    assert_eq!(images[0].map(|image| (image.area.width, image.area.height)), Some((40.0, 40.0)));
    assert_eq!(images[1], None);
}

#[test]
fn without_its_assets_a_page_has_the_default_style() {
    let html = std::fs::read(testdata("two-columns/page.html")).expect("the test page exists");
    let Some(Capture { layout, .. }) = capture(&html, None) else { return };
    let page = Page::parse(&html);
    let (menu, heading) = (rendered(&page, &layout, "Forecast"), rendered(&page, &layout, "Rain until Thursday"));
    assert!(heading.area.y >= menu.area.bottom(), "one below the other: {menu:?} {heading:?}");
    assert_eq!(rendered(&page, &layout, "Sandbags are at the fire station.").background, Color::new(255, 238, 204, 255));
}

#[test]
fn texts_are_matched_whatever_the_browser_makes_of_the_tree() {
    let html = "<title>No end<p><b>one<p>two</b>three<table>four<tr><td>five<table>six</table></table>\
        <a href=x>seven<div>eight</a>nine</div><pre>\nten\n</pre><svg width=200 height=50><text y=20>eleven</text></svg>\
        <select><option>no box</select><noscript>twelve</noscript>&lt;thirteen&gt;<ul><li>fourteen<li>fourteen</ul>\
        <script>'<p>no box either'</script></body>fifteen";
    let Some(Capture { layout, .. }) = capture(html.as_bytes(), None) else { return };
    let page = Page::parse(html.as_bytes());
    let boxes = |wanted: &str| {
        page.dom()
            .nodes()
            .filter(|node| !node.is_element() && node.text() == wanted)
            .map(|node| layout.get(node.id()).is_some())
            .collect::<Vec<_>>()
    };
    for text in ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "<thirteen>", "fifteen"] {
        assert_eq!(boxes(text), [true], "{text}");
    }
    assert_eq!(boxes("fourteen"), [true, true]);
    // Scripts are off, but the content for readers without scripts must still not be shown.
    assert_eq!(boxes("twelve"), [false]);
    assert_eq!(boxes("no box"), [false]);
    // The newline after `pre` does not start a line: the text begins where the element does.
    let ten = text(&page, "ten");
    let (pre, run) = (layout.get(ten.parent().expect("pre").id()).expect("a box").area, layout.get(ten.id()).expect("a box").area);
    assert!(run.y - pre.y < 5.0, "{pre:?} {run:?}");
}

#[test]
fn pages_in_other_encodings_are_shown_as_we_read_them() {
    let html = b"<meta charset=windows-1251><p>\xcf\xf0\xe8\xe2\xe5\xf2";
    let Some(Capture { layout, .. }) = capture(html, None) else { return };
    let page = Page::parse(html);
    assert!(rendered(&page, &layout, "Привет").area.width > 20.0);
}

#[test]
fn one_browser_serves_many_pages() {
    let Some(mut chromium) = chromium() else { return };
    for width in [100.0, 200.0, 300.0] {
        let html = format!("<p style='width:{width}px'>Rain");
        let page = Page::parse(html.as_bytes());
        let layout = chromium.capture(&page, None, false).expect("the browser renders the page").layout;
        let paragraph = text(&page, "Rain").parent().expect("a paragraph");
        assert_eq!(layout.get(paragraph.id()).map(|p| p.area.width), Some(width));
    }
}

//! Records and their schema: every page gives a valid record, every property of the schema occurs in one, and the shape of a
//! record does not change unnoticed.

mod hostile;
mod reference;
mod seen;

use crate::support::data::{self, bundled};
use crate::support::random;
use jsonschema::Validator;
use seen::Seen;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use webstrata::content::RenderOptions;
use webstrata::label::Preset;
use webstrata::record::{ClassRecord, FeatureRecord, PageRecord, RecordOptions, SCHEMA};
use webstrata::segment::{Granularity, Method, RuleSet, SegmentOptions};
use webstrata::{ExtractOptions, Limits, Page, PageOptions};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn schema() -> Value {
    serde_json::from_slice(&std::fs::read(root().join("docs/schema/page-2.schema.json")).unwrap()).unwrap()
}

fn validator() -> Validator {
    jsonschema::draft202012::new(&schema()).expect("the schema is valid")
}

/// All options on.
fn all(id: &str) -> RecordOptions<'_> {
    RecordOptions::default()
        .id(id)
        .url("https://example.org/2024/05/13/page.html")
        .text(true)
        .spans(true)
        .markdown(RenderOptions::default().images(true))
        .metadata(true)
        .readability(true)
        .segments((Method::BfRulebased, SegmentOptions::default().granularity(Granularity::Fine)))
        .blocks(true)
        .why(true)
        .features(true)
        .links(true)
        .images(true)
}

/// As few options as possible.
fn none(id: &str) -> RecordOptions<'_> {
    RecordOptions::default().id(id).text(false).spans(false)
}

/// A page with every element that is rare on real pages.
const RICH: &str = "<html lang=en dir=ltr><title>Rain | The Rock</title><link rel=amphtml href=/amp><link rel=canonical href=/rain>\
    <link rel=alternate type=application/rss+xml href=/feed><link rel=license href=https://example.org/licence>\
    <meta property=og:site_name content='The Rock'><meta property=og:type content=article><meta property=og:image content=/i.png>\
    <meta name=description content='It rained.'><meta name=author content='Maren Tolliver'><meta name=keywords content='rain, rock'>\
    <meta property=article:published_time content=2024-05-13T17:42:00Z>\
    <meta property=article:modified_time content=2024-05-14><textarea>no end\
    <h1>Rain</h1><p hidden>Hidden <a href=/x title=More rel=nofollow>link</a> <img src=a.png></p><figure><a href=/big><img src=f.jpg \
    srcset='f2.jpg 2x' alt=Ferry title=Ferry width=3 height=4></a><figcaption>The ferry.</figcaption></figure>";

/// Records of a page: with everything, with almost nothing, with segments alone (of two methods), with metadata alone.
fn records(id: &str, page: &Page<'_>, preset: Preset) -> [PageRecord; 5] {
    let content = page.extract_with(&ExtractOptions::from(preset));
    let mut full = PageRecord::new(page, &content, &all(id));
    full.html = Some("<p>set by the caller</p>".to_owned());
    if let Some(segment) = full.segments.as_mut().and_then(|segments| segments.first_mut()) {
        segment.class = Some(ClassRecord { label: "h1/body/html".to_owned(), pages: 12, constancy: 0.083, template: false });
    }
    let segments = none(id).segments((Method::WordWrap, RuleSet::paper().into()));
    let mut grouped = PageRecord::new(page, &content, &none(id).segments((Method::GCuts, SegmentOptions::default())));
    grouped.layout = Some("chromium".to_owned());
    [
        full,
        PageRecord::new(page, &content, &none(id)),
        PageRecord::new(page, &content, &segments),
        PageRecord::metadata_only(page, &all(id)),
        grouped,
    ]
}

/// Checks that a record is valid and survives a round trip through JSON.
fn check(validator: &Validator, record: &PageRecord) -> Value {
    let text = record.to_json();
    assert!(!text.contains('\n'), "a record is one line");
    let value: Value = serde_json::from_str(&text).unwrap();
    if let Some(error) = validator.iter_errors(&value).next() {
        panic!("{}: {}: {error}", record.id, error.instance_path());
    }
    let back = PageRecord::from_json(&text).unwrap();
    assert!(back == *record, "{}: the record changes in a round trip through JSON", record.id);
    value
}

#[test]
fn records_of_all_bundled_pages_are_valid_and_use_the_whole_schema() {
    let validator = validator();
    let schema = schema();
    let mut seen = Seen::new(&schema);
    for (name, bytes) in bundled().iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).chain([("rich", RICH.as_bytes())])
    {
        let page = Page::parse(bytes);
        for preset in [Preset::Strata, Preset::Article, Preset::KeepEverything] {
            for record in records(name, &page, preset) {
                seen.note(&check(&validator, &record));
            }
        }
    }
    let tight = PageOptions::default().limits(Limits::default().bytes(2000).depth(4).nodes(60).attributes(1));
    for (name, bytes) in bundled() {
        for record in records(&name, &Page::parse_with(&bytes, &tight), Preset::Article) {
            seen.note(&check(&validator, &record));
        }
    }
    for record in [
        PageRecord::failed("a.html", "no such file"),
        PageRecord { text: Some(String::new()), ..PageRecord::failed("a.html", "no such file") },
        PageRecord { segments: Some(Vec::new()), ..PageRecord::failed("a.html", "no such file") },
    ] {
        seen.note(&check(&validator, &record));
    }
    assert_eq!(seen.missing(), Vec::<String>::new(), "no record has these properties of the schema");
}

#[test]
fn invalid_records_are_rejected() {
    let validator = validator();
    let page = Page::parse(RICH.as_bytes());
    let [full, ..] = records("rich", &page, Preset::KeepEverything);
    let valid = check(&validator, &full);
    // Each object of the schema once, by its path.
    for place in [
        "", "/metadata", "/metadata/title", "/readability", "/segments/0", "/blocks/0", "/blocks/0/features", "/links/0",
        "/images/0", "/problems/0",
    ] {
        let mut unknown = valid.clone();
        unknown.pointer_mut(place).unwrap()["surprise"] = json!(1);
        assert!(!validator.is_valid(&unknown), "an unknown property in {place:?} passes");
        for property in valid.pointer(place).unwrap().as_object().unwrap().keys() {
            let mut wrong = valid.clone();
            wrong.pointer_mut(place).unwrap()[property] = json!({"a": [0.5, {}]});
            assert!(!validator.is_valid(&wrong), "an object passes for {place}/{property}");
        }
    }
    for (place, wrong) in [
        ("/schema", json!("webstrata.page/1")),
        ("/spans/0", json!([1])),
        ("/spans/0", json!([-1, 2])),
        ("/blocks/0/role", json!("hero")),
        ("/blocks/0/path", json!("p")),
        ("/problems/0/code", json!("oops")),
        ("/method", json!("vips")),
    ] {
        let mut changed = valid.clone();
        *changed.pointer_mut(place).unwrap_or_else(|| panic!("{place}")) = wrong;
        assert!(!validator.is_valid(&changed), "{place}");
    }
    for required in ["schema", "id", "title"] {
        let mut less = valid.clone();
        less.as_object_mut().unwrap().remove(required);
        assert!(!validator.is_valid(&less), "without {required}");
    }
}

#[test]
fn the_schema_agrees_with_the_code() {
    let schema = schema();
    assert_eq!(schema["properties"]["schema"]["const"], SCHEMA);
    let version = SCHEMA.rsplit('/').next().unwrap();
    assert_eq!(schema["$id"], format!("urn:webstrata:page:{version}"));
    assert!(root().join(format!("docs/schema/page-{version}.schema.json")).exists());
    // The SOM tree of a site is a method from another crate.
    let methods: Vec<&str> = Method::ALL.iter().map(|method| method.name()).chain(["som"]).collect();
    assert_eq!(schema["properties"]["method"]["enum"], json!(methods));
    let mut names: Vec<String> = FeatureRecord::names().collect();
    let mut properties: Vec<&String> = schema["$defs"]["features"]["properties"].as_object().unwrap().keys().collect();
    names.sort();
    properties.sort();
    assert_eq!(names.iter().collect::<Vec<_>>(), properties);
    seen::every_object(&schema, &mut |object| {
        assert_eq!(object["additionalProperties"], json!(false));
        for (name, property) in object["properties"].as_object().unwrap() {
            assert!(property["description"].as_str().is_some_and(|d| d.ends_with(['.', '?', '…'])), "{name} has no description");
        }
    });
}

/// Compares a record with the committed one. To change it on purpose, run
/// `WEBSTRATA_RENEW=1 cargo test -p webstrata --features json --test it record` and look at the difference.
#[test]
fn the_shape_of_a_record_is_unchanged() {
    let path = root().join("testdata/record/news-html5.json");
    let bytes = std::fs::read(root().join("testdata/pages/news-html5/page.html")).unwrap();
    let page = Page::parse(&bytes);
    let content = page.extract();
    let mut record = PageRecord::new(&page, &content, &all("news-html5"));
    // One block shows the shape of features.
    for block in record.blocks.iter_mut().flatten().skip(1) {
        block.features = None;
    }
    let made = record.to_json_pretty() + "\n";
    if std::env::var_os("WEBSTRATA_RENEW").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &made).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let line = made.lines().zip(committed.lines()).position(|(a, b)| a != b);
    assert!(made == committed, "the record differs from {} starting with line {:?}", path.display(), line.map(|n| n + 1));
}

#[test]
fn the_reference_is_current() {
    let made = reference::reference().unwrap();
    let committed = std::fs::read_to_string(root().join("docs/json.md")).unwrap_or_default();
    assert!(made == committed, "docs/json.md differs from the schema; its first lines say how to regenerate it");
}

/// Spans refer to the text, indices to the lists.
#[test]
fn records_are_consistent() {
    for (name, bytes) in bundled() {
        let page = Page::parse(&bytes);
        let [record, ..] = records(&name, &page, Preset::Article);
        let (blocks, segments) = (record.blocks.unwrap(), record.segments.unwrap());
        let source = page.dom().source();
        let slice = |[start, end]: [u32; 2]| source.get(start as usize..end as usize).expect("a span is in the page");
        let mut reached = 0;
        for segment in &segments {
            let [from, to] = segment.blocks;
            assert!(
                from < to && to <= blocks.len() && (from == reached || from + 1 == reached),
                "{name}: {from}..{to} after {reached}"
            );
            reached = to;
            let first = segment.spans[0];
            assert!(blocks[from].spans.iter().any(|span| span[0] <= first[0] && first[1] <= span[1]), "{name}");
        }
        assert_eq!(reached, blocks.len(), "{name}");
        for link in record.links.unwrap() {
            assert!(slice(link.span).starts_with('<'), "{name}: {}", slice(link.span));
            let Some(block) = link.place.block else { continue };
            assert_eq!(Some(blocks[block].content), link.place.content);
            assert_eq!(Some(&blocks[block].role), link.place.role.as_ref());
            let [from, to] = segments[link.place.segment.unwrap()].blocks;
            assert!((from..to).contains(&block), "{name}: block {block} of the link to {} is not in {from}..{to}", link.href);
        }
        for image in record.images.unwrap() {
            assert!(slice(image.span).to_ascii_lowercase().starts_with("<img"), "{name}: {}", slice(image.span));
        }
    }
}

/// Pages cut at random, with pieces of others in them.
#[test]
fn records_of_damaged_pages_are_valid() {
    let bounds = random::Bounds::new(400, 10, 0x7265_636f);
    let mut random = random::Random::new(bounds.seed);
    let (validator, pages) = (validator(), bundled());
    let mut count = 0;
    while !bounds.done(count) {
        count += 1;
        let mut bytes = Vec::new();
        for _ in 0..1 + random.below(4) {
            let page = if random.one_in(6) { RICH.as_bytes() } else { &pages[random.below(pages.len())].1 };
            let start = random.below(page.len());
            bytes.extend_from_slice(&page[start..(start + random.below(2000)).min(page.len())]);
        }
        for record in records(&format!("damaged page {count}"), &Page::parse(&bytes), Preset::Article) {
            check(&validator, &record);
        }
    }
    println!("damaged pages: {count}");
}

/// Every tenth page of the sets, in the fast lane every fortieth: the validator is slower than the code that it validates.
#[test]
fn records_of_the_evaluation_sets_are_valid() {
    let validator = validator();
    let step = if data::full_lane() { 10 } else { 40 };
    for set in ["wcxb", "l3s-gn1", "dragnet", "daniel", "swde-sample", "cleaneval"] {
        let Some(folder) = data::folder(set) else { continue };
        let mut pages = Vec::new();
        html_files(&folder, &mut pages);
        pages.sort();
        assert!(pages.len() > 20, "{set}: only {} pages in {}", pages.len(), folder.display());
        let mut count = 0;
        for path in pages.iter().step_by(step) {
            let bytes = std::fs::read(path).unwrap();
            let page = Page::parse(&bytes);
            let name = path.display().to_string();
            let [full, _, segments, ..] = records(&name, &page, Preset::Article);
            check(&validator, &full);
            check(&validator, &segments);
            count += 1;
        }
        println!("{set}: {count} of {} pages", pages.len());
    }
}

fn html_files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            html_files(&path, out);
        } else if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("html") || e.eq_ignore_ascii_case("htm")) {
            out.push(path);
        }
    }
}

//! The tables of a run have the columns that `docs/tables.md` documents, and contain everything that is known about a page.

use arrow_schema::{DataType, Schema, TimeUnit};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::Value;
use std::fs::{self, File};
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::Path;
use webstrata::ExtractOptions;
use webstrata::record::{PageRecord, RecordOptions};
use webstrata::select::{Rules, SiteRules};
use webstrata_corpus::Extraction;
use webstrata_corpus::input::{Input, InputOptions};
use webstrata_corpus::run::{RunOptions, run};
use webstrata_corpus::store::{self, Format, LAYOUT, PageRow, StoreError, Table};

const PAGE: &str = "<!DOCTYPE html><html lang=en><head><title>The ferry of our village | The Quay</title>\
    <meta property=og:site_name content='The Quay'><meta name=description content='About the ferry.'>\
    <link rel=canonical href=https://example.org/ferry><meta property=og:image content=/ferry.jpg>\
    <meta name=keywords content='ferry, quay'><link rel=license href=https://example.org/licence>\
    <meta property=article:modified_time content=2024-05-14T08:00:00>\
    <script type=application/ld+json>{\"@type\": \"NewsArticle\", \"headline\": \"The ferry of our village\", \"datePublished\": \"2024-05-13T17:42:00+02:00\",\
    \"author\": [{\"@type\": \"Person\", \"name\": \"Maren Tolliver\"}, {\"@type\": \"Person\", \"name\": \"Per Holm\"}]}</script></head>\
    <body><h1>The ferry of our village</h1><p>The ferry left the quay at six, and for a long time nobody in the village had asked who owned it, or \
    who had paid for it when it was built. <p class=note>It came back in the evening of the same day, with the mail and with two \
    passengers who had missed it in the morning, and with <a href=/mail>a bag of letters</a>.";

fn warc(path: &Path) {
    let mut out = File::create(path).unwrap();
    let latin: Vec<u8> = PAGE.replace("quay", "K\u{e4}i").chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let pages: [(&str, &str, &[u8]); 2] = [("200 OK", "UTF-8", PAGE.as_bytes()), ("203 Fine", "iso-8859-1", &latin)];
    for (number, (status, charset, page)) in pages.into_iter().enumerate() {
        let http = format!("HTTP/1.1 {status}\r\nContent-Type: text/html; charset={charset}\r\nContent-Language: en-GB\r\n\r\n");
        write!(
            out,
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: https://example.org/{number}\r\n\
             WARC-Date: 2024-05-20T12:00:00.5Z\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-00000000000{number}>\r\n\
             WARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\r\nContent-Type: application/http\r\n\
             Content-Length: {}\r\n\r\n{http}",
            http.len() + page.len()
        )
        .unwrap();
        out.write_all(page).unwrap();
        out.write_all(b"\r\n\r\n").unwrap();
    }
}

/// A run over two pages in `here`.
fn run_in(here: &Path, format: Format, extraction: Extraction) -> std::path::PathBuf {
    let (input, out) = (here.join("crawl.warc"), here.join(format.name()));
    warc(&input);
    let options = RunOptions { format, extraction, ..RunOptions::default() };
    let input = Input::open(&[input], &InputOptions::default()).unwrap();
    assert!(run(input, &out, &options, &mut |_| ControlFlow::Continue(())).unwrap().complete);
    out
}

/// Name, type and nullability of the columns of a table in the documentation.
fn documented(table: Table) -> Vec<[String; 3]> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tables.md");
    let text = fs::read_to_string(path).unwrap().replace("\r\n", "\n");
    let section = text.split("\n## ").find(|section| section.starts_with(&format!("{table}\n"))).unwrap();
    let cells = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        [cells[1].trim_matches('`'), cells[2], cells[3]].map(str::to_owned)
    };
    section.lines().filter(|line| line.starts_with("| `")).map(cells).collect()
}

fn words(kind: &DataType) -> String {
    match kind {
        DataType::Utf8 => "text".to_owned(),
        DataType::Boolean => "bool".to_owned(),
        DataType::UInt16 => "uint16".to_owned(),
        DataType::UInt32 => "uint32".to_owned(),
        DataType::UInt64 => "uint64".to_owned(),
        DataType::Float32 => "float".to_owned(),
        DataType::Timestamp(TimeUnit::Microsecond, Some(zone)) if &**zone == "UTC" => "timestamp".to_owned(),
        DataType::List(item) => format!("list of {}", words(item.data_type())),
        DataType::Struct(fields) => {
            let fields: Vec<String> = fields.iter().map(|field| format!("{} {}", field.name(), words(field.data_type()))).collect();
            format!("({})", fields.join(", "))
        }
        other => panic!("{other} is not documented"),
    }
}

fn written(schema: &Schema) -> Vec<[String; 3]> {
    let null = |nullable: bool| if nullable { "null" } else { "" }.to_owned();
    schema.fields().iter().map(|field| [field.name().clone(), words(field.data_type()), null(field.is_nullable())]).collect()
}

#[test]
fn parquet_files_have_the_documented_columns() {
    let here = tempfile::tempdir().unwrap();
    let out = run_in(here.path(), Format::Parquet, Extraction::default());
    for table in Table::ALL {
        let file = File::open(out.join(table.name()).join("part-000000.parquet")).unwrap();
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
        assert_eq!(written(reader.schema()), documented(table), "{table}");
        let pairs = reader.metadata().file_metadata().key_value_metadata().unwrap();
        let of = |key: &str| pairs.iter().find(|pair| pair.key == key).and_then(|pair| pair.value.clone());
        assert_eq!((of("webstrata.schema").as_deref(), of("webstrata.table").as_deref()), (Some(LAYOUT), Some(table.name())));
    }
    let docs = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tables.md")).unwrap();
    assert!(docs.contains(&format!("The schema is `{LAYOUT}`.")));
}

#[test]
fn json_lines_have_the_documented_columns() {
    let here = tempfile::tempdir().unwrap();
    let out = run_in(here.path(), Format::Jsonl, Extraction::default());
    for table in Table::ALL {
        let text = fs::read_to_string(out.join(table.name()).join("part-000000.jsonl")).unwrap();
        let columns = documented(table);
        for line in text.lines() {
            let row: serde_json::Map<String, Value> = serde_json::from_str(line).unwrap();
            let mut names: Vec<&String> = row.keys().collect();
            let mut want: Vec<&String> = columns.iter().map(|[name, ..]| name).collect();
            names.sort();
            want.sort();
            assert_eq!(names, want);
            assert!(columns.iter().all(|[name, _, null]| null == "null" || !row[name].is_null()), "{line}");
        }
    }
    let first = fs::read_to_string(out.join("pages/part-000000.jsonl")).unwrap();
    assert!(first.contains(r#""fetched":"2024-05-20T12:00:00.500Z""#) && first.contains(r#""http_status":203"#), "{first}");
}

#[test]
fn rows_have_everything_that_is_known() {
    let here = tempfile::tempdir().unwrap();
    let out = run_in(here.path(), Format::Parquet, Extraction::default());
    let pages: Vec<PageRow> = store::pages(&out).unwrap().map(Result::unwrap).collect();
    let [first, second] = pages.as_slice() else { panic!("{}", pages.len()) };
    let time = |time: Option<webstrata_corpus::Timestamp>| time.unwrap().to_string();
    assert_eq!(
        (time(first.fetched).as_str(), first.fetched_text.as_deref()),
        ("2024-05-20T12:00:00.500Z", Some("2024-05-20T12:00:00.5Z"))
    );
    assert_eq!((first.http_status, second.http_status), (Some(200), Some(203)));
    assert_eq!(first.content_type.as_deref(), Some("text/html; charset=UTF-8"));
    assert_eq!(first.content_language.as_deref(), Some("en-GB"));
    assert_eq!((first.encoding.as_str(), first.transcoded), ("UTF-8", false));
    assert_eq!((second.encoding.as_str(), second.transcoded), ("windows-1252", true));
    assert_eq!(first.warc_record_id.as_deref(), Some("urn:uuid:00000000-0000-0000-0000-000000000000"));
    assert_eq!(first.payload_digest.as_deref(), Some("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"));
    assert_eq!((first.title.as_deref(), first.site_name.as_deref()), (Some("The ferry of our village"), Some("The Quay")));
    assert_eq!(first.authors, ["Maren Tolliver", "Per Holm"]);
    assert_eq!(
        (time(first.published).as_str(), first.published_text.as_deref()),
        ("2024-05-13T15:42:00Z", Some("2024-05-13T17:42:00+02:00"))
    );
    assert_eq!(
        (time(first.modified).as_str(), first.modified_text.as_deref()),
        ("2024-05-14T08:00:00Z", Some("2024-05-14T08:00:00"))
    );
    assert_eq!((first.language.as_deref(), first.language_source.as_deref()), (Some("en"), Some("html lang")));
    assert!(
        first.text.starts_with("The ferry of our village\nThe ferry left")
            && first.markdown.starts_with("# The ferry of our village"),
        "{}",
        first.text
    );

    // The same as `extract` gives.
    let page = webstrata::Page::parse(PAGE.as_bytes());
    let content = page.extract();
    let options = RecordOptions::default().url(Some("https://example.org/0")).metadata(true);
    let record = serde_json::to_value(PageRecord::new(&page, &content, &options)).unwrap();
    let row = serde_json::to_value(first).unwrap();
    for name in ["text", "page_type", "encoding", "transcoded"] {
        assert_eq!(record[name], row[name], "{name}");
    }
    let metadata = record["metadata"].as_object().unwrap();
    assert!(metadata.len() >= 10, "{metadata:?}");
    for (name, value) in metadata {
        let value = match value {
            Value::Array(values) => values.iter().map(|value| value["value"].clone()).collect(),
            value => value["value"].clone(),
        };
        let column = if ["published", "modified"].contains(&name.as_str()) { format!("{name}_text") } else { name.clone() };
        assert_eq!(row[column], value, "{name}");
    }

    let segments: Vec<_> = store::segments(&out).unwrap().map(Result::unwrap).collect();
    for segment in &segments {
        let is_first = segment.page == first.id;
        assert_eq!(segment.transcoded, !is_first);
        if is_first {
            let solid = |text: &str| text.split_whitespace().collect::<String>();
            let spans: String = segment.spans.iter().map(|&[start, end]| solid(&PAGE[start as usize..end as usize])).collect();
            assert_eq!(spans, solid(&segment.text));
        }
    }
    assert!(segments.iter().any(|segment| segment.text.contains("K\u{e4}i") && segment.content));
}

#[test]
fn rules_and_models_apply_to_rows() {
    let here = tempfile::tempdir().unwrap();
    let of = |name: &str, extraction: Extraction| {
        let here = here.path().join(name);
        fs::create_dir(&here).unwrap();
        store::pages(&run_in(&here, Format::Jsonl, extraction)).unwrap().next().unwrap().unwrap().text
    };
    assert!(of("all", Extraction::default()).contains("bag of letters"));
    let rules = Rules::parse(&[], &[], &[".note"]).unwrap();
    let excluded = of("excluded", ExtractOptions::default().rules(rules).into());
    assert!(!excluded.contains("bag of letters") && excluded.starts_with("The ferry of our village\n"), "{excluded}");
    assert!(!of("untitled", ExtractOptions::default().title(false).into()).starts_with("The ferry of our village"));
    let sites = SiteRules::parse("[site.'example.org']\nonly = ['.note']").unwrap();
    assert!(of("sites", Extraction::default().with_site_rules(sites)).starts_with("It came back"));
}

#[test]
fn tables_of_another_version_are_refused() {
    let here = tempfile::tempdir().unwrap();
    let out = run_in(here.path(), Format::Parquet, Extraction::default());
    let path = out.join("manifest.json");
    let manifest = fs::read_to_string(&path).unwrap();
    fs::write(&path, manifest.replace(LAYOUT, "webstrata.run/1")).unwrap();
    let input = Input::open(&[here.path().join("crawl.warc")], &InputOptions::default()).unwrap();
    let resumed = run(input, &out, &RunOptions::default(), &mut |_| ControlFlow::Continue(())).unwrap_err().to_string();
    let read = store::links(&out).unwrap_err();
    assert!(matches!(read, StoreError::OtherSchema { .. }));
    for message in [resumed, read.to_string()] {
        assert!(message.contains("webstrata.run/1") && message.contains(LAYOUT) && message.contains("another folder"), "{message}");
    }
    assert!(store::Manifest::is_in(&out) && !store::Manifest::is_in(here.path()));
}

//! `extract --tables`: the data tables of pages as CSV and JSON.

use crate::common::{folder, run};
use serde_json::{Value, json};
use std::fs;

/// A page with a layout table around its text, and three data tables: with a late caption and spans, with quotes and commas, and
/// one nested in another.
fn page() -> String {
    let text =
        "It has been raining in the valley for three days, and nobody there can remember when that last happened. ".repeat(4);
    format!(
        "<title>Rain</title><table role=presentation><tr><td><h1>Rain</h1><p>{text}</p>\
         <table><tr><th>Day<th>Place<th>mm</tr><tr><td rowspan=2>Monday<td>Orrin<td>14</tr><tr><td>Tarn<td>7</tr><caption>Rain in May</caption></table>\
         <p>{text}</p><table border=1><tr><td>a, b<td>\"c\"<tr><td>1<br>2<td><table border=1><tr><td>x<td>y<tr><td>z<td>w</table></table>\
         <p>{text}</p><td>side<tr><td>x<td>y</table>"
    )
}

const RAIN: &str = "Day,Place,mm\nMonday,Orrin,14\nMonday,Tarn,7\n";
const QUOTED: &str = "\"a, b\",\"\"\"c\"\"\"\n\"1\n2\",\"x\ny\nz\nw\"\n";
const INNER: &str = "x,y\nz,w\n";

#[test]
fn tables_as_csv() {
    let here = folder(&[("rain.html", page().as_bytes()), ("none.html", b"<p>No tables here.")]);
    let all = run(here.path(), &["extract", "--tables", "csv", "rain.html"]).quiet().stdout;
    assert_eq!(all, [RAIN, QUOTED, INNER].join("\n"));
    // Each table becomes a file in the folder; a page without tables gets none.
    run(here.path(), &["extract", "--tables", "csv", "rain.html", "none.html", "-o", "out/"]);
    for (file, want) in [("1.csv", RAIN), ("2.csv", QUOTED), ("3.csv", INNER)] {
        assert_eq!(fs::read_to_string(here.path().join("out/rain").join(file)).unwrap(), want, "{file}");
    }
    assert!(!here.path().join("out/none").exists());
}

#[test]
fn tables_as_json() {
    let here = folder(&[("rain.html", page().as_bytes())]);
    let args = ["extract", "--tables", "json", "--base-url", "https://e.org/rain", "rain.html"];
    let out = run(here.path(), &args).quiet().stdout;
    let tables: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(tables.len(), 3, "{out}");
    let first = &tables[0];
    assert_eq!((&first["id"], &first["url"], &first["table"]), (&json!("rain.html"), &json!("https://e.org/rain"), &json!(1)));
    assert_eq!((&first["caption"], &first["header"]), (&json!("Rain in May"), &json!([["Day", "Place", "mm"]])));
    assert_eq!(first["rows"], json!([["Monday", "Orrin", "14"], ["Monday", "Tarn", "7"]]));
    assert_eq!((&tables[1]["caption"], &tables[1]["header"]), (&Value::Null, &json!([])));
    assert_eq!((&tables[2]["table"], &tables[2]["rows"]), (&json!(3), &json!([["x", "y"], ["z", "w"]])));
    // The span is that of the table in the page.
    let page = page();
    for table in &tables {
        let [start, end] = [0, 1].map(|at| table["span"][at].as_u64().unwrap() as usize);
        assert!(page[start..end].starts_with("<table") && page[start..end].ends_with("</table>"), "{table}");
        assert!(table["path"].as_str().unwrap().starts_with("/html/body/table"), "{table}");
    }
}

#[test]
fn a_page_without_tables_has_no_content() {
    let here = folder(&[("none.html", b"<p>No tables here.")]);
    for format in ["csv", "json"] {
        assert_eq!(run(here.path(), &["extract", "--tables", format, "none.html"]).complains(3, &[]).stdout, "");
    }
    run(here.path(), &["extract", "--tables", "words", "none.html"]).complains(2, &["csv, json"]);
}

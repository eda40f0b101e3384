//! Tables: every case with its Markdown, HTML, text and CSV.

use crate::support::data;
use webstrata::content::{MarkdownTables, RenderOptions};
use webstrata::label::Preset;
use webstrata::select::Rules;
use webstrata::{ExtractOptions, Page};

fn markdown_as(html: &str, tables: MarkdownTables) -> String {
    let page = Page::parse(html.as_bytes());
    let content = page.extract_with(&ExtractOptions::from(Preset::KeepEverything));
    content.markdown(&RenderOptions::default().markdown_tables(tables))
}

fn markdown(html: &str) -> String {
    markdown_as(html, MarkdownTables::Auto)
}

fn html(html: &str) -> String {
    let page = Page::parse(html.as_bytes());
    page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).html(&RenderOptions::default())
}

fn text(html: &str) -> String {
    Page::parse(html.as_bytes()).extract_with(&ExtractOptions::from(Preset::KeepEverything)).text()
}

fn csv(html: &str) -> Vec<String> {
    let page = Page::parse(html.as_bytes());
    page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).tables().iter().map(|table| table.csv()).collect()
}

#[test]
fn signs_are_kept() {
    let page = "<table><tr><th>Boat<th>Oars<th>Sails<tr><td>Skiff<td>✓<td>—<tr><td>Sloop<td><b>✗</b><td>✓ <i>+</i><br>*<tr><td>Raft<td>…<td>%</table>";
    let want =
        "| Boat | Oars | Sails |\n| --- | --- | --- |\n| Skiff | ✓ | — |\n| Sloop | **✗** | ✓ *+*<br>\\* |\n| Raft | … | % |\n";
    assert_eq!(markdown(page), want);
    assert_eq!(text(page), "Boat | Oars | Sails\nSkiff | ✓ | —\nSloop | ✗ | ✓ + *\nRaft | … | %");
    assert_eq!(csv(page), ["Boat,Oars,Sails\nSkiff,✓,—\nSloop,✗,\"✓ +\n*\"\nRaft,…,%\n"]);
    // They are kept with the rest of the table, and dropped where a rule drops their cells.
    let sentence = "The boats of the lake are built in the same yard, and most of them are older than the people who sail them. ";
    let article = format!("<article><h1>Boats</h1><p>{0}</p>{page}<p>{0}</p></article>", sentence.repeat(4));
    let parsed = Page::parse(article.as_bytes());
    assert!(parsed.extract().text().contains("Skiff | ✓ | —"), "{}", parsed.extract().text());
    let rules = Rules::parse(&[], &[], &["td:nth-child(2)"]).unwrap();
    let options = ExtractOptions::from(Preset::KeepEverything).rules(rules);
    let left = parsed.extract_with(&options).text();
    assert!(left.contains("Skiff |  | —") && !left.contains('✗'), "{left}");
    assert!(!parsed.extract_with(&options.tables(false)).text().contains('—'));
    // Outside tables they are still in no block.
    assert_eq!(text("<p>one</p><p>—</p><table role=none><tr><td>a<td>✓<tr><td>b<td>✗</table>"), "one\na\nb");
}

#[test]
fn spans_are_blank_in_lines_kept_in_html_and_repeated_in_data() {
    let page = "<table><tr><th>Lake<th colspan=2>Depth<tr><td rowspan=2>Orrin<td>north<td>12<tr><td>south<td>7<tr><td colspan=3>measured in May</table>";
    let want = "| Lake | Depth |  |\n| --- | --- | --- |\n| Orrin | north | 12 |\n|  | south | 7 |\n| measured in May |  |  |\n";
    assert_eq!(markdown(page), want);
    let want = "<table>\n<thead>\n<tr><th>Lake</th><th colspan=\"2\">Depth</th></tr>\n</thead>\n<tbody>\n\
        <tr><td rowspan=\"2\">Orrin</td><td>north</td><td>12</td></tr>\n<tr><td>south</td><td>7</td></tr>\n\
        <tr><td colspan=\"3\">measured in May</td></tr>\n</tbody>\n</table>\n";
    assert_eq!(html(page), want);
    assert_eq!(markdown_as(page, MarkdownTables::Html), want);
    assert_eq!(csv(page), ["Lake,Depth,Depth\nOrrin,north,12\nOrrin,south,7\nmeasured in May,measured in May,measured in May\n"]);
    // Rows and columns without content do not count, and no cell leaves its group of rows.
    let page =
        "<table><thead><tr><th rowspan=9>a<th>b<th><tbody><tr><td rowspan=3>1<td>2<td><tr><tr><td>3<td><tr><td>4<td>5</table>";
    assert_eq!(csv(page), ["a,b\n1,2\n1,3\n4,5\n"]);
}

#[test]
fn captions_heads_and_feet_are_in_order() {
    let page = "<table><thead><tr><td>Day<td>Rain</thead><tfoot><tr><td>Sum<td>21</tfoot><tbody><tr><th>Monday<td>14<tr><th>Tuesday<td>7</tbody>\
                <caption>Rain of <i>the week</i></caption></table><p>after";
    let want = "Rain of *the week*\n\n| Day | Rain |\n| --- | --- |\n| Monday | 14 |\n| Tuesday | 7 |\n| Sum | 21 |\n\nafter\n";
    assert_eq!(markdown(page), want);
    let want = "<table>\n<caption>Rain of <em>the week</em></caption>\n<thead>\n<tr><th>Day</th><th>Rain</th></tr>\n</thead>\n<tbody>\n\
        <tr><th>Monday</th><td>14</td></tr>\n<tr><th>Tuesday</th><td>7</td></tr>\n<tr><td>Sum</td><td>21</td></tr>\n</tbody>\n</table>\n<p>after</p>\n";
    assert_eq!(html(page), want);
    assert_eq!(text(page), "Rain of the week\nDay | Rain\nMonday | 14\nTuesday | 7\nSum | 21\nafter");
    let parsed = Page::parse(page.as_bytes());
    let tables = parsed.extract_with(&ExtractOptions::from(Preset::KeepEverything)).tables();
    assert_eq!((tables[0].caption(), tables[0].header_rows(), tables[0].len()), (Some("Rain of the week"), 1, 4));
    assert_eq!(tables[0].cells().filter(|cell| cell.shape.header).count(), 4);
    assert_eq!(tables[0].span().slice(page), page.strip_suffix("<p>after").unwrap());
}

/// The position of a table's caption and foot in the source does not matter.
#[test]
fn real_tables_are_in_reading_order() {
    let check = |bytes: &[u8]| {
        let Some(ordered) = data::in_reading_order(bytes) else { return Ok(()) };
        let text = |bytes: &[u8]| {
            let page = Page::parse(bytes);
            let text = page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).text();
            text.chars().filter(|c| c.is_alphanumeric()).collect::<String>()
        };
        let (got, want) = (text(bytes), text(&ordered));
        if got == want { Ok(()) } else { Err(format!("{got}\n--- instead of\n{want}")) }
    };
    check("<table><tr><td>a<td>b<tr><td>c<td>d</tr><caption>e</caption></table><p>f".as_bytes()).unwrap();
    let foot = "<table><caption>e</caption><tfoot><tr><td>a<td>b</tfoot><tr><td>c<td><table><tr><td>1<td>2<tr><td>3<td>4</tr>\
        <caption>5</caption></table></table><p>f";
    check(foot.as_bytes()).unwrap();
    assert!(data::in_reading_order(foot.as_bytes()).is_some_and(|ordered| data::in_reading_order(&ordered).is_none()));
    data::check_pages(check);
}

#[test]
fn cells_with_parts_are_html() {
    let page = "<ul><li>list<table><tr><th>Step<th>What<tr><td>1<td>Run:<pre>a |\n\n  b</pre><tr><td>2<td><ol><li>x<li>y</ol><tr><td>3<td><h4>Head</h4>body</table></ul>";
    let want = "- list\n\n  <table>\n  <thead>\n  <tr><th>Step</th><th>What</th></tr>\n  </thead>\n  <tbody>\n  <tr><td>1</td><td>\n  <p>Run:</p>\n  \
        <pre><code>a |&#10;\n    b</code></pre>\n  </td></tr>\n  <tr><td>2</td><td>\n  <ol>\n  <li>x</li>\n  <li>y</li>\n  </ol>\n  </td></tr>\n  \
        <tr><td>3</td><td>\n  <h4>Head</h4>\n  <p>body</p>\n  </td></tr>\n  </tbody>\n  </table>\n";
    assert_eq!(markdown(page), want);
    let want = "- list\n\n  | Step | What |\n  | --- | --- |\n  | 1 | Run:<br>`a \\|`<br>`b` |\n  | 2 | x<br>y |\n  | 3 | Head<br>body |\n";
    assert_eq!(markdown_as(page, MarkdownTables::Gfm), want);
    assert_eq!(csv(page), ["Step,What\n1,\"Run:\na |\n\n  b\"\n2,\"x\ny\"\n3,\"Head\nbody\"\n"]);
    assert!(text(page).ends_with("Step | What\n1 | Run: a |    b\n2 | x y\n3 | Head body"), "{}", text(page));
    // Lists of lines, one line of code and headings are lines.
    let page = "<table><tr><th>a<th>b<tr><td><ul><li>x<li>y</ul><td><pre>p|q</pre><tr><td><h3>h</h3><td>1<br>2</table>";
    assert_eq!(markdown(page), "| a | b |\n| --- | --- |\n| x<br>y | `p\\|q` |\n| h | 1<br>2 |\n");
}

#[test]
fn tables_in_tables() {
    let page = "<table border=1><tr><th>a<th>b<tr><td>1<td><table><tr><td>x<td>y<tr><td>z<td>w</table><tr><td>2<td>3</table>";
    assert!(markdown(page).contains("<td>\n<table>\n<tbody>\n<tr><td>x</td><td>y</td></tr>"));
    assert_eq!(markdown_as(page, MarkdownTables::Gfm), "| a | b |\n| --- | --- |\n| 1 | x<br>y<br>z<br>w |\n| 2 | 3 |\n");
    assert_eq!(csv(page), ["a,b\n1,\"x\ny\nz\nw\"\n2,3\n", "x,y\nz,w\n"]);
    let layout = "<table><tr><td><table><tr><td>x<td>y<tr><td>z<td>w</table><td>side</table>";
    assert_eq!(markdown(layout), "| x | y |\n| --- | --- |\n| z | w |\n\nside\n");
}

#[test]
fn roles_make_tables() {
    let page = "<div role=table><div role=rowgroup><div role=row><span role=columnheader>Name</span><span role=columnheader>Port</span></div></div>\
                <div role=row><span role=cell>web</span><span role=cell>80</span></div><div role=row><span role=cell>mail</span><span role=cell>—</span></div></div>";
    assert_eq!(markdown(page), "| Name | Port |\n| --- | --- |\n| web | 80 |\n| mail | — |\n");
    assert_eq!(csv(page), ["Name,Port\nweb,80\nmail,—\n"]);
}

#[test]
fn values_are_quoted_and_nothing_else() {
    let page = "<table><tr><td>=1+2<td>a,b<tr><td>say \"hi\"<td>-3<tr><td>007<td>1<br>2</table>";
    assert_eq!(csv(page), ["=1+2,\"a,b\"\n\"say \"\"hi\"\"\",-3\n007,\"1\n2\"\n"]);
}

/// Spans that would make a table many times as long as the page.
#[test]
fn spans_do_not_multiply_the_output() {
    let long = "word ".repeat(100);
    let rows = "<tr><td>x".repeat(20_000);
    for cell in ["<td rowspan=65534 colspan=1000>", "<td rowspan=65534 colspan=100>", "<td rowspan=0>"] {
        let page = format!("<table border=1><tr>{cell}{long}<td>b{rows}</table>");
        let parsed = Page::parse(page.as_bytes());
        let content = parsed.extract_with(&ExtractOptions::from(Preset::KeepEverything));
        for tables in [MarkdownTables::Gfm, MarkdownTables::Html] {
            let size = content.markdown(&RenderOptions::default().markdown_tables(tables)).len();
            assert!(size < 60 * page.len(), "{cell}: {size} bytes of Markdown for {}", page.len());
        }
        let size: usize = content.tables().iter().map(|table| table.csv().len()).sum();
        assert!(size < 60 * page.len(), "{cell}: {size} bytes of CSV for {}", page.len());
    }
}

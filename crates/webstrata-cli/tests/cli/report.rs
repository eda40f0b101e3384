//! Reports in a real browser: they draw, and nothing from their page runs or reaches the network.

use crate::common::browser::{attack, browser, loaded, script_ran};
use crate::common::{article, folder, run};
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use webstrata::Page;
use webstrata::block::GapModel;
use webstrata::segment::Method;

/// Number of requests to the local server.
static REQUESTS: AtomicUsize = AtomicUsize::new(0);

/// A `file:` address: all but plain characters as `%xx`.
fn address(file: &Path, hash: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-".contains(byte);
    let text = file.to_str().expect("the path is text").as_bytes();
    let path: String =
        text.iter().map(|byte| if plain(byte) { char::from(*byte).to_string() } else { format!("%{byte:02X}") }).collect();
    format!("file://{path}{hash}")
}

/// A page that attacks wherever a report shows a part of it.
fn hostile(port: u16) -> String {
    let attack = attack(port);
    let text = attack.replace('&', "&amp;").replace('<', "&lt;");
    let home = format!("http://127.0.0.1:{port}");
    let spelt = [
        format!("</script><script>{attack}</script>"),
        format!("</style><script>{attack}</script>"),
        format!("</title></svg></ol></p><script>{attack}</script>"),
        format!("<!--<script>{attack}</script>-->"),
        format!("]]><script>{attack}</script>"),
        format!("\"'><img src=x onerror=\"{attack}\">"),
        format!("\" onmouseover=\"{attack}\" onfocus=\"{attack}\" autofocus tabindex=\"0"),
        format!("<svg onload=\"{attack}\"><animate onbegin=\"{attack}\"></svg>"),
        format!("<iframe srcdoc=\"<script>{text}</script>\"></iframe><object data='{home}/o'></object>"),
        format!("<link rel=stylesheet href={home}/s><style>@import '{home}/i';*{{background:url({home}/b)}}</style>"),
        format!("<base href={home}/><meta http-equiv=refresh content='0;url={home}/m'>"),
        format!("\u{2028}\u{2029};{attack}//"),
        format!("${{{attack}}}`+{attack}+`"),
    ];
    let references = |text: &String| text.replace('&', "&amp;").replace('<', "&lt;");
    let as_text: String = spelt.iter().map(|payload| format!("<p>Words before {} and after.</p>\n", references(payload))).collect();
    let as_markup: String = spelt.iter().map(|payload| format!("<div>{payload}</div>\n")).collect();
    format!(
        "<!DOCTYPE html><html><head><title>{title}</title><script>{attack}</script></head><body onload=\"{attack}\">{as_text}\
         <p class='\"><script>{attack}</script>' id='x' data-x='</script>'>A class.</p>\
         <x\"><script>{attack}</script>y>Odd.</x>\
         <img-onerror=\"{attack}\">odd</img-onerror>{article}{as_markup}</body></html>",
        title = references(&spelt[2]),
        article = article("mill"),
    )
}

#[test]
fn a_report_renders_and_runs_nothing_from_its_page() {
    let Some(browser) = browser() else { return };
    let server = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let port = server.local_addr().expect("the listener has an address").port();
    // Requests are counted and dropped.
    std::thread::spawn(move || {
        for _ in server.incoming() {
            REQUESTS.fetch_add(1, Ordering::SeqCst);
        }
    });

    // The name of the file is also markup.
    let name =
        "x<b onclick=\"'&amp;<\u{202e}/script><script>document.title='r'+'an'<img src=x onerror=\"document.title='r'+'an'\">.html";
    let page = hostile(port);
    let control = format!("<!DOCTYPE html><title>Control</title><body><script>{}</script>", attack(port));
    let here = folder(&[(name, page.as_bytes()), ("control.html", control.as_bytes())]);
    let profile = tempfile::tempdir().expect("a temporary folder can be made");

    // Control: the attack works where nothing prevents it. Otherwise this test would show nothing.
    let control = loaded(&browser, profile.path(), &address(&here.path().join("control.html"), ""));
    assert!(script_ran(&control), "the attack does not run: {control}");
    std::thread::sleep(Duration::from_millis(100)); // the last request may still be under way
    assert!(REQUESTS.swap(0, Ordering::SeqCst) > 0, "the attack sends no request");

    let chosen = [Method::BfRulebased, Method::WordWrap, Method::JustRules];
    let mut arguments = vec!["segment", "--report", "out.html"];
    for method in &chosen {
        arguments.extend(["--method", method.name()]);
    }
    arguments.push(name);
    run(here.path(), &arguments).quiet();
    let parsed = Page::parse(page.as_bytes());
    let segments = chosen.map(|method| parsed.segments(method).len());
    let bars = parsed.blocks_by(GapModel::Tags).len();
    assert!(bars > 15 && segments.iter().all(|&n| n > 3), "{bars} {segments:?}");

    for (hash, shown) in [("", 0), ("#3.2", 2)] {
        let document = loaded(&browser, profile.path(), &address(&here.path().join("out.html"), hash));
        assert!(!script_ran(&document), "a script from the page ran: {document}");
        let drawn = format!("data-drawn=\"{bars} bars, {}+{}+{} segments, ", segments[0], segments[1], segments[2]);
        let width = document.split_once(&drawn).unwrap_or_else(|| panic!("{drawn}: {document}")).1;
        let width: usize = width.split_once(" wide\"").expect("a width").0.parse().expect("a number");
        assert!(width > 2 * bars, "the profile is drawn: {width}");
        assert_eq!(document.matches("<svg class=\"d\"").count() + document.matches("<svg class=\"d on\"").count(), bars);
        // The window keeps the profile at its top: the style sheet is in effect, and the script has measured it.
        let top = document.split_once("style=\"--top: ").expect("the script has run").1;
        assert!(!top.starts_with("0px"), "no style sheet");
        assert!(document.contains(&format!("data-shown=\"{}\"", chosen[shown].name())));
        assert_eq!(
            document.matches("<button type=\"button\" dir=\"ltr\" class=\"h ").count()
                + document.matches("<button class=\"h ").count(),
            segments[shown]
        );
        let body = document.split_once("</style>").expect("a style sheet").1;
        assert_eq!(body.matches("aria-pressed=\"true\"").count(), usize::from(!hash.is_empty()), "pinned by its address");
        let first = if hash.is_empty() { "segment 1 of " } else { "segment 2 of " };
        assert!(document.contains(&format!("{first}{}, {}", segments[shown], chosen[shown].name())), "the panel shows it");
    }
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(REQUESTS.load(Ordering::SeqCst), 0, "a report reached the network");
    // The report is complete.
    assert!(fs::read_to_string(here.path().join("out.html")).expect("the report exists").ends_with("</html>\n"));
}

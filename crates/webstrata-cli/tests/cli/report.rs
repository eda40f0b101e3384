//! Reports in a real browser: they draw, and nothing from their page runs or reaches the network.

use crate::common::{article, folder, run};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use webstrata::Page;
use webstrata::block::GapModel;
use webstrata::segment::Method;

/// Time limit for the browser, generous for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Number of requests to the local server.
static REQUESTS: AtomicUsize = AtomicUsize::new(0);

/// A Chromium that starts; `WEBSTRATA_BROWSER` names another one.
fn browser() -> Option<String> {
    let chosen = std::env::var("WEBSTRATA_BROWSER").ok();
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"].map(str::to_owned);
    let works = |name: &String| {
        let version = Command::new(name).arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        version.is_ok_and(|status| status.success())
    };
    let found = chosen.into_iter().chain(names).find(works);
    if found.is_none() {
        // Directly to standard error: the test runner hides what passing tests print.
        let _ = std::io::stderr().write_all(
            b"\n!!!! reports in a browser: NOT CHECKED (no Chromium)\n!!!! Remedy: scripts/setup, or set WEBSTRATA_BROWSER.\n",
        );
    }
    found
}

/// The document after the browser has loaded it and run its scripts.
fn loaded(browser: &str, home: &Path, file: &Path, hash: &str) -> String {
    let mut child = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"])
        .args(["--disable-component-update", "--disable-default-apps", "--window-size=1300,900", "--dump-dom"])
        .arg(format!("--user-data-dir={}", home.display()))
        .arg(format!("file://{}{hash}", encoded(file)))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the browser starts");
    let mut stdout = child.stdout.take().expect("standard output is a pipe");
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        stdout.read_to_end(&mut text).map(|_| String::from_utf8_lossy(&text).into_owned())
    });
    let started = Instant::now();
    while child.try_wait().expect("the browser has a status").is_none() {
        if started.elapsed() > TIMEOUT {
            let _ = child.kill();
            panic!("the browser did not end within {TIMEOUT:?} on {}", file.display());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    reader.join().expect("the reader does not panic").expect("the output can be read")
}

/// A path for a `file:` address: all but plain characters as `%xx`.
fn encoded(file: &Path) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-".contains(byte);
    let text = file.to_str().expect("the path is text").as_bytes();
    text.iter().map(|byte| if plain(byte) { char::from(*byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// A script that marks the document in three ways and sends a request. It assembles the marks when it runs, so that its own
/// text does not look like success.
fn attack(port: u16) -> String {
    format!(
        "document.documentElement.setAttribute('data-r'+'an','1');document.title='r'+'an';\
         document.body.appendChild(document.createElement('p')).id='r'+'an';new Image().src='http://127.0.0.1:{port}/x'"
    )
}

fn ran(document: &str) -> bool {
    ["data-ran", "<title>ran", "id=\"ran\""].iter().any(|mark| document.contains(mark))
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
fn a_report_draws_and_nothing_of_its_page_runs() {
    let Some(browser) = browser() else { return };
    let server = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let port = server.local_addr().expect("the listener has an address").port();
    // Requests are counted and dropped.
    std::thread::spawn(move || {
        for _ in server.incoming() {
            REQUESTS.fetch_add(1, Ordering::SeqCst);
        }
    });

    // The name of the file is markup, too.
    let name =
        "x<b onclick=\"'&amp;<\u{202e}/script><script>document.title='r'+'an'<img src=x onerror=\"document.title='r'+'an'\">.html";
    let page = hostile(port);
    let control = format!("<!DOCTYPE html><title>Control</title><body><script>{}</script>", attack(port));
    let here = folder(&[(name, page.as_bytes()), ("control.html", control.as_bytes())]);
    let profile = tempfile::tempdir().expect("a temporary folder can be made");

    // Control: the attack works where nothing prevents it. Otherwise this test would show nothing.
    let control = loaded(&browser, profile.path(), &here.path().join("control.html"), "");
    assert!(ran(&control), "the attack does not run: {control}");
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
        let document = loaded(&browser, profile.path(), &here.path().join("out.html"), hash);
        assert!(!ran(&document), "a script from the page ran: {document}");
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

//! Pages cannot reach anything: neither a server on this machine nor files outside their folder.

use crate::common::chromium;
use std::io::Read;
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use webstrata::Page;
use webstrata_layout::{Assets, Chromium};

/// A server on this machine that counts connections.
fn listener() -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let port = listener.local_addr().expect("it has an address").port();
    let connections = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&connections);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            counter.fetch_add(1, Ordering::SeqCst);
            let _ = stream.set_read_timeout(Some(Duration::from_secs(1)));
            let _ = stream.read(&mut [0; 1024]);
        }
    });
    (port, connections)
}

/// Every known way for a page without scripts to make a browser send a request. `AT` is the server.
const ATTACKS: [&str; 50] = [
    "<img src=http://AT/img>",
    "<img srcset='http://AT/srcset 1x'>",
    "<picture><source srcset=http://AT/source><img src=x></picture>",
    "<input type=image src=http://AT/input>",
    "<link rel=stylesheet href=http://AT/style.css>",
    "<link rel=stylesheet href=data:text/css,@import'http://AT/data-import.css'>",
    "<style>@import 'http://AT/import.css';</style>",
    "<style>@import url(//AT/import-relative.css);</style>",
    "<p style='background:url(http://AT/background)'>x</p>",
    "<p style='background-image:image-set(url(http://AT/set) 1x);list-style:url(http://AT/list);cursor:url(http://AT/cursor),auto'>x</p>",
    "<p style='border-image:url(http://AT/border) 30;mask:url(http://AT/mask);filter:url(http://AT/filter#f);shape-outside:url(http://AT/shape);float:left'>x</p>",
    "<style>p::before{content:url(http://AT/content)}</style><p>x</p>",
    "<style>@font-face{font-family:f;src:url(http://AT/font)}p{font-family:f}</style><p>x</p>",
    "<meta http-equiv=refresh content='0;url=http://AT/refresh'>",
    "<meta http-equiv='&#114;efresh' content='0;url=http://AT/refresh-entity'>",
    "<svg><a xlink:href=x></a></svg><META HTTP-EQUIV=' refresh ' CONTENT='0;URL=http://AT/refresh-spaces'>",
    "<iframe src=http://AT/frame></iframe>",
    "<iframe srcdoc='<img src=http://AT/srcdoc><script>new Image().src=`http://AT/srcdoc-script`</script>'></iframe>",
    "<iframe src='data:text/html,<img src=http://AT/data-frame>'></iframe>",
    "<iframe src='javascript:location=`http://AT/frame-script`'></iframe>",
    "<frameset><frame src=http://AT/frame2></frameset>",
    "<object data=http://AT/object></object>",
    "<object type=text/html data='data:text/html,<img src=http://AT/data-object>'></object>",
    "<embed src=http://AT/embed>",
    "<applet code=http://AT/applet archive=http://AT/archive></applet>",
    "<video src=http://AT/video poster=http://AT/poster autoplay></video>",
    "<audio src=http://AT/audio autoplay></audio>",
    "<video><track default src=http://AT/track></video>",
    "<link rel=prefetch href=http://AT/prefetch>",
    "<link rel=preload as=image href=http://AT/preload>",
    "<link rel=preload as=fetch crossorigin href=http://AT/preload-fetch>",
    "<link rel=modulepreload href=http://AT/module>",
    "<link rel=prerender href=http://AT/prerender>",
    "<link rel=preconnect href=http://AT/>",
    "<link rel=dns-prefetch href=//AT/>",
    "<link rel=icon href=http://AT/icon>",
    "<link rel=manifest href=http://AT/manifest>",
    "<base href=http://AT/><img src=base><link rel=stylesheet href=base.css>",
    "<svg><image href=http://AT/svg-image /><use href=http://AT/svg-use#a /></svg>",
    "<svg><style>@import 'http://AT/svg-import'</style><feImage href=http://AT/fe /></svg>",
    "<script src=http://AT/script></script>",
    "<script>new Image().src='http://AT/inline'; new WebSocket('ws://AT/socket'); fetch('http://AT/fetch')</script>",
    "<script type=speculationrules>{\"prefetch\":[{\"source\":\"list\",\"urls\":[\"http://AT/speculation\"]}]}</script>",
    "<img src=x onerror=\"location='http://AT/onerror'\">",
    "<body onload=\"navigator.sendBeacon('http://AT/beacon')\">",
    "<form action=http://AT/form><input autofocus onfocus=this.form.submit()></form>",
    "<a href=http://AT/link ping=http://AT/ping autofocus>x</a>",
    "<portal src=http://AT/portal></portal><fencedframe src=http://AT/fenced></fencedframe>",
    "<details open ontoggle=\"location='http://AT/toggle'\"><summary>x</summary>y</details>",
    "<table background=http://AT/table><tr><td background=http://AT/cell>x</table>",
];

#[test]
fn pages_cannot_reach_a_server() {
    let Some(mut chromium) = chromium() else { return };
    let (port, connections) = listener();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let style =
        format!("@import 'http://127.0.0.1:{port}/from-file.css'; p {{ background: url(http://127.0.0.1:{port}/from-file) }}");
    std::fs::write(folder.path().join("style.css"), style).expect("the folder can be written");
    let picture = format!("<svg xmlns='http://www.w3.org/2000/svg'><image href='http://127.0.0.1:{port}/from-svg'/></svg>");
    std::fs::write(folder.path().join("picture.svg"), picture).expect("the folder can be written");
    let assets = Assets::beside(&folder.path().join("page.html")).expect("the folder exists");

    let own = "<p>marker</p><link rel=stylesheet href=style.css><img src=picture.svg>";
    // All on one page, and each that could replace the page on its own.
    let all = ATTACKS.concat();
    let alone =
        ATTACKS.into_iter().filter(|attack| ["refresh", "frame", "location", "base", "object"].iter().any(|w| attack.contains(w)));
    for attack in std::iter::once(all.as_str()).chain(alone) {
        for at in [format!("127.0.0.1:{port}"), format!("localhost:{port}")] {
            let html = format!("{own}{}", attack.replace("AT", &at));
            let page = Page::parse(html.as_bytes());
            let capture = chromium.capture(&page, Some(&assets), false).expect("the browser renders the page");
            let marker = page.dom().nodes().find(|node| node.text() == "marker").expect("the text");
            // The page is still there, not what it tried to load.
            assert!(attack.contains("<frameset") || capture.layout.get(marker.id()).is_some(), "{attack}");
            assert_eq!(connections.load(Ordering::SeqCst), 0, "the server was reached by {attack}");
        }
    }
    // Requests that are sent late.
    std::thread::sleep(Duration::from_millis(500));
    drop(chromium);
    assert_eq!(connections.load(Ordering::SeqCst), 0, "the server was reached");
    // The same page in the same browser does reach it, if nothing stops it.
    unguarded(&all.replace("AT", &format!("127.0.0.1:{port}")));
    assert!(connections.load(Ordering::SeqCst) > 10, "{} connections", connections.load(Ordering::SeqCst));
}

/// Loads a page as browsers usually do.
fn unguarded(html: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let page = folder.path().join("page.html");
    std::fs::write(&page, html).expect("the folder can be written");
    let browser = Chromium::default().find().expect("there is a browser");
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom"]);
    command.arg(format!("--user-data-dir={}", folder.path().join("profile").display())).arg(page);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().expect("the browser starts");
}

#[test]
fn pages_cannot_read_other_files() {
    let Some(mut chromium) = chromium() else { return };
    let outer = tempfile::tempdir().expect("a temporary folder");
    let folder = outer.path().join("page");
    std::fs::create_dir(&folder).expect("the folder can be created");
    let picture = std::fs::read(crate::common::testdata("two-columns/style/square.png")).expect("the picture exists");
    std::fs::write(outer.path().join("outside.png"), &picture).expect("the folder can be written");
    std::fs::write(folder.join("inside.png"), &picture).expect("the folder can be written");
    std::os::unix::fs::symlink(outer.path().join("outside.png"), folder.join("link.png")).expect("links can be made");
    let absolute = outer.path().join("outside.png");
    let absolute = absolute.display();
    let html = format!(
        "<img src=inside.png><img src=../outside.png><img src=%2e%2e/outside.png><img src=..%2foutside.png>\
         <img src='..\\outside.png'><img src=link.png><img src=file://{absolute}><img src=file://localhost{absolute}><img src={absolute}>\
         <img src=//localhost{absolute}><img src=http://page.invalid/../outside.png><img src=filesystem:file://{absolute}>"
    );
    let page = Page::parse(html.as_bytes());
    let assets = Assets::beside(&folder.join("page.html")).expect("the folder exists");
    let layout = chromium.capture(&page, Some(&assets), false).expect("the browser renders the page").layout;
    let loaded = page.dom().nodes().filter(|node| node.name() == "img");
    let widths: Vec<f32> = loaded.map(|node| layout.get(node.id()).map_or(0.0, |image| image.area.width)).collect();
    assert_eq!(widths[0], 40.0);
    assert!(widths[1..].iter().all(|&width| width < 40.0), "{widths:?}");
}

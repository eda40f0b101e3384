//! Fetching from local test servers.

use crate::client::Running;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use webstrata_serve::ServeOptions;
use webstrata_serve::fetch::{FetchError, FetchOptions, Fetcher, TestName, WarcWriter, fetch_all};

type Log = Arc<Mutex<Vec<(String, Instant)>>>;

/// A Web server with these responses by path; other paths are 404. `{self}` stands for its address.
fn site(pages: &[(&str, &str)]) -> (SocketAddr, Log) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let log: Log = Log::default();
    let seen = Arc::clone(&log);
    let pages: Vec<(String, Vec<u8>)> = pages
        .iter()
        .map(|(path, answer)| ((*path).to_owned(), answer.replace("{self}", &address.to_string()).into_bytes()))
        .collect();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { continue };
            let (mut head, mut byte) = (Vec::new(), [0]);
            while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|count| count == 1) {
                head.push(byte[0]);
            }
            let head = String::from_utf8_lossy(&head).into_owned();
            let path = head.split(' ').nth(1).unwrap_or("").to_owned();
            seen.lock().unwrap().push((path.clone(), Instant::now()));
            let missing = b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec();
            let _ = stream.write_all(pages.iter().find(|(known, _)| *known == path).map_or(&missing, |(_, answer)| answer));
        }
    });
    (address, log)
}

fn html(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())
}

fn to(location: &str) -> String {
    format!("HTTP/1.1 302 Found\r\nlocation: {location}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
}

fn test_options() -> FetchOptions {
    FetchOptions {
        delay: Duration::from_millis(20),
        timeout: Duration::from_secs(5),
        retries: 1,
        any_address_in_tests: true,
        ..FetchOptions::default()
    }
}

#[test]
fn private_addresses_are_refused_however_they_are_written() {
    let (address, log) = site(&[("/", &html("<p>secret"))]);
    let fetcher = Fetcher::new(FetchOptions { retries: 0, ..FetchOptions::default() });
    let port = address.port();
    for host in [
        "127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "2130706433", "0x7f000001", "0177.0.0.1",
        "127.1", "0.0.0.0", "[::]", "LOCALHOST", "169.254.169.254", "[fe80::1]", "10.0.0.1",
    ] {
        let error = fetcher.get(&format!("http://{host}:{port}/")).unwrap_err();
        assert!(matches!(error, FetchError::Private(_)), "{host}: {error}");
    }
    for address in [
        "file:///etc/passwd",
        "ftp://example.org/",
        "gopher://127.0.0.1/",
        "data:text/html,x",
        "javascript:x",
        "http://",
        "//example.org",
        "http://user:password@example.org/",
        "x",
    ] {
        assert!(matches!(fetcher.get(address), Err(FetchError::Address(_))), "{address}");
    }
    assert!(log.lock().unwrap().is_empty(), "nobody connected");
}

#[test]
fn a_server_that_fetches_does_not_fetch_from_itself() {
    let (address, log) = site(&[("/", &html("<p>secret"))]);
    let server = Running::new(ServeOptions {
        fetch: Some(FetchOptions { retries: 0, ..FetchOptions::default() }),
        ..ServeOptions::default()
    });
    for host in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"] {
        let answer = server.post(&format!("/api/v1/extract?fetch=http://{host}:{}/", address.port()), "");
        assert_eq!(answer.status, 502);
        assert!(answer.json()["error"].as_str().unwrap().contains("private"), "{}", answer.text());
    }
    assert_eq!(server.post("/api/v1/view?fetch=file:///etc/passwd", "").status, 502);
    assert!(log.lock().unwrap().is_empty());
}

#[test]
fn a_server_fetches_what_it_may() {
    let (address, _) =
        site(&[("/page", &html("<title>Rain</title><p>It has been raining in the valley for three days, and nobody knows why."))]);
    let server = Running::new(ServeOptions { fetch: Some(test_options()), ..ServeOptions::default() });
    let answer = server.post(&format!("/api/v1/extract?fetch=http://{address}/page"), "");
    assert_eq!((answer.status, answer.json()["title"].as_str()), (200, Some("Rain")), "{}", answer.text());
}

#[test]
fn robots_are_obeyed() {
    let robots = "User-agent: *\nDisallow: /private\n\nUser-agent: webstrata\nDisallow: /no\nCrawl-delay: 0.2\n";
    let (address, log) = site(&[
        ("/robots.txt", &html(robots).replace("text/html", "text/plain")),
        ("/yes", &html("<p>yes")),
        ("/private", &html("<p>private")),
        ("/no", &html("<p>no")),
    ]);
    let fetcher = Fetcher::new(test_options());
    assert!(fetcher.get(&format!("http://{address}/yes")).is_ok());
    assert!(matches!(fetcher.get(&format!("http://{address}/no/x")), Err(FetchError::Robots(_))));
    assert!(fetcher.get(&format!("http://{address}/private")).is_ok(), "the group for us counts, not that for all");
    let seen = log.lock().unwrap();
    let paths: Vec<&str> = seen.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["/robots.txt", "/yes", "/private"]);
    assert!(seen[2].1 - seen[1].1 >= Duration::from_millis(190), "the delay that it asks for");
    let (broken, _) =
        site(&[("/robots.txt", "HTTP/1.1 500 Oh\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"), ("/", &html("<p>x"))]);
    assert!(matches!(fetcher.get(&format!("http://{broken}/")), Err(FetchError::NoRobots { .. })));
}

#[test]
fn redirects_are_followed_and_checked() {
    let (address, _) = site(&[
        ("/a", &to("/b")),
        ("/b", &to("http://{self}/c#part")),
        ("/c", &html("<p>here")),
        ("/loop", &to("/loop")),
        ("/file", &to("file:///etc/passwd")),
        ("/script", &to("javascript:alert(1)")),
        ("/forbidden", &to("/no")),
        ("/robots.txt", &html("User-agent: *\nDisallow: /no\n").replace("text/html", "text/plain")),
    ]);
    let fetcher = Fetcher::new(FetchOptions { delay: Duration::ZERO, ..test_options() });
    let get = |path: &str| fetcher.get(&format!("http://{address}{path}"));
    assert_eq!(get("/a").unwrap().url, format!("http://{address}/c"));
    assert!(matches!(get("/loop"), Err(FetchError::Redirects(5))));
    assert!(matches!(get("/file"), Err(FetchError::Address(_))));
    assert!(matches!(get("/script"), Err(FetchError::Address(_))));
    assert!(matches!(get("/forbidden"), Err(FetchError::Robots(_))), "each step is checked");
}

/// Options that treat the test server `public.example` as public. Everything else is checked as usual.
fn with_names(public: SocketAddr, others: &[(&str, &[SocketAddr])]) -> FetchOptions {
    let name = |name: &str, addresses: &[SocketAddr], public| TestName { name: name.into(), addresses: addresses.into(), public };
    let mut names = vec![name("public.example", &[public], true)];
    names.extend(others.iter().map(|(known, addresses)| name(known, addresses, false)));
    FetchOptions { any_address_in_tests: false, names_in_tests: names, delay: Duration::ZERO, retries: 0, ..test_options() }
}

#[test]
fn a_public_page_cannot_redirect_to_a_private_address() {
    let (inside, secrets) = site(&[("/", &html("<p>secret")), ("/robots.txt", &html("User-agent: *\nAllow: /\n"))]);
    let port = inside.port();
    let targets = [
        format!("http://127.0.0.1:{port}/"),
        format!("http://127.1:{port}/"),
        format!("http://2130706433:{port}/"),
        format!("//localhost:{port}/"),
        format!("http://[::1]:{port}/"),
        format!("http://[::ffff:127.0.0.1]:{port}/"),
        format!("http://[::ffff:7f00:1]:{port}/"),
        format!("https://127.0.0.1:{port}/"),
        format!("http://inside.example:{port}/"),
        format!("http://mixed.example:{port}/"),
        format!("http://mapped.example:{port}/"),
        format!("http://0.0.0.0:{port}/"),
        "http://10.0.0.1/".to_owned(),
        "http://172.16.0.1/".to_owned(),
        "http://192.168.1.1/".to_owned(),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "http://[::ffff:169.254.169.254]/".to_owned(),
        "http://[fe80::1]/".to_owned(),
        "http://[fd00::1]/".to_owned(),
        "http://[64:ff9b::7f00:1]/".to_owned(),
    ];
    let mut pages: Vec<(String, String)> = targets.iter().enumerate().map(|(i, target)| (format!("/{i}"), to(target))).collect();
    pages.push(("/chain".into(), to("/0")));
    pages.push(("/fine".into(), to("http://public.example/page")));
    pages.push(("/page".into(), html("<title>Rain</title><p>It has been raining in the valley for three days.")));
    let pages: Vec<(&str, &str)> = pages.iter().map(|(path, answer)| (path.as_str(), answer.as_str())).collect();
    let (public, log) = site(&pages);
    let mapped = SocketAddr::new("::ffff:127.0.0.1".parse().unwrap(), port);
    let others: [(&str, &[SocketAddr]); 3] = [
        ("inside.example", &[inside]),
        ("mixed.example", &["93.184.216.34:80".parse().unwrap(), inside]),
        ("mapped.example", &[mapped]),
    ];
    let options = with_names(public, &others);
    let fetcher = Fetcher::new(options.clone());
    assert_eq!(fetcher.get("http://public.example/fine").unwrap().url, "http://public.example/page", "the first hop is public");
    for (i, target) in targets.iter().enumerate() {
        let error = fetcher.get(&format!("http://public.example/{i}")).unwrap_err();
        assert!(matches!(error, FetchError::Private(_)), "{target}: {error}");
    }
    assert!(matches!(fetcher.get("http://public.example/chain"), Err(FetchError::Private(_))));
    let server = Running::new(ServeOptions { fetch: Some(options), ..ServeOptions::default() });
    assert_eq!(server.post("/api/v1/extract?fetch=http://public.example/fine", "").json()["title"], "Rain");
    let redirects = (0..targets.len()).map(|i| format!("http://public.example/{i}"));
    let direct = ["inside", "mixed", "mapped"].map(|name| format!("http://{name}.example:{port}/"));
    for address in redirects.chain(["http://public.example/chain".into()]).chain(direct) {
        let answer = server.post(&format!("/api/v1/extract?fetch={address}"), "");
        assert_eq!(answer.status, 502, "{address}: {}", answer.text());
        assert!(answer.json()["error"].as_str().unwrap().contains("private"), "{address}: {}", answer.text());
    }
    assert!(log.lock().unwrap().iter().any(|(path, _)| path == "/19"), "every redirect was asked for");
    assert!(secrets.lock().unwrap().is_empty(), "nobody connected: {:?}", secrets.lock().unwrap());
}

#[test]
fn a_public_robots_txt_cannot_redirect_to_a_private_address() {
    let (inside, secrets) = site(&[("/robots.txt", &html("User-agent: *\nAllow: /\n"))]);
    for target in
        [format!("http://127.0.0.1:{}/robots.txt", inside.port()), format!("http://inside.example:{}/robots.txt", inside.port())]
    {
        let (public, log) = site(&[("/robots.txt", &to(&target)), ("/page", &html("<p>It is not fetched."))]);
        let fetcher = Fetcher::new(with_names(public, &[("inside.example", &[inside])]));
        assert!(matches!(fetcher.get("http://public.example/page"), Err(FetchError::Private(_))), "{target}");
        assert_eq!(log.lock().unwrap().iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), ["/robots.txt"]);
    }
    assert!(secrets.lock().unwrap().is_empty(), "nobody connected");
}

#[test]
fn sizes_types_and_bombs() {
    let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    bomb.write_all(&vec![b' '; 30 << 20]).unwrap();
    let bomb = bomb.finish().unwrap();
    assert!(bomb.len() < 100_000);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut head = [0; 4096];
            let count = stream.read(&mut head).unwrap_or(0);
            let path = String::from_utf8_lossy(&head[..count]).split(' ').nth(1).unwrap_or("").to_owned();
            let (kind, more, body) = match path.as_str() {
                "/bomb" => ("text/html", "content-encoding: gzip\r\n", bomb.clone()),
                "/brotli" => ("text/html", "content-encoding: br\r\n", vec![1, 2, 3]),
                "/video" => ("video/mp4", "", vec![0; 100]),
                "/large" => ("text/html", "", vec![b'x'; 2 << 20]),
                "/gzip" => {
                    let mut page = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
                    page.write_all(b"<p>small").unwrap();
                    ("text/html", "content-encoding: gzip\r\n", page.finish().unwrap())
                }
                _ => ("text/plain", "", Vec::new()),
            };
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\n{more}content-length: {}\r\nconnection: close\r\n\r\n",
                body.len()
            );
            let _ = stream.write_all(&body);
        }
    });
    let options = FetchOptions { max_bytes: 1 << 20, delay: Duration::ZERO, ..test_options() };
    let fetcher = Fetcher::new(options.clone());
    let get = |path: &str| fetcher.get(&format!("http://{address}{path}"));
    assert!(matches!(get("/bomb"), Err(FetchError::TooLarge(_))));
    assert!(matches!(get("/large"), Err(FetchError::TooLarge(_))));
    assert!(matches!(get("/video"), Err(FetchError::NotAPage(_))));
    assert!(matches!(get("/brotli"), Err(FetchError::Encoding(_))));
    assert_eq!(get("/gzip").unwrap().body, b"<p>small");
    let server = Running::new(ServeOptions { fetch: Some(options), ..ServeOptions::default() });
    for (path, status) in [("/bomb", 502), ("/large", 502), ("/video", 502), ("/brotli", 502), ("/gzip", 200)] {
        let answer = server.post(&format!("/api/v1/extract?fetch=http://{address}{path}"), "");
        assert_eq!(answer.status, status, "{path}: {}", answer.text());
    }
}

#[test]
fn temporary_failures_are_retried() {
    let (address, log) = site(&[
        ("/busy", "HTTP/1.1 503 Busy\r\nretry-after: 0\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"),
        ("/gone", "HTTP/1.1 410 Gone\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"),
    ]);
    let fetcher = Fetcher::new(FetchOptions { retries: 2, ..test_options() });
    assert!(matches!(fetcher.get(&format!("http://{address}/busy")), Err(FetchError::Status(503))));
    assert!(matches!(fetcher.get(&format!("http://{address}/gone")), Err(FetchError::Status(410))));
    let tries = |path: &str| log.lock().unwrap().iter().filter(|(seen, _)| seen == path).count();
    assert_eq!((tries("/busy"), tries("/gone")), (3, 1));
}

#[test]
fn a_list_becomes_a_warc_file_in_its_order() {
    let pages: Vec<(String, String)> = (0..12)
        .map(|i| (format!("/{i}"), html(&format!("<title>Page {i}</title><p>It is page {i} of the site that this test made up."))))
        .collect();
    let pages: Vec<(&str, &str)> = pages.iter().map(|(path, answer)| (path.as_str(), answer.as_str())).collect();
    let (one, _) = site(&pages);
    let (two, log) = site(&pages);
    let urls: Vec<String> = (0..12)
        .map(|i| format!("http://{}/{i}", if i % 2 == 0 { one } else { two }))
        .chain([format!("http://{one}/none")])
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pages.warc.gz");
    let mut warc = WarcWriter::create(&file, "test\r\nX: y").unwrap();
    let report = fetch_all(&Fetcher::new(test_options()), &urls, 4, |page| warc.write(page)).unwrap();
    assert_eq!(warc.finish().unwrap(), 12);
    assert_eq!((report.done, report.failed.len()), (12, 1));
    let input = webstrata_corpus::input::Input::list(&webstrata_corpus::input::Sources::new([&file]).unwrap(), &Default::default())
        .unwrap();
    let read: Vec<String> = input.map(|entry| entry.unwrap().url().unwrap().to_owned()).collect();
    assert_eq!(read, urls[..12]);
    let times: Vec<Instant> = log.lock().unwrap().iter().map(|(_, time)| *time).collect();
    assert!(
        times.windows(2).skip(1).all(|pair| pair[1] - pair[0] >= Duration::from_millis(15)),
        "one request at a time, with pauses"
    );
}

//! Overload, slow clients, large bodies.

use crate::client::{Running, answer};
use std::io::{Read, Write};
use std::time::{Duration, Instant};
use webstrata_serve::ServeOptions;

#[test]
fn a_body_has_a_limit_whether_announced_or_not() {
    let server = Running::new(ServeOptions { max_body: 100_000, ..ServeOptions::default() });
    assert_eq!(server.post("/api/v1/extract", vec![b'x'; 100_000]).status, 200);
    assert_eq!(server.post("/api/v1/extract", vec![b'x'; 100_001]).status, 413);
    // A gigabyte is refused before it is sent.
    let started = Instant::now();
    let head = "POST /api/v1/extract HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1073741824\r\n\r\n";
    assert_eq!(server.raw(head.as_bytes()).status, 413);
    assert!(started.elapsed() < Duration::from_secs(5));
    // A chunked body is refused after the limit.
    let mut stream = server.connect();
    stream.write_all(b"POST /api/v1/extract HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n").unwrap();
    let chunk = [b"8000\r\n".as_slice(), &[b'x'; 0x8000], b"\r\n"].concat();
    for _ in 0..10_000 {
        if stream.write_all(&chunk).is_err() {
            break;
        }
    }
    let answer = answer(&mut stream);
    assert!(matches!(answer.status, 413 | 0), "{}", answer.status); // a reset may overtake the answer
    assert_eq!(server.get("/api/v1/health").status, 200);
}

#[test]
fn all_bodies_together_have_a_limit() {
    let server = Running::new(ServeOptions {
        max_body: 1 << 20,
        max_memory: 2 << 20,
        timeout: Duration::from_secs(20),
        ..ServeOptions::default()
    });
    let half = |length: usize| {
        let mut stream = server.connect();
        let head = format!("POST /api/v1/extract HTTP/1.1\r\nhost: localhost\r\ncontent-length: {}\r\n\r\n", length + 1);
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(&vec![b'x'; length]).unwrap();
        stream
    };
    let mut waiting = [half(900_000), half(900_000)];
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(server.post("/api/v1/extract", vec![b'x'; 900_000]).status, 503);
    for stream in &mut waiting {
        stream.write_all(b"x").unwrap();
        assert_eq!(answer(stream).status, 200);
    }
    assert_eq!(server.post("/api/v1/extract", vec![b'x'; 900_000]).status, 200, "memory is given back");
}

#[test]
fn slow_and_half_requests_end() {
    let server = Running::new(ServeOptions {
        timeout: Duration::from_millis(500),
        idle: Duration::from_millis(500),
        ..ServeOptions::default()
    });
    let mut body = server.connect();
    body.write_all(b"POST /api/v1/extract HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\nhalf").unwrap();
    assert_eq!(answer(&mut body).status, 408);
    let mut head = server.connect();
    head.write_all(b"POST /api/v1/extract HTTP/1.1\r\nhos").unwrap();
    let mut rest = Vec::new();
    let _ = head.read_to_end(&mut rest); // closed, perhaps with an answer
    let mut idle = server.connect();
    assert_eq!(idle.read(&mut [0]).unwrap_or(0), 0, "an idle connection is closed");
    let mut cut = server.connect();
    cut.write_all(b"POST /api/v1/extract HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\nhalf").unwrap();
    drop(cut);
    assert_eq!(server.get("/api/v1/health").status, 200);
}

#[test]
fn idle_connections_do_not_block_new_ones() {
    let server = Running::new(ServeOptions { max_connections: 50, ..ServeOptions::default() });
    let idle: Vec<_> = (0..300).map(|_| server.connect()).collect();
    for _ in 0..20 {
        assert_eq!(server.get("/api/v1/health").status, 200);
    }
    let metrics = server.get("/api/v1/metrics").text();
    let open: i64 = metrics.lines().find_map(|line| line.strip_prefix("webstrata_connections ")).unwrap().parse().unwrap();
    assert!(open <= 60, "{open}");
    drop(idle);
}

#[test]
fn overload_is_refused_and_passes() {
    let server = Running::new(ServeOptions { queue: 2, ..ServeOptions::default() });
    let page = format!("<title>x</title>{}", "<p>Some words in a paragraph that is one of many.</p>".repeat(20_000));
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let all: Vec<_> = (0..40).map(|_| scope.spawn(|| server.post("/api/v1/segment?method=bf-plain", &page).status)).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(statuses.contains(&200) && statuses.contains(&503), "{statuses:?}");
    assert!(statuses.iter().all(|status| matches!(status, 200 | 503)), "{statuses:?}");
    let again = server.post("/api/v1/extract", "<p>text");
    assert_eq!(again.status, 200, "it recovers");
}

#[test]
fn the_rate_limit_is_enforced() {
    let server = Running::new(ServeOptions { rate: Some(5), ..ServeOptions::default() });
    // All at once, because a refusal takes as long as earning another request.
    let answers: Vec<_> = std::thread::scope(|scope| {
        let all: Vec<_> = (0..30).map(|_| scope.spawn(|| server.get("/api/v1/health"))).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    let fine = statuses.iter().filter(|&&status| status == 200).count();
    assert!((10..=13).contains(&fine), "{statuses:?}");
    let refused = answers.iter().find(|answer| answer.status == 429).unwrap();
    assert_eq!(refused.header("retry-after"), Some("1"));
}

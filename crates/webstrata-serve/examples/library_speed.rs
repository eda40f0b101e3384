//! Measures how fast the library alone does the work of `POST /api/v1/extract`, and an upper bound for a server, for `scripts/load-test`.
//!
//! `cargo run --release -p webstrata-serve --example library_speed -- PAGE THREADS SECONDS`
//!
//! Prints the record of the page, so that it can be compared with the server's answer, and then the number of pages and the seconds.
//! Each thread reads the same bytes again and again with a reader that keeps its buffers.
//!
//! `library_speed serve THREADS` is a server that only reads bytes from sockets, calls the library and writes its answer: no
//! limits, no checks, no log, no headers except the length. It trusts its client and is for measurements only. Its extra time over
//! the library is the system's, plus the cost of cold caches afterwards. `library_speed sockets THREADS` answers with text of the
//! same length and does not call the library.

#![allow(clippy::print_stdout, reason = "a program that prints its result")]
#![allow(clippy::print_stderr, reason = "as the server does")]

use std::cell::RefCell;
use std::error::Error;
use std::hint::black_box;
use std::io::{Error as IoError, ErrorKind};
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpStream};
use webstrata::record::{PageRecord, RecordOptions};
use webstrata::{ExtractOptions, PageOptions, PageReader};

/// The allocator of the command line, which includes the server.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["serve", threads] => serve(threads.parse()?, true),
        ["sockets", threads] => serve(threads.parse()?, false),
        [file, threads, seconds] => measure(&std::fs::read(file)?, threads.parse()?, seconds.parse()?),
        _ => Err("usage: library_speed PAGE THREADS SECONDS | serve THREADS | sockets THREADS".into()),
    }
}

fn measure(page: &[u8], threads: usize, seconds: f64) -> Result<(), Box<dyn Error>> {
    println!("{}", record(&mut PageReader::new(PageOptions::default()), page));
    let start = Instant::now();
    let until = start + Duration::try_from_secs_f64(seconds)?;
    let count = || {
        let mut reader = PageReader::new(PageOptions::default());
        let mut pages = 0_u64;
        while Instant::now() < until {
            black_box(record(&mut reader, black_box(page)));
            pages += 1;
        }
        pages
    };
    let pages: u64 = std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(count)).collect();
        running.into_iter().map(|thread| thread.join().unwrap_or_default()).sum()
    });
    println!("{pages} {}", start.elapsed().as_secs_f64());
    Ok(())
}

/// The answer to a request without parameters.
fn record(reader: &mut PageReader, bytes: &[u8]) -> String {
    let page = reader.read(bytes);
    let options = RecordOptions::default();
    let content = page.extract_with(&ExtractOptions::default().explain(options.needs_reasons()));
    let record = PageRecord::new(&page, &content, &options.id("")).to_json();
    reader.recycle(page);
    record
}

/// Answers all requests on a port of the loopback address.
fn serve(threads: usize, with_library: bool) -> Result<(), Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        eprintln!("open http://{}/", listener.local_addr()?);
        loop {
            let (stream, _) = listener.accept().await?;
            stream.set_nodelay(true)?;
            tokio::spawn(connection(stream, with_library));
        }
    })
}

async fn connection(stream: TcpStream, with_library: bool) -> Result<(), IoError> {
    thread_local! {
        static READER: RefCell<PageReader> = RefCell::new(PageReader::new(PageOptions::default()));
    }
    let (mut buffer, mut have) = (vec![0; 1 << 20], 0);
    loop {
        match stream.try_read(&mut buffer[have..]) {
            Ok(0) => return Ok(()),
            Ok(count) => have += count,
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                stream.readable().await?;
                continue;
            }
            Err(error) => return Err(error),
        }
        let Some(body) = body(&buffer[..have]) else { continue };
        let body = if with_library { READER.with_borrow_mut(|reader| record(reader, body)) } else { "x".repeat(2814) };
        let answer = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        let mut written = 0;
        while written < answer.len() {
            match stream.try_write(&answer.as_bytes()[written..]) {
                Ok(count) => written += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => stream.writable().await?,
                Err(error) => return Err(error),
            }
        }
        have = 0;
        // The next request cannot have arrived yet: its client waits for this answer.
        stream.readable().await?;
    }
}

/// The body of a request with a Content-Length, once it is complete.
fn body(request: &[u8]) -> Option<&[u8]> {
    let end = request.windows(4).position(|bytes| bytes == b"\r\n\r\n")? + 4;
    let head = std::str::from_utf8(&request[..end]).ok()?;
    let lengths =
        head.lines().filter_map(|line| line.split_once(": ")).filter(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let length: usize = lengths.map(|(_, value)| value).next()?.parse().ok()?;
    request.get(end..end + length)
}

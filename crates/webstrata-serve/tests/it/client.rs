//! A server for a test, and a client that can also send malformed requests.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;
use webstrata_serve::{Handle, ServeError, ServeOptions, Server};

/// A server that stops with the test.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    handle: Handle,
    thread: Option<std::thread::JoinHandle<Result<(), ServeError>>>,
}

impl Running {
    pub(crate) fn new(options: ServeOptions) -> Running {
        let server = Server::bind(ServeOptions { port: 0, threads: 2, ..options }).unwrap();
        let (address, handle) = (server.address(), server.handle());
        let thread = Some(std::thread::spawn(move || server.run()));
        Running { address, handle, thread }
    }

    pub(crate) fn usual() -> Running {
        Running::new(ServeOptions::default())
    }

    /// Stops it and waits.
    pub(crate) fn stop(&mut self) {
        self.handle.stop();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap().unwrap();
        }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream
    }

    /// Sends bytes as they are and reads the answer.
    pub(crate) fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = self.connect();
        let _ = stream.write_all(request); // the server may have answered and closed before all is sent
        answer(&mut stream)
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.request("GET", path, &[], b"")
    }

    pub(crate) fn post(&self, path: &str, body: impl AsRef<[u8]>) -> Answer {
        self.request("POST", path, &[("content-type", "text/html")], body.as_ref())
    }

    pub(crate) fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-length: {}\r\n",
            self.address,
            body.len()
        );
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        self.raw(&[head.as_bytes(), b"\r\n", body].concat())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop();
    }
}

#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {} {}", self.head, self.text()))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        found.filter(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
    }
}

/// Reads an answer to the end of the connection, or of its body if it has a length.
pub(crate) fn answer(stream: &mut TcpStream) -> Answer {
    let mut bytes = Vec::new();
    let mut buffer = [0; 64 << 10];
    loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..at]).into_owned();
            let length = head
                .lines()
                .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ").and_then(|n| n.parse::<usize>().ok()));
            let length = if head.starts_with("HTTP/1.1 304") { Some(0) } else { length };
            if let Some(length) = length.filter(|length| bytes.len() >= at + 4 + length) {
                let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
                return Answer { status, head, body: bytes[at + 4..at + 4 + length].to_vec() };
            }
        }
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return Answer::default(), // closed without a whole answer
            Ok(count) => bytes.extend_from_slice(&buffer[..count]),
        }
    }
}

//! The subset of HTTP/1.1 needed for one browser on the same machine: one request per connection, bounded in size and time.

use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

/// Maximum size of the request line and headers.
pub const MAX_HEAD: usize = 16 << 10;
/// Maximum size of a body.
pub const MAX_BODY: usize = 8 << 20;
/// Maximum number of headers.
const MAX_HEADERS: usize = 64;
/// Time limit for receiving a request.
pub const DEADLINE: Duration = Duration::from_secs(20);

/// A request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The method, such as `GET`.
    pub method: String,
    /// The path, with the query if there is one.
    pub path: String,
    /// Header names in lower case, and values.
    headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Request {
    /// The value of a header, if it occurs exactly once.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|header| header.0 == name).map(|header| header.1.as_str());
        values.next().filter(|_| values.next().is_none())
    }

    /// Whether a header occurs.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.headers.iter().any(|header| header.0 == name)
    }
}

/// A response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The media type.
    pub kind: &'static str,
    /// The body.
    pub body: Vec<u8>,
}

impl Response {
    /// A plain-text response with a status.
    #[must_use]
    pub fn text(status: u16, text: &str) -> Self {
        Response { status, kind: "text/plain; charset=utf-8", body: format!("{text}\n").into_bytes() }
    }
}

/// Reads a request.
///
/// ```
/// use webstrata_lab::annotate::http::read;
/// let request = read(&mut &b"POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi"[..]).unwrap();
/// assert_eq!((request.method.as_str(), request.path.as_str(), request.header("host")), ("POST", "/x", Some("a")));
/// assert_eq!(request.body, b"hi");
/// ```
///
/// # Errors
/// Returns the response to a request that is malformed or too large; `None` if the connection ended or timed out.
pub fn read(from: &mut impl Read) -> Result<Request, Option<Response>> {
    let started = Instant::now();
    let mut bytes = Vec::new();
    let (mut request, head) = loop {
        if let Some(parsed) = parse(&bytes)? {
            break parsed;
        }
        if bytes.len() > MAX_HEAD {
            return Err(Some(Response::text(431, "the headers are too long")));
        }
        more(from, &mut bytes, started)?;
    };
    let refused = |status, text: &str| Err(Some(Response::text(status, text)));
    if request.has("transfer-encoding") {
        return refused(411, "the length of the body is missing");
    }
    let length = match (request.has("content-length"), request.header("content-length").map(str::parse::<usize>)) {
        (false, _) => 0,
        (true, Some(Ok(length))) => length,
        (true, _) => return refused(400, "the length of the body is not a number"),
    };
    if length > MAX_BODY {
        return refused(413, "the body is too long");
    }
    bytes.drain(..head);
    while bytes.len() < length {
        more(from, &mut bytes, started)?;
    }
    bytes.truncate(length);
    request.body = bytes;
    Ok(request)
}

/// Parses the request line and the headers, and returns them with their length; `None` if they are incomplete.
fn parse(bytes: &[u8]) -> Result<Option<(Request, usize)>, Option<Response>> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let bad = |_| Some(Response::text(400, "not an HTTP request"));
    let httparse::Status::Complete(end) = request.parse(bytes).map_err(bad)? else { return Ok(None) };
    let text = |value: &[u8]| String::from_utf8_lossy(value).trim().to_owned();
    let headers = request.headers.iter().map(|header| (header.name.to_ascii_lowercase(), text(header.value))).collect();
    let (method, path) = (request.method.unwrap_or_default().to_owned(), request.path.unwrap_or_default().to_owned());
    Ok(Some((Request { method, path, headers, body: Vec::new() }, end)))
}

/// Reads the bytes that have arrived.
fn more(from: &mut impl Read, bytes: &mut Vec<u8>, started: Instant) -> Result<(), Option<Response>> {
    let mut buffer = [0; 8 << 10];
    loop {
        if started.elapsed() > DEADLINE {
            return Err(None);
        }
        match from.read(&mut buffer) {
            Ok(0) => return Err(None),
            Ok(read) => {
                bytes.extend_from_slice(&buffer[..read]);
                return Ok(());
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return Err(None),
        }
    }
}

/// Writes a response and announces the end of the connection. The headers tell the browser to run only scripts and styles of this
/// server, to contact no other server, not to show the page in another page's frame, and to send no referrer.
///
/// # Errors
/// If the connection was closed.
pub fn write(to: &mut impl Write, response: &Response) -> io::Result<()> {
    let reason = match response.status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        409 => "Conflict",
        411 => "Length Required",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    };
    let head = format!(
        "HTTP/1.1 {} {reason}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: no-store\r\n\
         Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\
         X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n\r\n",
        response.status,
        response.kind,
        response.body.len()
    );
    to.write_all(head.as_bytes())?;
    to.write_all(&response.body)?;
    to.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(request: &[u8]) -> Option<u16> {
        read(&mut &*request).unwrap_err().map(|response| response.status)
    }

    #[test]
    fn bad_requests_are_refused() {
        assert_eq!(status(b"\x16\x03\x01 hello"), Some(400));
        assert_eq!(status(b"GET / HTTP/1.1\r\nHost : a\r\n\r\n"), Some(400));
        assert_eq!(status(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), Some(411));
        assert_eq!(status(b"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n"), Some(400));
        assert_eq!(status(b"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"), Some(400));
        assert_eq!(status(b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"), Some(400));
        assert_eq!(status(format!("POST / HTTP/1.1\r\nContent-Length: {}\r\n\r\n", MAX_BODY + 1).as_bytes()), Some(413));
        assert_eq!(status(b"POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n"), Some(400));
        assert_eq!(status(format!("GET /{} HTTP/1.1\r\n", "x".repeat(MAX_HEAD + 9000)).as_bytes()), Some(431));
        let many = "A: b\r\n".repeat(MAX_HEADERS + 1);
        assert_eq!(status(format!("GET / HTTP/1.1\r\n{many}\r\n").as_bytes()), Some(400));
        // Connections that end early get no response.
        assert_eq!(status(b""), None);
        assert_eq!(status(b"GET / HT"), None);
        assert_eq!(status(b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nab"), None);
    }

    #[test]
    fn a_request_may_arrive_byte_by_byte() {
        struct Slow<'a>(&'a [u8]);
        impl Read for Slow<'_> {
            fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
                let Some((first, rest)) = self.0.split_first() else { return Ok(0) };
                (to[0], self.0) = (*first, rest);
                Ok(1)
            }
        }
        let request = read(&mut Slow(b"PUT /a?b HTTP/1.1\r\nORIGIN: x\r\norigin: y\r\nContent-Length: 3\r\n\r\nabcrest")).unwrap();
        assert_eq!((request.path.as_str(), request.body.as_slice()), ("/a?b", b"abc".as_slice()));
        // A header that must occur once has no value if it occurs twice.
        assert!(request.has("origin") && request.header("origin").is_none());
    }
}

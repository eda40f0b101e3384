//! The annotation server: access checks and responses.
//!
//! It listens on 127.0.0.1 only. All its addresses start with a random token, so other users of the machine and other pages in the
//! browser cannot guess them. The `Host` header must name this server; otherwise another site could reach it by pointing its own name
//! to 127.0.0.1 (DNS rebinding). Writing also requires the `Origin` of this server, which browsers do not let other pages forge.

use super::folder::{Annotator, Folder, FolderError, PageFile};
use super::http::{self, DEADLINE, Request, Response};
use super::marks::{Annotation, Change, Refused, Start, page_types};
use serde_json::{Value, json};
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use webstrata::Page;
use webstrata::block::{Block, Context};
use webstrata::html::Facts;
use webstrata::label::Role;

/// Maximum number of open connections; a browser opens about six.
const MAX_CONNECTIONS: usize = 32;
/// Length of the token in bytes.
const TOKEN: usize = 16;
const HTML: &str = include_str!("page.html");
const SCRIPT: &str = include_str!("page.js");
const STYLE: &str = include_str!("page.css");
const JSON: &str = "application/json";

/// Why the server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The port is in use, or not permitted.
    #[error("cannot listen on 127.0.0.1, port {port}")]
    Listen {
        /// The port.
        port: u16,
        /// The underlying error.
        source: io::Error,
    },
    /// The system provides no random numbers.
    #[error("cannot get random numbers from the system: {0}")]
    Random(String),
    /// The folder cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
}

/// Serves the pages of a folder to one annotator.
#[derive(Debug)]
pub struct Server {
    folder: Folder,
    annotator: String,
    start: Start,
    token: String,
    listener: TcpListener,
    address: SocketAddr,
    /// Held while a page is read, changed and saved.
    saving: Mutex<()>,
    connections: AtomicUsize,
}

impl Server {
    /// Binds to a port; port 0 means any free one.
    ///
    /// # Errors
    /// If the port is taken, or the annotator's name is invalid.
    pub fn bind(folder: Folder, annotator: &str, start: Start, port: u16) -> Result<Server, ServerError> {
        folder.annotator(annotator)?;
        let listen = |source| ServerError::Listen { port, source };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let mut bytes = [0; TOKEN];
        getrandom::fill(&mut bytes).map_err(|error| ServerError::Random(error.to_string()))?;
        let token = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Server {
            folder,
            annotator: annotator.to_owned(),
            start,
            token,
            listener,
            address,
            saving: Mutex::new(()),
            connections: AtomicUsize::new(0),
        })
    }

    /// The address to open in a browser.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/{}/", self.address, self.token)
    }

    /// The address it listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves requests until the process ends.
    pub fn run(&self) {
        std::thread::scope(|scope| {
            for stream in self.listener.incoming().flatten() {
                let open = self.connections.fetch_add(1, Ordering::SeqCst);
                scope.spawn(move || {
                    self.serve(stream, open >= MAX_CONNECTIONS);
                    self.connections.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
    }

    fn serve(&self, mut stream: TcpStream, too_many: bool) {
        if stream.set_read_timeout(Some(DEADLINE)).is_err() || stream.set_write_timeout(Some(DEADLINE)).is_err() {
            return;
        }
        let response = if too_many {
            Response::text(503, "too many connections")
        } else {
            match http::read(&mut stream) {
                Ok(request) => self.answer(&request),
                Err(Some(response)) => response,
                Err(None) => return,
            }
        };
        // If this fails, the client has disconnected, and there is nobody to report it to.
        let _ = http::write(&mut stream, &response);
    }

    /// The response to a request.
    fn answer(&self, request: &Request) -> Response {
        if let Err(why) = self.check(request) {
            return Response::text(403, why);
        }
        let Some(path) = self.below_token(&request.path) else { return Response::text(404, "not found") };
        let page = path.strip_prefix("page/").and_then(|number| self.page(number));
        match (request.method.as_str(), path, page) {
            ("GET", "", _) => Response { status: 200, kind: "text/html; charset=utf-8", body: HTML.into() },
            ("GET", "page.js", _) => Response { status: 200, kind: "text/javascript; charset=utf-8", body: SCRIPT.into() },
            ("GET", "page.css", _) => Response { status: 200, kind: "text/css; charset=utf-8", body: STYLE.into() },
            ("GET", "pages", _) => done(self.pages()),
            ("GET", _, Some(page)) => done(self.show(page)),
            ("POST", _, Some(page)) if request.header("content-type") == Some(JSON) => done(self.change(page, &request.body)),
            ("POST", _, Some(_)) => Response::text(415, "send JSON"),
            (_, _, Some(_)) | (_, "" | "page.js" | "page.css" | "pages", _) => Response::text(405, "not allowed"),
            _ => Response::text(404, "not found"),
        }
    }

    /// Whether the request is meant for this server and comes from its own page.
    fn check(&self, request: &Request) -> Result<(), &'static str> {
        let port = self.address.port();
        let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        let host = request.header("host").ok_or("no Host")?;
        if !own.iter().any(|own| own == host) {
            return Err("the Host header does not name this server");
        }
        let origin = request.header("origin");
        let is_own = origin.is_some_and(|origin| origin.strip_prefix("http://") == Some(host));
        if (request.has("origin") || request.method != "GET") && !is_own {
            return Err("requests of other sites are not answered");
        }
        match request.header("sec-fetch-site") {
            None | Some("same-origin" | "none") => Ok(()),
            Some(_) => Err("requests of other sites are not answered"),
        }
    }

    /// The rest of a path that starts with the token. Compares in constant time.
    fn below_token<'r>(&self, path: &'r str) -> Option<&'r str> {
        let (token, rest) = path.strip_prefix('/')?.split_once('/')?;
        let differs = token.bytes().zip(self.token.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
        (token.len() == self.token.len() && differs == 0).then_some(rest)
    }

    fn page(&self, number: &str) -> Option<&PageFile> {
        let plain = !number.is_empty() && number.len() < 9 && number.bytes().all(|byte| byte.is_ascii_digit());
        self.folder.pages().get(plain.then(|| number.parse::<usize>().ok())??)
    }

    fn annotator(&self) -> Result<Annotator<'_>, FolderError> {
        self.folder.annotator(&self.annotator)
    }

    /// The list of pages, and the available choices.
    fn pages(&self) -> Result<Value, Failed> {
        let annotator = self.annotator()?;
        let page = |page: &PageFile| {
            let saved = annotator.saved(page);
            let state = match &saved {
                Ok(None) => "new",
                Ok(Some(marks)) if marks.done => "done",
                Ok(Some(_)) => "begun",
                Err(_) => "unreadable",
            };
            json!({ "id": page.id, "state": state })
        };
        // `.` has no file name.
        let root = self.folder.root().canonicalize().unwrap_or_default();
        let folder = root.file_name().unwrap_or_default().to_string_lossy();
        Ok(json!({
            "folder": folder, "annotator": self.annotator,
            "start": self.start, "roles": Role::ALL.map(Role::name), "page_types": page_types().collect::<Vec<_>>(),
            "pages": self.folder.pages().iter().map(page).collect::<Vec<_>>(),
        }))
    }

    /// The blocks of a page with their marks.
    fn show(&self, file: &PageFile) -> Result<Value, Failed> {
        let html = file.read()?;
        let marks = self.annotator()?.load(file, &html, self.start)?;
        let page = Page::parse(&html);
        let blocks: Vec<Value> = page.blocks().iter().zip(&marks.blocks).map(|(block, marks)| block_json(block, marks)).collect();
        Ok(json!({
            "id": file.id, "title": page.title(), "start": marks.start, "version": marks.version, "done": marks.done,
            "page_type": marks.page_type, "sure": marks.sure, "note": marks.note, "blocks": blocks,
        }))
    }

    /// Applies a change to the marks of a page and saves them.
    fn change(&self, file: &PageFile, body: &[u8]) -> Result<Value, Failed> {
        let change: Change = serde_json::from_slice(body).map_err(|error| Failed(400, format!("not a change: {error}")))?;
        let annotator = self.annotator()?;
        let html = file.read()?;
        let _saving = self.saving.lock().unwrap_or_else(PoisonError::into_inner);
        let mut marks: Annotation = annotator.load(file, &html, self.start)?;
        marks
            .apply(change)
            .map_err(|error| Failed(if matches!(error, Refused::Outdated { .. }) { 409 } else { 400 }, error.to_string()))?;
        annotator.save(file, &marks)?;
        Ok(json!({ "version": marks.version, "state": if marks.done { "done" } else { "begun" } }))
    }
}

/// A block as the browser shows it.
fn block_json(block: Block<'_>, marks: &super::marks::BlockMarks) -> Value {
    let context = block.context();
    let kinds = [
        (Context::HEADING, "heading"),
        (Context::PRE, "code"),
        (Context::CAPTION, "caption"),
        (Context::CONTROL, "control"),
        (Context::LIST, "list"),
        (Context::CELL, "cell"),
    ];
    let kind = kinds.iter().find(|(bits, _)| context.intersects(*bits)).map_or("text", |(_, kind)| kind);
    // Only the last tags: on a deep page, the whole paths of all blocks could be longer than the page.
    let mut tags: Vec<String> =
        std::iter::successors(Some(block.node()), |node| node.parent()).take(4).map(|node| node.name().into()).collect();
    tags.reverse();
    let hidden = Facts::HIDDEN.union(Facts::ARIA_HIDDEN).union(Facts::DISPLAY_NONE);
    json!({
        "text": block.text(), "kind": kind, "path": tags.join(" › "), "words": block.counts().words, "links": block.counts().link_words,
        "hidden": block.facts().intersects(hidden), "content": marks.content, "role": marks.role, "cut": marks.cut,
    })
}

/// A status and a message.
struct Failed(u16, String);

impl From<FolderError> for Failed {
    fn from(error: FolderError) -> Self {
        let mut text = error.to_string();
        let mut cause = std::error::Error::source(&error);
        while let Some(error) = cause {
            text = format!("{text}: {error}");
            cause = error.source();
        }
        Failed(500, text)
    }
}

fn done(result: Result<Value, Failed>) -> Response {
    match result {
        Ok(value) => Response { status: 200, kind: JSON, body: value.to_string().into_bytes() },
        Err(Failed(status, why)) => Response::text(status, &why),
    }
}

//! Around every request: its id, its line in the log, its place in the metrics, and whether it is answered at all.

use super::error::ApiError;
use super::headers::secure;
use crate::state::App;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a refusal takes.
const REFUSAL: Duration = Duration::from_millis(200);

/// The address of the client, set by the server for each connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// A line of the request log. It prints as `id=… client=… method=… path=… status=… ms=…`; the path is without its query, which may
/// have addresses of private pages.
#[derive(Debug)]
pub struct LogLine<'a> {
    /// The id, as the answer has it in `X-Request-Id`.
    pub id: &'a str,
    /// Who asked.
    pub client: SocketAddr,
    /// The method.
    pub method: &'a str,
    /// The path, without the query.
    pub path: &'a str,
    /// Status of the answer.
    pub status: u16,
    /// Time until the answer began.
    pub time: Duration,
}

impl std::fmt::Display for LogLine<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let LogLine { id, client, method, path, status, time } = self;
        // A path is visible ASCII by the rules of URIs; the filter makes sure that it stays on its line.
        let path: String = path.chars().filter(char::is_ascii_graphic).take(200).collect();
        write!(f, "id={id} client={client} method={method} path={path} status={status} ms={:.1}", time.as_secs_f64() * 1000.0)
    }
}

/// The outermost layer.
pub(crate) async fn around(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let id = app.ids.next();
    let client = request.extensions().get::<Peer>().map_or_else(|| SocketAddr::from(([0, 0, 0, 0], 0)), |peer| peer.0);
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let route = request.extensions().get::<MatchedPath>().cloned();
    let mut response = match may_ask(&app, client, &method, &uri, request.headers()) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    if matches!(response.status(), StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) {
        // Clients that try again at once would otherwise take the processor from those that are being answered.
        tokio::time::sleep(REFUSAL).await;
    }
    secure(response.headers_mut());
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert("x-request-id", value);
    }
    let (status, time) = (response.status().as_u16(), start.elapsed());
    app.metrics.answered(route.as_ref().map_or("other", MatchedPath::as_str), status, time);
    if let Some(log) = &app.options.log {
        log(&LogLine { id: &id, client, method: method.as_str(), path: uri.path(), status, time });
    }
    response
}

fn may_ask(app: &App, client: SocketAddr, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), ApiError> {
    if !app.rate.allows(client.ip(), headers) {
        return Err(ApiError::TooMany);
    }
    let signs_in = method == Method::GET && uri.path() == "/" && uri.query().is_some_and(|query| query.starts_with("token="));
    if signs_in { Ok(()) } else { app.access.check(method, uri, headers) }
}

/// Ids of requests: a random number for the process and a count.
#[derive(Debug)]
pub(crate) struct Ids {
    start: u32,
    count: std::sync::atomic::AtomicU64,
}

impl Ids {
    pub(crate) fn new() -> Result<Self, getrandom::Error> {
        Ok(Ids { start: getrandom::u32()?, count: 0.into() })
    }

    fn next(&self) -> String {
        let count = self.count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        format!("{:08x}-{count:06}", self.start)
    }
}

//! Wraps every request: assigns its id, checks access, and records it in the log and the metrics.

use super::error::ApiError;
use super::headers::{REQUEST_ID, secure};
use crate::api::Routes;
use crate::state::App;
use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use std::future::{Future as _, poll_fn};
use std::net::SocketAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;
use std::time::{Duration, Instant};
use tower::Service as _;

/// Delay before a refusal.
const REFUSAL: Duration = Duration::from_millis(200);

/// A line of the request log. It prints as `id=… client=… method=… path=… status=… ms=…`; the path is without its query, which may
/// contain addresses of private pages.
#[derive(Debug)]
pub struct LogLine<'a> {
    /// The id, which the response has in `X-Request-Id`.
    pub id: &'a str,
    /// The client.
    pub client: SocketAddr,
    /// The method.
    pub method: &'a str,
    /// The path, without the query.
    pub path: &'a str,
    /// Status of the response.
    pub status: u16,
    /// Time until the response began.
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

/// Answers a request. A function and not a layer of the router: each layer costs a short request several allocations.
pub(crate) async fn around(app: &App, routes: &Routes, client: SocketAddr, request: Request) -> Response {
    let start = Instant::now();
    let id = app.ids.next();
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let mut response = match may_ask(app, client, &method, &uri, request.headers()) {
        Ok(()) => caught(routes.router.clone(), request).await,
        Err(error) => error.into_response(),
    };
    if matches!(response.status(), StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) {
        // Clients that retry immediately would otherwise take processor time from those being answered.
        tokio::time::sleep(REFUSAL).await;
    }
    secure(response.headers_mut());
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    let (status, time) = (response.status().as_u16(), start.elapsed());
    app.metrics.answered(routes.name(uri.path()), status, time);
    if let Some(log) = &app.options.log {
        log(&LogLine { id: &id, client, method: method.as_str(), path: uri.path(), status, time });
    }
    response
}

/// The response of its route. A panic there is a bug, but affects only this request.
async fn caught(mut router: Router, request: Request) -> Response {
    // A router is always ready.
    let mut answer = pin!(async move { router.call(request).await });
    // Everything the request owns is dropped with the future, which is not polled again; it shares no state that a panic could
    // leave inconsistent.
    let poll = poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(context))) {
        Ok(poll) => poll.map(|Ok(response)| response),
        Err(_) => Poll::Ready(ApiError::Internal.into_response()),
    });
    poll.await
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

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use axum::routing::get;

    #[test]
    #[allow(clippy::panic)]
    fn a_panic_becomes_an_error_response() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let router = Router::new().route("/fine", get(|| async { "fine" })).route("/bug", get(|| async { panic!("a bug") as () }));
        for (path, status) in [("/fine", 200), ("/bug", 500), ("/fine", 200)] {
            let request = Request::builder().uri(path).body(Body::empty()).unwrap();
            assert_eq!(runtime.block_on(caught(router.clone(), request)).status(), status, "{path}");
        }
    }
}

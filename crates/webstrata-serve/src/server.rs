//! Connections.
//!
//! HTTP/1.1 with hyper, one task per connection. A connection that sends no complete head in time, or is idle that long, is closed.
//! When there are too many connections, a new one replaces the one that has been idle longest, so thousands of idle connections
//! cannot lock anyone out. On shutdown, requests in progress are answered.

use crate::api::Routes;
use crate::http::log::around;
use crate::metrics::Metrics;
use crate::state::App;
use crate::{ServeError, ServeOptions};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};

/// Time limit for requests in progress at a shutdown.
const GRACE: Duration = Duration::from_secs(10);
/// Maximum size of a request head.
const HEAD: usize = 64 << 10;

/// A listening server.
pub struct Server {
    app: Arc<App>,
    listener: std::net::TcpListener,
    address: SocketAddr,
    stop: watch::Sender<bool>,
}

/// Stops a server from anywhere.
#[derive(Clone, Debug)]
pub struct Handle(watch::Sender<bool>);

impl Handle {
    /// Stops accepting connections; requests in progress are answered.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Server({})", self.address)
    }
}

impl Server {
    /// Opens the data and listens.
    ///
    /// ```
    /// use webstrata_serve::{ServeOptions, Server};
    /// let server = Server::bind(ServeOptions { port: 0, ..ServeOptions::default() })?;
    /// assert!(server.address().ip().is_loopback());
    /// # Ok::<(), webstrata_serve::ServeError>(())
    /// ```
    ///
    /// # Errors
    /// If the options are unsafe, the folder cannot be read, or the address is in use.
    pub fn bind(options: ServeOptions) -> Result<Server, ServeError> {
        let wanted = options.socket();
        let app = App::new(options)?;
        let failed = |source| ServeError::Listen { address: wanted, source };
        let listener = std::net::TcpListener::bind(wanted).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Server { app, listener, address, stop: watch::Sender::new(false) })
    }

    /// The address, with the port that the system chose.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A handle that stops the server.
    #[must_use]
    pub fn handle(&self) -> Handle {
        Handle(self.stop.clone())
    }

    /// Human-readable descriptions of the data shown besides single pages.
    #[must_use]
    pub fn shows(&self) -> Vec<String> {
        self.app.data.summary()
    }

    /// Answers requests until it is stopped.
    ///
    /// # Errors
    /// If threads cannot be started.
    pub fn run(self) -> Result<(), ServeError> {
        let threads = self.app.options.threads.clamp(1, 1024);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            // These threads also process short pages; a second one keeps other connections going.
            .worker_threads(threads.max(2))
            // For large pages, searches and fetches.
            .max_blocking_threads(threads + 64)
            .thread_name("webstrata-serve")
            .enable_all()
            .build()
            .map_err(|error| ServeError::System(error.to_string()))?;
        let result = runtime.block_on(self.accept());
        // Nobody is waiting for pages that are still being processed.
        runtime.shutdown_background();
        result
    }

    async fn accept(self) -> Result<(), ServeError> {
        let address = self.address;
        let listener = TcpListener::from_std(self.listener).map_err(|source| ServeError::Listen { address, source })?;
        let open = Arc::new(Connections::new(self.app.options.max_connections));
        let routes = Arc::new(Routes::new(Arc::clone(&self.app)));
        let mut stopped = self.stop.subscribe();
        loop {
            let (stream, client) = tokio::select! {
                _ = stopped.wait_for(|&stop| stop) => break,
                accepted = listener.accept() => match accepted {
                    Ok(accepted) => accepted,
                    // Out of file descriptors, most likely: some will be closed soon.
                    Err(_) => {
                        open.close_idle(16);
                        tokio::time::sleep(Duration::from_millis(20)).await;
                        continue;
                    }
                },
            };
            let Some(connection) = open.admit(&self.app.metrics) else { continue };
            let _ = stream.set_nodelay(true);
            tokio::spawn(serve(stream, client, Arc::clone(&routes), connection, self.stop.subscribe(), Arc::clone(&self.app)));
        }
        drop(listener);
        let _ = tokio::time::timeout(GRACE, open.all_closed()).await;
        Ok(())
    }
}

async fn serve(
    stream: TcpStream,
    client: SocketAddr,
    routes: Arc<Routes>,
    connection: Connection,
    mut stopped: watch::Receiver<bool>,
    app: Arc<App>,
) {
    app.metrics.connections.fetch_add(1, Relaxed);
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(app.options.idle).max_buf_size(HEAD).half_close(false);
    let state = Arc::clone(&connection.state);
    let service = service_fn(|request: hyper::Request<Incoming>| {
        connection.set_busy(true);
        let (app, routes, connection) = (&app, &routes, &connection);
        async move {
            let response = around(app, routes, client, request.map(axum::body::Body::new)).await;
            connection.set_busy(false);
            Ok::<_, Infallible>(response)
        }
    });
    let mut serving = pin!(builder.serve_connection(TokioIo::new(stream), service));
    let told = tokio::select! {
        _ = serving.as_mut() => false,
        () = state.close.notified() => true,
        _ = stopped.wait_for(|&stop| stop) => true,
    };
    if told {
        serving.as_mut().graceful_shutdown();
        let _ = tokio::time::timeout(app.options.timeout, serving).await;
    }
    app.metrics.connections.fetch_sub(1, Relaxed);
}

/// The open connections, by age.
struct Connections {
    most: usize,
    all: Mutex<BTreeMap<u64, Arc<ConnectionState>>>,
    /// Number of connections and requests so far; serves as a clock.
    clock: AtomicU64,
    closed: Notify,
}

#[derive(Default)]
struct ConnectionState {
    /// When it became idle, in connections and requests so far; 0 while a request is answered.
    idle_since: AtomicU64,
    close: Notify,
}

/// An open connection; dropping it closes it.
struct Connection {
    open: Arc<Connections>,
    number: u64,
    state: Arc<ConnectionState>,
}

impl Connections {
    fn new(most: usize) -> Self {
        Connections { most: most.max(1), all: Mutex::default(), clock: AtomicU64::new(0), closed: Notify::new() }
    }

    /// Admits a new connection, if necessary in place of the one that has been idle longest. `None` if all are busy.
    fn admit(self: &Arc<Self>, metrics: &Metrics) -> Option<Connection> {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= self.most {
            metrics.refused_connections.fetch_add(1, Relaxed);
            let idle = all.iter().map(|(&number, state)| (state.idle_since.load(Relaxed), number));
            let oldest = idle.filter(|&(since, _)| since > 0).min()?.1;
            if let Some(state) = all.remove(&oldest) {
                state.close.notify_one();
            }
        }
        let number = self.tick();
        let state = Arc::new(ConnectionState { idle_since: number.into(), close: Notify::new() });
        all.insert(number, Arc::clone(&state));
        Some(Connection { open: Arc::clone(self), number, state })
    }

    /// The next tick of the clock, from 1.
    fn tick(&self) -> u64 {
        self.clock.fetch_add(1, Relaxed) + 1
    }

    fn close_idle(&self, count: usize) {
        let all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        for state in all.values().filter(|state| state.idle_since.load(Relaxed) > 0).take(count) {
            state.close.notify_one();
        }
    }

    async fn all_closed(&self) {
        loop {
            let closed = self.closed.notified();
            if self.all.lock().unwrap_or_else(PoisonError::into_inner).is_empty() {
                return;
            }
            closed.await;
        }
    }
}

impl Connection {
    fn set_busy(&self, busy: bool) {
        self.state.idle_since.store(if busy { 0 } else { self.open.tick() }, Relaxed);
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.open.all.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.number);
        self.open.closed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_idle_connection_is_evicted() {
        let (open, metrics) = (Arc::new(Connections::new(2)), Metrics::default());
        let (first, second) = (open.admit(&metrics).unwrap(), open.admit(&metrics).unwrap());
        first.set_busy(true);
        first.set_busy(false); // so the second has been idle longer
        let third = open.admit(&metrics).unwrap();
        let numbers: Vec<u64> = open.all.lock().unwrap().keys().copied().collect();
        assert_eq!(numbers, [first.number, third.number]);
        first.set_busy(true);
        third.set_busy(true);
        assert!(open.admit(&metrics).is_none(), "connections with requests are not closed");
        drop((first, second));
        assert!(open.admit(&metrics).is_some());
        assert_eq!(metrics.refused_connections.load(Relaxed), 2);
    }
}

//! `webstrata serve`.

use crate::args::ServeArgs;
use crate::interrupt::Interrupt;
use crate::summary::Summary;
use anyhow::{Context, Result};
use std::sync::Arc;
use std::time::Duration;
use webstrata_corpus::progress::error;
use webstrata_serve::fetch::FetchOptions;
use webstrata_serve::{ServeOptions, Server};

/// Polling interval of the thread that waits for a signal.
const TICK: Duration = Duration::from_millis(50);

/// Serves until a signal arrives.
pub(crate) fn run(args: &ServeArgs) -> Result<Summary> {
    let token = args.token_file.as_deref().map(|file| {
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read the token in {}", file.display()))?;
        anyhow::Ok(text.trim().to_owned())
    });
    let usual = ServeOptions::default();
    let options = ServeOptions {
        address: args.address,
        port: args.port,
        public: args.public,
        token: token.transpose()?,
        hosts: args.host.clone(),
        folder: args.folder.clone(),
        sources: args.sources.clone(),
        fetch: args.allow_fetch.then(|| fetching(args)),
        max_body: args.max_bytes.0,
        max_memory: args.max_memory.0.max(args.max_bytes.0),
        timeout: args.timeout.0.unwrap_or(Duration::from_secs(24 * 3600)),
        threads: if args.threads == 0 { usual.threads } else { args.threads.into() },
        queue: args.queue.into(),
        rate: args.rate,
        behind_proxy: args.behind_proxy,
        max_connections: args.max_connections as usize,
        log: (!args.quiet).then(|| Arc::new(|line: &webstrata_serve::LogLine<'_>| error(&line.to_string())) as _),
        ..usual
    };
    let server = Server::bind(options)?;
    for line in server.shows() {
        error(&line);
    }
    let interrupt = Interrupt::new().context("cannot handle signals")?;
    let (handle, signals) = (server.handle(), interrupt.clone());
    let wait = move || {
        while signals.signal().is_none() {
            std::thread::sleep(TICK);
        }
        handle.stop();
    };
    std::thread::Builder::new().name("signals".into()).spawn(wait).context("cannot start a thread")?;
    error(&format!("open http://{}/", server.address()));
    server.run()?;
    error("stopped");
    Ok(Summary { done: 1, ..Summary::default() })
}

/// Fetch options: a client is waiting for the page, so there is only one attempt.
fn fetching(args: &ServeArgs) -> FetchOptions {
    let usual = FetchOptions::default();
    FetchOptions {
        user_agent: args.user_agent.clone().unwrap_or_else(|| usual.user_agent.clone()),
        retries: 0,
        max_bytes: args.max_bytes.0,
        max_delay: Duration::from_secs(10),
        timeout: Duration::from_secs(15),
        ..usual
    }
}

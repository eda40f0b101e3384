//! Options of `serve`.

use super::values::{ByteSize, Seconds};
use clap::{Args, ValueHint};
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

const HELP: &str = "\
Examples:
  webstrata serve                                      then open http://127.0.0.1:8080/ in a browser
  webstrata serve crawl                                with the tables, index, sites, graph and ranks in crawl/
  webstrata serve crawl --sources warcs                pages of the tables with their HTML, from the files in warcs/
  curl --data-binary @page.html http://127.0.0.1:8080/api/v1/extract
  curl --data-binary @page.html 'http://127.0.0.1:8080/api/v1/segment?method=bf-rulebased'
  curl 'http://127.0.0.1:8080/api/v1/search?q=heavy+rain'
  curl http://127.0.0.1:8080/api/v1/openapi.json       all endpoints with their parameters
  openssl rand -hex 16 > token; webstrata serve --address 0.0.0.0 --public --token-file token

DIR may contain, directly or one folder below: tables (`webstrata run`), an index (`webstrata index`), site evidence
(`webstrata site`), a link graph (`webstrata graph build`) and ranks (`webstrata rank … --out ranks.tsv`).

By default, the server answers this machine only and fetches nothing; see --public and --allow-fetch. On SIGINT or SIGTERM it
finishes the requests in progress and stops. The request log goes to standard error.

Exit codes: 0 the server was stopped; 2 the command cannot be executed as given.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct ServeArgs {
    /// Folder with data to show besides single pages
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) folder: Option<PathBuf>,
    /// Folder with the files that the run read to make the tables; its pages are then shown with their HTML
    #[arg(long, value_name = "DIR", requires = "folder", value_hint = ValueHint::DirPath)]
    pub(crate) sources: Option<PathBuf>,

    /// Address to listen on
    #[arg(long, value_name = "IP", default_value = "127.0.0.1", help_heading = "Access")]
    pub(crate) address: IpAddr,
    /// Port to listen on; 0 for any
    #[arg(long, value_name = "PORT", default_value_t = 8080, help_heading = "Access")]
    pub(crate) port: u16,
    /// Listen on an address that other machines can reach; needs a token
    #[arg(long, requires = "token_file", help_heading = "Access")]
    pub(crate) public: bool,
    /// File with the token that requests must present; browsers open /?token=TOKEN once
    #[arg(long, value_name = "FILE", help_heading = "Access", value_hint = ValueHint::FilePath)]
    pub(crate) token_file: Option<PathBuf>,
    /// Additional host name by which browsers may address the server without a token
    #[arg(long, value_name = "NAME", help_heading = "Access")]
    pub(crate) host: Vec<String>,
    /// Take the addresses of clients from X-Forwarded-For: for a server behind a reverse proxy
    #[arg(long, help_heading = "Access")]
    pub(crate) behind_proxy: bool,

    /// Fetch pages from the Web on request; never from private, loopback or link-local addresses
    #[arg(long, help_heading = "Fetching")]
    pub(crate) allow_fetch: bool,
    /// User-Agent to send when fetching; include a way to contact you
    #[arg(long, value_name = "NAME", requires = "allow_fetch", help_heading = "Fetching")]
    pub(crate) user_agent: Option<String>,

    /// Maximum size of a page
    #[arg(long, value_name = "SIZE", default_value_t = ByteSize(16 << 20), help_heading = "Limits")]
    pub(crate) max_bytes: ByteSize,
    /// Memory for the pages of all requests in progress
    #[arg(long, value_name = "SIZE", default_value_t = ByteSize(256 << 20), help_heading = "Limits")]
    pub(crate) max_memory: ByteSize,
    /// Time limit per request in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = Seconds(Some(Duration::from_secs(30))), help_heading = "Limits")]
    pub(crate) timeout: Seconds,
    /// Maximum requests per second per client, with bursts of twice as many; 0 = no limit [default: 50; no limit for this machine]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) rate: Option<u32>,
    /// Number of pages processed at the same time; 0 = one per core
    #[arg(long, default_value_t = 0, value_name = "N", help_heading = "Limits", value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(crate) threads: u16,
    /// Maximum number of pages waiting for a thread; further requests are refused with status 503
    #[arg(long, value_name = "N", default_value_t = 64, help_heading = "Limits")]
    pub(crate) queue: u16,
    /// Maximum number of connections; beyond it, those idle longest are closed
    #[arg(long, value_name = "N", default_value_t = 512, help_heading = "Limits", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) max_connections: u32,

    /// Do not write a request log
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

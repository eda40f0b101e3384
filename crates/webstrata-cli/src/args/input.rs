//! Input options of every command that reads pages.

use super::limits::LimitArgs;
use anyhow::{Result, bail};
use clap::{Args, ValueHint};
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use webstrata::PageOptions;
use webstrata_corpus::input::{InputOptions, STDIN, Sources, encoding};

#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// Files, folders, quoted patterns such as 'crawl/**/*.html', or `-` for standard input
    ///
    /// HTML pages, WARC files (.warc), JSON Lines (.jsonl, .ndjson) and Parquet files (.parquet) with a column of pages, plain or
    /// compressed (.gz, .zst). Without PATH, standard input is read if it is not a terminal. Folders are read recursively, in byte
    /// order of file names; symbolic links in them are not followed. `webstrata extract` also takes addresses (https://…) and
    /// fetches them.
    #[arg(value_name = "PATH", help_heading = "Input", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,
    /// Read file names from a list, separated by newlines or NUL; `-` is standard input
    ///
    /// A line is FILE, FILE<TAB>URL or {"file": …, "url": …}, where URL is the address of the page. Pages are not fetched.
    #[arg(long, value_name = "FILE|-", help_heading = "Input", value_hint = ValueHint::FilePath)]
    pub(crate) files_from: Option<PathBuf>,
    /// Extensions of the files to read from folders [default: html, htm, xhtml, xht, shtml, warc, jsonl, ndjson, parquet]
    #[arg(long, value_name = "EXT,…", value_delimiter = ',', help_heading = "Input")]
    pub(crate) ext: Vec<String>,
    /// Column or field of Parquet and JSON Lines files that contains the page
    #[arg(long, value_name = "NAME", default_value = "html", help_heading = "Input")]
    pub(crate) html_column: String,
    /// Column or field that contains the page's address; may be missing
    #[arg(long, value_name = "NAME", default_value = "url", help_heading = "Input")]
    pub(crate) url_column: String,
    /// Column or field that contains the page's date; may be missing
    #[arg(long, value_name = "NAME", default_value = "date", help_heading = "Input")]
    pub(crate) date_column: String,
    /// Read WARC responses with any HTTP status, not only 200 to 299
    #[arg(long, help_heading = "Input")]
    pub(crate) any_status: bool,
    /// Encoding of all pages (a label such as utf-8 or shift_jis), overriding what they declare
    #[arg(long, value_name = "LABEL", help_heading = "Input")]
    pub(crate) encoding: Option<String>,
    /// Include the text of noscript elements
    #[arg(long, help_heading = "Input")]
    pub(crate) noscript: bool,
}

impl InputArgs {
    /// The files to read.
    pub(crate) fn sources(&self) -> Result<Sources> {
        Ok(Sources::new(self.paths()?)?.with_list(self.files_from.clone())?.with_extensions(&self.ext))
    }

    /// The paths, or standard input if there are none.
    pub(crate) fn paths(&self) -> Result<Vec<PathBuf>> {
        if !self.paths.is_empty() || self.files_from.is_some() {
            return Ok(self.paths.clone());
        }
        if io::stdin().is_terminal() {
            let addresses = if cfg!(feature = "serve") { " (for `extract`, also addresses)" } else { "" };
            bail!("no input; name files or folders{addresses}, give a list with --files-from, or pipe a page into the command");
        }
        Ok(vec![STDIN.into()])
    }

    /// How files are read.
    pub(crate) fn options(&self, limits: &LimitArgs) -> InputOptions {
        InputOptions {
            max_bytes: limits.max_bytes.0 as u64,
            html_column: self.html_column.clone(),
            url_column: self.url_column.clone(),
            date_column: self.date_column.clone(),
            any_status: self.any_status,
        }
    }

    /// How pages are parsed.
    pub(crate) fn page_options(&self, limits: &LimitArgs) -> Result<PageOptions> {
        let encoding = self.encoding.as_deref().map(encoding).transpose()?;
        Ok(PageOptions::default().limits(limits.limits()).noscript(self.noscript).encoding(encoding))
    }
}

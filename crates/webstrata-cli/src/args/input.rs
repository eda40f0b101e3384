//! The input of every command that reads pages.

use super::limits::LimitArgs;
use anyhow::{Result, anyhow, bail};
use clap::{Args, ValueHint};
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use webstrata::PageOptions;
use webstrata_corpus::input::{InputOptions, STDIN, Sources};

/// Encodings of the Web, by their names in the WHATWG Encoding standard.
const ENCODINGS: &str = "UTF-8 IBM866 ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8 \
ISO-8859-8-I ISO-8859-10 ISO-8859-13 ISO-8859-14 ISO-8859-15 ISO-8859-16 KOI8-R KOI8-U macintosh windows-874 windows-1250 \
windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 x-mac-cyrillic GBK \
gb18030 Big5 EUC-JP ISO-2022-JP Shift_JIS EUC-KR UTF-16BE UTF-16LE x-user-defined";

#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// Files, folders, quoted patterns such as 'crawl/**/*.html', or `-` for standard input
    ///
    /// HTML pages, WARC files (.warc), JSON Lines (.jsonl, .ndjson) and Parquet files (.parquet) with a column of pages, plain or
    /// compressed (.gz, .zst). Without PATH, standard input is read if it is not a terminal. Folders are searched at any depth, in
    /// the byte order of their file names; symbolic links in them are not followed.
    #[arg(value_name = "PATH", help_heading = "Input", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,
    /// Read file names from a list, separated by newlines or NUL; `-` is standard input
    ///
    /// A line is FILE, FILE<TAB>URL or {"file": …, "url": …}, where URL is the address of the page. Pages are not fetched.
    #[arg(long, value_name = "FILE|-", help_heading = "Input", value_hint = ValueHint::FilePath)]
    pub(crate) files_from: Option<PathBuf>,
    /// Extensions of the files that are read from folders [default: html, htm, xhtml, xht, shtml, warc, jsonl, ndjson, parquet]
    #[arg(long, value_name = "EXT,…", value_delimiter = ',', help_heading = "Input")]
    pub(crate) ext: Vec<String>,
    /// Column or field of Parquet and JSON Lines files that contains the page
    #[arg(long, value_name = "NAME", default_value = "html", help_heading = "Input")]
    pub(crate) html_column: String,
    /// Column or field that contains its address; it may be missing
    #[arg(long, value_name = "NAME", default_value = "url", help_heading = "Input")]
    pub(crate) url_column: String,
    /// Column or field that contains its date; it may be missing
    #[arg(long, value_name = "NAME", default_value = "date", help_heading = "Input")]
    pub(crate) date_column: String,
    /// Read WARC responses with any HTTP status, not only 200 to 299
    #[arg(long, help_heading = "Input")]
    pub(crate) any_status: bool,
    /// Encoding of all pages (a label such as utf-8 or shift_jis), whatever they declare
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
            bail!("no input; name files or folders, give a list with --files-from, or pipe a page into the command");
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
        let label = |label: &String| {
            encoding_rs::Encoding::for_label_no_replacement(label.as_bytes()).ok_or_else(|| {
                let names = ENCODINGS.replace(' ', ", ");
                anyhow!("unknown encoding '{label}'; choose one of: {names} (or another label that the Web has for one of them)")
            })
        };
        let encoding = self.encoding.as_ref().map(label).transpose()?;
        Ok(PageOptions::default().limits(limits.limits()).noscript(self.noscript).encoding(encoding))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_listed_encodings_exist() {
        for name in ENCODINGS.split(' ') {
            let encoding = encoding_rs::Encoding::for_label_no_replacement(name.as_bytes());
            assert_eq!(encoding.map(encoding_rs::Encoding::name), Some(name));
        }
    }
}

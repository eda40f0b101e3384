//! Edge lists: one link per line, `from<TAB>to` or separated by spaces; numbers or names; `#` starts a comment.

use super::super::assemble::{Assembler, Finish};
use super::super::error::GraphError;
use super::super::file::NamesToWrite;
use super::super::memory::key;
use super::super::numbering::NamedLink;
use super::super::vertex::verbatim_key;
use super::super::{Graph, MAX_PAGES};
use super::lines::Lines;
use super::numbers::Numbers;
use super::{BuildOptions, Counts, Pages, links};
use crate::io::TempDir;
use crate::io::external_sort::ExternalSorter;
use std::path::Path;

/// Links between two calls of `progress`.
const PROGRESS_INTERVAL: u64 = 1 << 20;

/// Splits a line at its tab if it has one, so that names may contain spaces; otherwise at its spaces.
pub(crate) fn fields(lines: &Lines) -> Result<(&[u8], &[u8]), GraphError> {
    let text = lines.text.as_slice();
    let (mut found, mut count) = ([&text[..0]; 2], 0);
    let mut field = |field| {
        if let Some(place) = found.get_mut(count) {
            *place = field;
        }
        count += 1;
    };
    if text.contains(&b'\t') {
        text.split(|&byte| byte == b'\t').map(<[u8]>::trim_ascii).for_each(&mut field);
    } else {
        text.split(u8::is_ascii_whitespace).filter(|part| !part.is_empty()).for_each(&mut field);
    }
    if count != 2 || found.iter().any(|field| field.is_empty()) {
        let reason = format!("{count} fields instead of two; write from<TAB>to, or # before a comment");
        return Err(lines.invalid(reason));
    }
    Ok((found[0], found[1]))
}

/// The name of a page in the current line.
pub(crate) fn page_name<'t>(lines: &Lines, text: &'t [u8]) -> Result<&'t str, GraphError> {
    let text = str::from_utf8(text).map_err(|_| lines.invalid("it is not UTF-8; convert the file"))?;
    if text.bytes().any(|byte| byte < b' ' || byte == 0x7f) || text.len() > super::MAX_NAME_LEN {
        return Err(lines.invalid("a name has a control character or is too long; names are URLs or words"));
    }
    Ok(text)
}

fn number(text: &[u8]) -> Option<u64> {
    let digits = !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    digits.then(|| text.iter().fold(0, |number: u64, digit| number.saturating_mul(10).saturating_add(u64::from(digit - b'0'))))
}

/// Builds a graph from an edge list.
pub(super) fn build<S: Finish>(
    path: &Path,
    sink: impl FnOnce() -> Result<S, GraphError>,
    options: &BuildOptions,
    progress: &mut dyn FnMut(u64) -> bool,
) -> Result<(Graph, Counts), GraphError> {
    let mut lines = Lines::open(path)?;
    if !lines.advance()? {
        return Err(GraphError::Empty(path.to_owned()));
    }
    let (from, to) = fields(&lines)?;
    let numbered = match options.pages {
        Pages::Auto => number(from).is_some() && number(to).is_some(),
        Pages::Numbers | Pages::Count(_) => true,
        Pages::Names => false,
    };
    if numbered { numbers(lines, sink, options, progress) } else { names(lines, path, sink, options, progress) }
}

/// Builds a graph of numbered pages. The first line has been read.
fn numbers<S: Finish>(
    mut lines: Lines,
    sink: impl FnOnce() -> Result<S, GraphError>,
    options: &BuildOptions,
    progress: &mut dyn FnMut(u64) -> bool,
) -> Result<(Graph, Counts), GraphError> {
    let limit = if let Pages::Count(pages) = options.pages { pages as u64 } else { MAX_PAGES as u64 - 1 };
    let mut sorter = ExternalSorter::new(&TempDir::new(&options.temp_dir), options.memory).unique();
    let (mut seen, mut counts) = (Numbers::default(), Counts::default());
    loop {
        let (from, to) = fields(&lines)?;
        let page = |text: &[u8]| match number(text) {
            Some(number) if number < limit => Ok(number as u32),
            Some(number) => {
                let remedy = if matches!(options.pages, Pages::Count(_)) {
                    "choose a larger --pages"
                } else {
                    "number pages from 0, or use --names"
                };
                Err(lines.invalid(format!("page {number} is out of range: pages are numbers below {limit}; {remedy}")))
            }
            None => {
                let text = String::from_utf8_lossy(&text[..text.len().min(80)]).into_owned();
                Err(lines.invalid(format!("{text:?} is not a number like the pages before it; use --names if all are names")))
            }
        };
        let (from, to) = (page(from)?, page(to)?);
        seen.insert(from);
        seen.insert(to);
        sorter.push(key(from, to))?;
        counts.read += 1;
        if counts.read.is_multiple_of(PROGRESS_INTERVAL) && !progress(lines.file_bytes()) {
            return Err(GraphError::Stopped);
        }
        if !lines.advance()? {
            break;
        }
    }
    if let Pages::Count(pages) = options.pages {
        if pages >= MAX_PAGES {
            return Err(GraphError::TooLarge);
        }
        seen = Numbers::all(pages as u32);
    }
    let numbers = seen.ranked();
    let sorted = sorter.finish()?;
    let mut assembler = Assembler::new(numbers.len(), sink()?)?;
    super::assemble(&mut assembler, sorted, |page| numbers.rank(page))?;
    counts.links = assembler.links;
    let gaps = numbers.with_gaps();
    let names = gaps.as_deref().map_or(NamesToWrite::Dense, NamesToWrite::Numbers);
    Ok((S::finish(assembler, None, names)?, counts))
}

/// Builds a graph of named pages. The first line has been read.
fn names<S: Finish>(
    mut lines: Lines,
    path: &Path,
    sink: impl FnOnce() -> Result<S, GraphError>,
    options: &BuildOptions,
    progress: &mut dyn FnMut(u64) -> bool,
) -> Result<(Graph, Counts), GraphError> {
    let (mut first, mut read) = (true, 0u64);
    let mut next = || {
        if !std::mem::take(&mut first) && !lines.advance()? {
            return Ok(None);
        }
        let (from, to) = fields(&lines)?;
        let key = |text| page_name(&lines, text).map(verbatim_key);
        let link = NamedLink { from: key(from)?, to: key(to)?, tag: 0 };
        read += 1;
        if read.is_multiple_of(PROGRESS_INTERVAL) && !progress(lines.file_bytes()) {
            return Err(GraphError::Stopped);
        }
        Ok(Some(link))
    };
    let graph = links::build(std::iter::from_fn(|| next().transpose()), path, sink, options, false)?;
    let counts = Counts { read, left_out: 0, links: graph.num_links() };
    Ok((graph, counts))
}

//! Edge lists: one link a line, `from<TAB>to`, or with spaces between; numbers or names; `#` begins a comment.

use super::super::assemble::{Assembler, Finish};
use super::super::error::GraphError;
use super::super::file::NamesToWrite;
use super::super::memory::key;
use super::super::{Graph, MAX_PAGES};
use super::lines::Lines;
use super::numbers::Numbers;
use super::{BuildOptions, Counts, Pages, named};
use crate::io::TempDir;
use crate::io::external_sort::ExternalSorter;
use crate::store::LinkRow;
use std::path::Path;

/// Links between which `watch` is asked.
pub(super) const OFTEN: u64 = 1 << 20;

/// Takes a line apart. By its tab if it has one, so that names may have spaces; else by its spaces.
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
        let reason = format!("{count} fields where a link has two; write it as from<TAB>to, or put # before what is no link");
        return Err(lines.wrong(reason));
    }
    Ok((found[0], found[1]))
}

fn number(text: &[u8]) -> Option<u64> {
    let digits = !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    digits.then(|| text.iter().fold(0, |number: u64, digit| number.saturating_mul(10).saturating_add(u64::from(digit - b'0'))))
}

/// Makes a graph of an edge list.
pub(super) fn build<S: Finish>(
    path: &Path,
    sink: impl FnOnce() -> Result<S, GraphError>,
    options: &BuildOptions,
    watch: &mut dyn FnMut(u64) -> bool,
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
    if numbered { numbers(lines, sink, options, watch) } else { names(lines, sink, options, watch) }
}

/// Pages are numbers. The first line has been read.
fn numbers<S: Finish>(
    mut lines: Lines,
    sink: impl FnOnce() -> Result<S, GraphError>,
    options: &BuildOptions,
    watch: &mut dyn FnMut(u64) -> bool,
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
                    "give a larger --pages"
                } else {
                    "number pages from 0, or give --names"
                };
                Err(lines.wrong(format!("page {number} is out of range: pages are numbers below {limit}; {remedy}")))
            }
            None => {
                let text = String::from_utf8_lossy(&text[..text.len().min(80)]).into_owned();
                Err(lines
                    .wrong(format!("{text:?} is no number, but the pages before it are; give --names if all of them are names")))
            }
        };
        let (from, to) = (page(from)?, page(to)?);
        seen.insert(from);
        seen.insert(to);
        sorter.push(key(from, to))?;
        counts.read += 1;
        if counts.read.is_multiple_of(OFTEN) && !watch(lines.bytes()) {
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
    let pages = numbers.len();
    let sorted = sorter.finish()?;
    let mut assembler = Assembler::new(pages, sink()?)?;
    super::assemble(&mut assembler, sorted, |page| numbers.rank(page))?;
    counts.links = assembler.links;
    let holes = numbers.holes();
    let names = holes.as_deref().map_or(NamesToWrite::Dense, NamesToWrite::Numbers);
    Ok((S::finish(assembler, None, names)?, counts))
}

/// Pages are names. The first line has been read.
fn names<S: Finish>(
    mut lines: Lines,
    sink: impl FnOnce() -> Result<S, GraphError>,
    options: &BuildOptions,
    watch: &mut dyn FnMut(u64) -> bool,
) -> Result<(Graph, Counts), GraphError> {
    let (mut first, mut count, mut failure) = (true, 0u64, None);
    let rows = std::iter::from_fn(|| {
        let mut row = || {
            if !std::mem::take(&mut first) && !lines.advance()? {
                return Ok(None);
            }
            let (from, to) = fields(&lines)?;
            let name = |text: &[u8]| {
                let text = str::from_utf8(text).map_err(|_| lines.wrong("it is not UTF-8; convert the file"))?;
                if text.bytes().any(|byte| byte < b' ' || byte == 0x7f) || text.len() > super::MAX_NAME_LEN {
                    return Err(lines.wrong("a name has a control character or is too long; names are addresses or words"));
                }
                Ok(text.to_owned())
            };
            count += 1;
            if count.is_multiple_of(OFTEN) && !watch(lines.bytes()) {
                return Err(GraphError::Stopped);
            }
            Ok(Some(LinkRow { from: name(from)?, to: name(to)?, ..LinkRow::default() }))
        };
        match row() {
            Ok(row) => row.map(Ok),
            Err(error) => {
                failure = Some(error);
                None
            }
        }
    });
    let numbered = named::number(rows, options, &|name| Some(named::verbatim(name)));
    // What is wrong with a line is said before what came of it.
    if let Some(error) = failure {
        return Err(error);
    }
    named::build(&numbered?, sink, options, false)
}

//! Fetches lists of URLs: several hosts at a time, results in the order of the list.

use super::warc::WarcError;
use super::{FetchError, Fetched, Fetcher};
use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::sync::{Condvar, Mutex, PoisonError};

/// Maximum number of pages waiting for a slower one before them.
const WINDOW: usize = 64;
/// Maximum length of a line of a list.
const MAX_LINE: usize = 64 << 10;

/// The outcome of fetching a list.
#[derive(Debug, Default)]
pub struct FetchReport {
    /// Pages that were fetched.
    pub done: u64,
    /// Addresses that failed, with the reasons.
    pub failed: Vec<(String, FetchError)>,
}

struct Shared {
    next: usize,
    written: usize,
    ready: BTreeMap<usize, Result<Fetched, FetchError>>,
    report: FetchReport,
    broken: Option<WarcError>,
}

/// Fetches all pages of a list, at most `hosts` at a time, and passes them on in the order of the list.
///
/// # Errors
/// If `each` fails.
pub fn fetch_all(
    fetcher: &Fetcher,
    urls: &[String],
    hosts: usize,
    each: impl FnMut(&Fetched) -> Result<(), WarcError> + Send,
) -> Result<FetchReport, WarcError> {
    let shared = Shared { next: 0, written: 0, ready: BTreeMap::new(), report: FetchReport::default(), broken: None };
    let (state, moved, each) = (Mutex::new(shared), Condvar::new(), Mutex::new(each));
    std::thread::scope(|scope| {
        for _ in 0..hosts.clamp(1, 64).min(urls.len()) {
            scope.spawn(|| {
                while let Some(number) = take(&state, &moved, urls.len()) {
                    let result = fetcher.get(&urls[number]);
                    let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                    state.ready.insert(number, result);
                    let mut each = each.lock().unwrap_or_else(PoisonError::into_inner);
                    pass_on(&mut state, urls, &mut *each);
                    moved.notify_all();
                }
            });
        }
    });
    let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    match state.broken {
        Some(error) => Err(error),
        None => Ok(state.report),
    }
}

/// The next number, once it is not too far ahead of the results passed on.
fn take(state: &Mutex<Shared>, moved: &Condvar, count: usize) -> Option<usize> {
    let state = state.lock().unwrap_or_else(PoisonError::into_inner);
    let ahead = |state: &mut Shared| state.broken.is_none() && state.next < count && state.next >= state.written + WINDOW;
    let mut state = moved.wait_while(state, ahead).unwrap_or_else(PoisonError::into_inner);
    if state.broken.is_some() || state.next >= count {
        return None;
    }
    state.next += 1;
    Some(state.next - 1)
}

fn pass_on(state: &mut Shared, urls: &[String], each: &mut impl FnMut(&Fetched) -> Result<(), WarcError>) {
    while let Some(result) = state.ready.remove(&state.written) {
        let url = &urls[state.written];
        state.written += 1;
        match result {
            Ok(page) => match each(&page) {
                Ok(()) => state.report.done += 1,
                Err(error) => return state.broken = Some(error),
            },
            Err(error) => state.report.failed.push((url.clone(), error)),
        }
    }
}

/// A list of addresses, one per line; empty lines and lines that begin with `#` are comments.
///
/// ```
/// use webstrata_serve::fetch::read_urls;
/// let list = "# mine\nhttps://example.org/\n\n  https://example.com/a b\n";
/// assert_eq!(read_urls(list.as_bytes())?, ["https://example.org/", "https://example.com/a b"]);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If it cannot be read, is not UTF-8, or has a line that is too long to be an address.
pub fn read_urls(list: impl BufRead) -> io::Result<Vec<String>> {
    let mut urls = Vec::new();
    for (number, line) in list.lines().enumerate() {
        let line = line?;
        let url = line.trim();
        if url.len() > MAX_LINE {
            return Err(io::Error::new(io::ErrorKind::InvalidData, format!("line {} is too long", number + 1)));
        }
        if !url.is_empty() && !url.starts_with('#') {
            urls.push(url.to_owned());
        }
    }
    Ok(urls)
}

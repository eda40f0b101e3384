//! Names of pages: numbers, or texts in the order of their hosts.

use super::mapped_slice::MappedSlice;
use std::borrow::Cow;
use std::ops::Range;

/// Texts that share one place in the table of places; the first is written out, the others as what differs from the one before.
pub(crate) const BUCKET: usize = 16;

/// What pages are called.
#[derive(Clone, Debug)]
pub enum Names {
    /// Pages are called by their numbers.
    Dense,
    /// Pages are called by numbers with holes, ascending.
    Numbers(MappedSlice<u32>),
    /// Pages are called by texts.
    Texts(Texts),
}

/// Texts, front-coded by the bucket.
#[derive(Clone, Debug)]
pub struct Texts {
    /// Where each bucket begins.
    pub(crate) places: MappedSlice<u64>,
    pub(crate) bytes: MappedSlice<u8>,
    /// Hosts in the order of their names.
    pub(crate) host_order: MappedSlice<u32>,
    /// Do the names ascend within each host?
    pub(crate) sorted: bool,
}

/// The host of a name, as it sorts: labels reversed. Empty for names that are no addresses.
pub(crate) fn host_key(name: &str) -> Cow<'_, str> {
    let Some((scheme, rest)) = name.split_once("://") else { return Cow::Borrowed("") };
    if scheme.is_empty() || !scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')) {
        return Cow::Borrowed("");
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    if host.starts_with('[') {
        return Cow::Borrowed(host.split_inclusive(']').next().unwrap_or_default());
    }
    let host = host.split(':').next().unwrap_or_default();
    let host = host.strip_suffix('.').unwrap_or(host);
    if host.split('.').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())) {
        return Cow::Borrowed(host);
    }
    Cow::Owned(host.to_ascii_lowercase().rsplit('.').collect::<Vec<_>>().join("."))
}

/// Puts texts behind each other.
#[derive(Debug, Default)]
pub(crate) struct TextWriter {
    places: Vec<u64>,
    last: Vec<u8>,
    count: usize,
    written: u64,
}

impl TextWriter {
    /// Appends a name to `out`.
    pub(crate) fn push(&mut self, name: &[u8], out: &mut Vec<u8>) {
        let before = out.len();
        let shared = if self.count.is_multiple_of(BUCKET) {
            self.places.push(self.written);
            0
        } else {
            self.last.iter().zip(name).take_while(|(one, two)| one == two).count()
        };
        put_number(out, shared);
        put_number(out, name.len() - shared);
        out.extend_from_slice(&name[shared..]);
        self.count += 1;
        self.last.clear();
        self.last.extend_from_slice(name);
        self.written += (out.len() - before) as u64;
    }

    /// Where the buckets begin.
    pub(crate) fn places(self) -> Vec<u64> {
        self.places
    }
}

fn put_number(out: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn take_number(bytes: &mut &[u8]) -> Option<usize> {
    let mut number = 0usize;
    for shift in (0..28).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= usize::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Reads names from the beginning of a bucket on. Ends early where the bytes make no sense.
#[derive(Debug)]
pub(crate) struct TextReader<'t> {
    rest: &'t [u8],
    pub(crate) name: Vec<u8>,
}

impl TextReader<'_> {
    pub(crate) fn advance(&mut self) -> Option<()> {
        let (shared, more) = (take_number(&mut self.rest)?, take_number(&mut self.rest)?);
        let (suffix, rest) = self.rest.split_at_checked(more)?;
        if shared > self.name.len() {
            return None;
        }
        self.rest = rest;
        self.name.truncate(shared);
        self.name.extend_from_slice(suffix);
        Some(())
    }
}

impl Texts {
    /// Names from the page on that a bucket begins with.
    pub(crate) fn read(&self, bucket: usize) -> TextReader<'_> {
        let from = self.places.get(bucket).and_then(|&place| usize::try_from(place).ok()).unwrap_or(usize::MAX);
        TextReader { rest: self.bytes.get(from..).unwrap_or_default(), name: Vec::new() }
    }

    fn get(&self, page: usize) -> Option<String> {
        let mut reader = self.read(page / BUCKET);
        for _ in 0..=page % BUCKET {
            reader.advance()?;
        }
        Some(String::from_utf8_lossy(&reader.name).into_owned())
    }

    fn find_host(&self, key: &str, hosts: &dyn Fn(usize) -> Range<usize>) -> Option<usize> {
        let first = |host: u32| self.get(hosts(host as usize).start).unwrap_or_default();
        let at = self.host_order.partition_point(|&host| host_key(&first(host)).as_ref() < key);
        let host = *self.host_order.get(at)?;
        (host_key(&first(host)) == key).then_some(host as usize)
    }

    fn find(&self, name: &str, hosts: &dyn Fn(usize) -> Range<usize>) -> Option<usize> {
        let mut pages = hosts(self.find_host(&host_key(name), hosts)?);
        if self.sorted {
            // The last bucket that begins inside of the host and does not lie behind the name.
            let (low, high) = (pages.start.div_ceil(BUCKET), pages.end.div_ceil(BUCKET));
            let (mut low_bucket, mut high_bucket) = (low, high);
            while low_bucket < high_bucket {
                let middle = low_bucket.midpoint(high_bucket);
                let mut reader = self.read(middle);
                reader.advance()?;
                if reader.name.as_slice() <= name.as_bytes() { low_bucket = middle + 1 } else { high_bucket = middle }
            }
            if low_bucket > low {
                pages.start = (low_bucket - 1) * BUCKET;
            }
            pages.end = pages.end.min(low_bucket * BUCKET);
        }
        let mut reader = self.read(pages.start / BUCKET);
        for page in pages.start / BUCKET * BUCKET..pages.end {
            reader.advance()?;
            if page >= pages.start && reader.name == name.as_bytes() {
                return Some(page);
            }
        }
        None
    }
}

impl Names {
    /// What a page is called.
    pub(crate) fn get(&self, page: usize) -> String {
        match self {
            Names::Dense => page.to_string(),
            Names::Numbers(numbers) => numbers.get(page).map(u32::to_string).unwrap_or_default(),
            Names::Texts(texts) => texts.get(page).unwrap_or_default(),
        }
    }

    /// Reads names of pages that mostly follow each other.
    pub(crate) fn reader(&self) -> NameReader<'_> {
        NameReader { names: self, open: None }
    }

    /// The host with this key.
    pub(crate) fn find_host(&self, key: &str, hosts: &dyn Fn(usize) -> Range<usize>) -> Option<usize> {
        match self {
            Names::Texts(texts) => texts.find_host(key, hosts),
            Names::Dense | Names::Numbers(_) => None,
        }
    }

    /// The page that is called so.
    pub(crate) fn find(&self, name: &str, pages: usize, hosts: &dyn Fn(usize) -> Range<usize>) -> Option<usize> {
        let number = || name.parse::<u32>().ok().filter(|number| number.to_string() == name);
        match self {
            Names::Dense => number().map(|number| number as usize).filter(|&page| page < pages),
            // Numbers of pages that were added stand behind those that were there.
            Names::Numbers(numbers) => {
                let number = number()?;
                numbers.binary_search(&number).ok().or_else(|| numbers.iter().position(|&other| other == number))
            }
            Names::Texts(texts) => texts.find(name, hosts),
        }
    }
}

/// Reads names; those of pages that follow each other without going back to the beginning of their bucket.
#[derive(Debug)]
pub(crate) struct NameReader<'n> {
    names: &'n Names,
    /// The page whose name comes next.
    open: Option<(usize, TextReader<'n>)>,
}

impl NameReader<'_> {
    pub(crate) fn get(&mut self, page: usize) -> String {
        let Names::Texts(texts) = self.names else { return self.names.get(page) };
        let (next, mut reader) = match self.open.take() {
            Some((next, reader)) if next == page => (next, reader),
            _ => (page / BUCKET * BUCKET, texts.read(page / BUCKET)),
        };
        for _ in next..=page {
            if reader.advance().is_none() {
                return String::new();
            }
        }
        let name = String::from_utf8_lossy(&reader.name).into_owned();
        self.open = Some((page + 1, reader));
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_found_in_names() {
        for (name, want) in [
            ("https://www.Example.org:80/a", "org.example.www"),
            ("http://user@a.b?x", "b.a"),
            ("http://127.0.0.1/x", "127.0.0.1"),
            ("http://[::1]:8/x", "[::1]"),
            ("Main_Page", ""),
            ("://x", ""),
            ("http://", ""),
        ] {
            assert_eq!(host_key(name), want, "{name}");
        }
    }

    #[test]
    fn texts_come_back() {
        let names: Vec<String> = (0..100).map(|n| format!("https://a.org/{}", "x".repeat(n * 7 % 300))).collect();
        let (mut writer, mut bytes) = (TextWriter::default(), Vec::new());
        names.iter().for_each(|name| writer.push(name.as_bytes(), &mut bytes));
        let texts = Texts { places: writer.places().into(), bytes: bytes.into(), host_order: vec![0].into(), sorted: false };
        for (page, name) in names.iter().enumerate() {
            assert_eq!(texts.get(page).as_ref(), Some(name));
        }
        let names_of = Names::Texts(texts);
        let mut reader = names_of.reader();
        for page in (0..100).chain([3, 4, 90, 5]) {
            assert_eq!(reader.get(page), names[page]);
        }
    }
}

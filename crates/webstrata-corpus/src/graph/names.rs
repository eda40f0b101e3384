//! Names of pages: numbers, or texts grouped by host.

use super::mapped_slice::MappedSlice;
use super::vertex::host_key;
use std::ops::Range;

/// Names per bucket: the first is stored in full, each of the others as its difference from the one before.
pub(crate) const BUCKET: usize = 16;

/// Names of pages.
#[derive(Clone, Debug)]
pub(crate) enum Names {
    /// Each page is named by its own number.
    Dense,
    /// Pages are named by ascending numbers with gaps.
    Numbers(MappedSlice<u32>),
    /// Pages are named by texts.
    Texts(Texts),
}

/// Texts as names.
#[derive(Clone, Debug)]
pub(crate) struct Texts {
    pub(crate) names: FrontCoded,
    /// Hosts in the order of their keys.
    pub(crate) host_order: MappedSlice<u32>,
    /// Whether names ascend within each host.
    pub(crate) sorted: bool,
}

/// Byte strings, front-coded in buckets.
#[derive(Clone, Debug)]
pub(crate) struct FrontCoded {
    /// Offset of each bucket.
    pub(crate) offsets: MappedSlice<u64>,
    pub(crate) bytes: MappedSlice<u8>,
}

/// Front-codes byte strings.
#[derive(Debug, Default)]
pub(crate) struct TextWriter {
    offsets: Vec<u64>,
    last: Vec<u8>,
    count: usize,
    written: u64,
}

impl TextWriter {
    /// Appends a name to `out`.
    pub(crate) fn push(&mut self, name: &[u8], out: &mut Vec<u8>) {
        let before = out.len();
        let shared = if self.count.is_multiple_of(BUCKET) {
            self.offsets.push(self.written);
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

    /// Offsets of the buckets.
    pub(crate) fn offsets(self) -> Vec<u64> {
        self.offsets
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

/// Reads byte strings from the start of a bucket. Ends early at malformed bytes.
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

impl FrontCoded {
    /// Reads from the start of a bucket.
    pub(crate) fn read(&self, bucket: usize) -> TextReader<'_> {
        TextReader { rest: self.bucket(bucket), name: Vec::new() }
    }

    /// The first string of a bucket; empty where the bytes are malformed.
    pub(crate) fn first(&self, bucket: usize) -> &[u8] {
        let mut rest = self.bucket(bucket);
        let lengths = take_number(&mut rest).zip(take_number(&mut rest));
        lengths.and_then(|(_, length)| rest.get(..length)).unwrap_or_default()
    }

    fn bucket(&self, bucket: usize) -> &[u8] {
        let from = self.offsets.get(bucket).and_then(|&offset| usize::try_from(offset).ok()).unwrap_or(usize::MAX);
        self.bytes.get(from..).unwrap_or_default()
    }

    fn get(&self, page: usize) -> Option<String> {
        let mut reader = self.read(page / BUCKET);
        for _ in 0..=page % BUCKET {
            reader.advance()?;
        }
        Some(String::from_utf8_lossy(&reader.name).into_owned())
    }
}

impl Texts {
    fn find_host(&self, key: &str, hosts: &dyn Fn(usize) -> Range<usize>) -> Option<usize> {
        let first = |host: u32| self.names.get(hosts(host as usize).start).unwrap_or_default();
        let at = self.host_order.partition_point(|&host| host_key(&first(host)).as_ref() < key);
        let host = *self.host_order.get(at)?;
        (host_key(&first(host)) == key).then_some(host as usize)
    }

    fn find(&self, name: &str, hosts: &dyn Fn(usize) -> Range<usize>) -> Option<usize> {
        let mut pages = hosts(self.find_host(&host_key(name), hosts)?);
        if self.sorted {
            // The last bucket that begins within the host and not after the name.
            let (low, high) = (pages.start.div_ceil(BUCKET), pages.end.div_ceil(BUCKET));
            let (mut low_bucket, mut high_bucket) = (low, high);
            while low_bucket < high_bucket {
                let middle = low_bucket.midpoint(high_bucket);
                if self.names.first(middle) <= name.as_bytes() { low_bucket = middle + 1 } else { high_bucket = middle }
            }
            if low_bucket > low {
                pages.start = (low_bucket - 1) * BUCKET;
            }
            pages.end = pages.end.min(low_bucket * BUCKET);
        }
        let mut reader = self.names.read(pages.start / BUCKET);
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
    /// The name of a page.
    pub(crate) fn get(&self, page: usize) -> String {
        match self {
            Names::Dense => page.to_string(),
            Names::Numbers(numbers) => numbers.get(page).map(u32::to_string).unwrap_or_default(),
            Names::Texts(texts) => texts.names.get(page).unwrap_or_default(),
        }
    }

    /// Reads names, efficiently if most pages are consecutive.
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

    /// The page with this name.
    pub(crate) fn find(&self, name: &str, pages: usize, hosts: &dyn Fn(usize) -> Range<usize>) -> Option<usize> {
        let number = || name.parse::<u32>().ok().filter(|number| number.to_string() == name);
        match self {
            Names::Dense => number().map(|number| number as usize).filter(|&page| page < pages),
            // Pages added later follow the sorted ones.
            Names::Numbers(numbers) => {
                let number = number()?;
                numbers.binary_search(&number).ok().or_else(|| numbers.iter().position(|&other| other == number))
            }
            Names::Texts(texts) => texts.find(name, hosts),
        }
    }
}

/// Reads names. Those of consecutive pages are read without starting over in their bucket.
#[derive(Debug)]
pub(crate) struct NameReader<'n> {
    names: &'n Names,
    /// The page whose name the reader returns next.
    open: Option<(usize, TextReader<'n>)>,
}

impl NameReader<'_> {
    pub(crate) fn get(&mut self, page: usize) -> String {
        let Names::Texts(texts) = self.names else { return self.names.get(page) };
        let (next, mut reader) = match self.open.take() {
            Some((next, reader)) if next == page => (next, reader),
            _ => (page / BUCKET * BUCKET, texts.names.read(page / BUCKET)),
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
    fn names_are_read_as_written() {
        let names: Vec<String> = (0..100).map(|n| format!("https://a.org/{}", "x".repeat(n * 7 % 300))).collect();
        let (mut writer, mut bytes) = (TextWriter::default(), Vec::new());
        names.iter().for_each(|name| writer.push(name.as_bytes(), &mut bytes));
        let coded = FrontCoded { offsets: writer.offsets().into(), bytes: bytes.into() };
        for (page, name) in names.iter().enumerate() {
            assert_eq!(coded.get(page).as_ref(), Some(name));
            assert!(page % BUCKET > 0 || coded.first(page / BUCKET) == name.as_bytes());
        }
        let texts = Names::Texts(Texts { names: coded, host_order: vec![0].into(), sorted: false });
        let mut reader = texts.reader();
        for page in (0..100).chain([3, 4, 90, 5]) {
            assert_eq!(reader.get(page), names[page]);
        }
    }
}

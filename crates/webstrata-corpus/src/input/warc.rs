//! WARC files: records one behind the other, read so that one that is broken costs no other.
//!
//! A record says how long it is. That is believed if another record, or the end of the file, is behind it. If not, or if
//! its bytes cannot be unpacked, the record is broken: it is named with its place, and reading goes on at the
//! next place where a record begins. In files of one compressed member per record that is the next member that can be
//! unpacked; inside of a member, and in files that are not packed, the next line that begins with `WARC/1.`.
//!
//! # Why our own reader
//! The crate `fastwarc` 2.0 was measured on a file of 1,000 members. With one byte of the 500th turned over it gives
//! 500 records and then errors without end; it unpacks a body of 2 MB to the 2 GB that it holds; and it brings a crate
//! for character sets that nobody maintains.

use super::fields::{self, Fields};
use super::http::{self, Known, Payload};
use super::tape::{Place, Tape};
use super::unpack::Packing;
use super::{Broken, InputOptions, Item};
use crate::document::{Document, Origin};
use std::fs::File;
use std::io;
use std::sync::Arc;

const MAGIC: &[u8] = b"WARC/";
/// What stands behind the content of a record.
const RECORD_END: &[u8] = b"\r\n\r\n";
/// Longest head of a record.
const LONGEST_HEAD: usize = 1 << 16;
/// Bytes behind a record that show whether another one begins there: line ends and `WARC/`.
const PEEK: usize = 32;
/// Bytes that are unpacked at a time to see whether the record ends before it should.
const STRIDE: usize = 1 << 16;
/// Bytes without use that may be unpacked for every byte of the file, and for nothing: a page is packed to a tenth, a
/// thousandth is made to waste time.
const WASTE_RATIO: u64 = 100;
const FREE_WASTE: u64 = 1 << 26;

/// A WARC file that is being read.
#[derive(Debug)]
pub(super) struct Warc {
    name: Arc<str>,
    tape: Tape,
}

/// What became of a record.
enum Outcome {
    /// It holds no page.
    Passed,
    Item(Box<Item>),
}

/// What the head of a record says.
#[derive(Debug, Default)]
struct Head {
    /// Bytes of the head, with the empty line.
    size: usize,
    /// Bytes behind it.
    length: u64,
    kind: String,
    content_type: Option<String>,
    payload_type: Option<String>,
    uri: Option<String>,
    date: Option<String>,
    is_cut: bool,
}

impl Warc {
    /// A file from its beginning.
    pub(super) fn new(name: Arc<str>, file: File) -> io::Result<Warc> {
        Ok(Warc { name, tape: Tape::new(file)? })
    }

    pub(super) fn tape(&self) -> &Tape {
        &self.tape
    }

    pub(super) fn tape_mut(&mut self) -> &mut Tape {
        &mut self.tape
    }

    /// The next page or broken record.
    pub(super) fn next(&mut self, options: &InputOptions) -> io::Result<Option<Item>> {
        loop {
            self.skip_line_ends()?;
            if self.tape.ahead().is_empty() && self.tape.damage().is_none() {
                return Ok(None);
            }
            match self.record(options)? {
                Outcome::Passed => {}
                Outcome::Item(item) => {
                    // So that the position is that of the next record.
                    self.skip_line_ends()?;
                    return Ok(Some(*item));
                }
            }
        }
    }

    fn skip_line_ends(&mut self) -> io::Result<()> {
        while self.tape.fill(PEEK)? > 0 {
            let count = line_ends(self.tape.ahead());
            self.tape.take(count);
            if count < PEEK {
                break;
            }
        }
        Ok(())
    }

    fn record(&mut self, options: &InputOptions) -> io::Result<Outcome> {
        // Where a member should begin and does not, there is no byte that could have a place.
        let place = match self.tape.damage() {
            Some(damage) if damage.is_between && self.tape.ahead().is_empty() => Place { offset: damage.begins, inside: 0 },
            _ => self.tape.place(0),
        };
        let head = match self.head()? {
            Ok(head) => head,
            Err((reason, skip)) => return self.broken(place, reason, skip),
        };
        let limit = options.max_record.saturating_add(http::LONGEST_HEAD as u64);
        if head.length > limit {
            return self.long(place, &head, limit, options);
        }
        // It fits: the limit is a length of memory.
        let total = head.size + head.length as usize;
        if let Some(member) = self.fill_record(total)? {
            self.tape.take(member);
            return Ok(self.named(place, format!("the record ends before the {} bytes that it says it has", head.length)));
        }
        if self.tape.ahead().len() < total {
            return self.broken(place, format!("the file ends before the {} bytes that the record says it has", head.length), 1);
        }
        if !self.ends_well(total) {
            return self.broken(place, no_record_behind(head.length), 1);
        }
        let item = self.item(place, &head, total, options);
        self.tape.take(total);
        Ok(item)
    }

    /// The head of the record that begins here; or what is wrong with it, and how many bytes no record can begin in.
    fn head(&mut self) -> io::Result<Result<Head, (String, usize)>> {
        self.tape.fill(MAGIC.len())?;
        if !self.tape.ahead().starts_with(MAGIC) {
            return Ok(Err(("no record begins here".into(), 1)));
        }
        let mut want = 1 << 12;
        let end = loop {
            let there = self.tape.fill(want)?;
            let seen = &self.tape.ahead()[..there.min(LONGEST_HEAD)];
            if let Some(end) = fields::end(seen) {
                break end;
            }
            if there < want || want >= LONGEST_HEAD {
                // A record that began in these bytes had no end of its head either, unless it began last.
                let last = seen.windows(MAGIC.len()).rposition(|window| window == MAGIC).unwrap_or(0);
                return Ok(Err(("the head of the record has no end".into(), last.max(1))));
            }
            want *= 4;
        };
        Ok(Head::read(&self.tape.ahead()[..end]).map_err(|reason| (reason, 1)))
    }

    /// Unpacks the record. Where another record begins before this one is complete, as a member of its own, the distance to it.
    fn fill_record(&mut self, total: usize) -> io::Result<Option<usize>> {
        let want = total + PEEK;
        let mut step = self.tape.ahead().len();
        loop {
            step = (step + STRIDE).min(want);
            let there = self.tape.fill(step)?;
            if let Some(member) = self.record_before(total)? {
                return Ok(Some(member));
            }
            if there < step || step == want {
                return Ok(None);
            }
        }
    }

    /// The member ahead that begins a record less than `total` bytes from here.
    fn record_before(&mut self, total: usize) -> io::Result<Option<usize>> {
        let begins = |tape: &Tape, member: usize| tape.ahead()[member..].starts_with(MAGIC);
        let mut last = None;
        for member in self.tape.members_ahead().take_while(|&member| member < total) {
            if begins(&self.tape, member) {
                return Ok(Some(member));
            }
            last = Some(member);
        }
        // Of the last one, there may be too few bytes to see it.
        let Some(member) = last else { return Ok(None) };
        self.tape.fill(member + MAGIC.len())?;
        Ok(begins(&self.tape, member).then_some(member))
    }

    /// Does the record end `total` bytes from here as one should? Behind it are line ends and another record, the end of its
    /// member or of the file; or just the line ends that belong there, and then something that is not right.
    fn ends_well(&self, total: usize) -> bool {
        let rest = &self.tape.ahead()[total..];
        let ends = line_ends(rest);
        let behind = &rest[ends..];
        if self.tape.begins_member(total + ends) || behind.starts_with(MAGIC) {
            return true;
        }
        if behind.is_empty() {
            return self.tape.damage().is_none_or(|damage| damage.is_between);
        }
        rest.starts_with(RECORD_END)
    }

    /// The page in a record of `total` bytes, or what is there of it.
    fn item(&self, place: Place, head: &Head, total: usize, options: &InputOptions) -> Outcome {
        let ahead = self.tape.ahead();
        let content = &ahead[head.size.min(ahead.len())..total.min(ahead.len())];
        match head.page(content, options) {
            Ok(None) => Outcome::Passed,
            Ok(Some(page)) => Outcome::Item(Box::new(Item::Document(Document {
                origin: self.origin(place),
                url: head.uri.clone(),
                date: head.date.clone(),
                charset: page.charset,
                bytes: page.bytes,
                problems: page.problems,
            }))),
            Err(reason) => self.named(place, reason),
        }
    }

    /// A record that is longer than a page may be: a film, say. It is passed over without being kept; a page is cut.
    fn long(&mut self, place: Place, head: &Head, limit: u64, options: &InputOptions) -> io::Result<Outcome> {
        let total = (head.size as u64).saturating_add(head.length);
        let is_plain = self.tape.packing() == Packing::Plain;
        let end = place.offset.saturating_add(total);
        if is_plain && !self.ends_well_far(end)? {
            return self.broken(place, no_record_behind(head.length), 1);
        }
        let kept = head.size + limit as usize;
        if let Some(member) = self.fill_record(kept)? {
            self.tape.take(member);
            return Ok(self.named(place, format!("the record ends before the {} bytes that it says it has", head.length)));
        }
        if self.tape.ahead().len() < kept {
            return self.broken(place, format!("the file ends before the {} bytes that the record says it has", head.length), 1);
        }
        let item = self.item(place, head, kept, options);
        if is_plain {
            self.tape.seek(Place { offset: end, inside: 0 }, self.tape.reread())?;
        } else if !self.discard(place, total)? {
            let cause = self.find_record()?.map(|cause| format!(": {cause}")).unwrap_or_default();
            return Ok(self.named(place, no_record_behind(head.length) + &cause));
        }
        Ok(item)
    }

    /// As [`Warc::ends_well`], for a byte of a file that is not packed.
    fn ends_well_far(&mut self, end: u64) -> io::Result<bool> {
        let length = self.tape.length()?;
        if end >= length {
            return Ok(end == length);
        }
        let rest = self.tape.peek(end, PEEK)?;
        let behind = &rest[line_ends(&rest)..];
        Ok(behind.is_empty() || behind.starts_with(MAGIC) || rest.starts_with(RECORD_END))
    }

    /// Unpacks `total` bytes for nothing. Says whether they were there, and a record behind them.
    fn discard(&mut self, place: Place, total: u64) -> io::Result<bool> {
        let mut left = total;
        while left > 0 {
            let want = usize::try_from(left).unwrap_or(STRIDE).min(STRIDE);
            let there = self.tape.fill(want + PEEK)?.min(want);
            let early = self.record_before(there)?;
            let count = early.unwrap_or(there);
            self.tape.take(count);
            left -= count as u64;
            let packed = self.tape.position().saturating_sub(place.offset);
            if (total - left) > FREE_WASTE + WASTE_RATIO * packed {
                self.tape.give_up_member("a record unpacks to more than a hundred times its size");
                return Ok(false);
            }
            if count == 0 || early.is_some() {
                return Ok(false);
            }
        }
        self.tape.fill(PEEK)?;
        Ok(self.ends_well(0))
    }

    /// Names a broken record that begins here, and goes to the next one, which is at least `skip` bytes away.
    fn broken(&mut self, place: Place, mut reason: String, skip: usize) -> io::Result<Outcome> {
        self.tape.take(skip);
        if let Some(cause) = self.find_record()? {
            reason = format!("{reason}: {cause}");
        }
        Ok(self.named(place, reason))
    }

    fn named(&self, place: Place, reason: String) -> Outcome {
        Outcome::Item(Box::new(Item::Broken(Broken { origin: self.origin(place), reason })))
    }

    fn origin(&self, place: Place) -> Origin {
        Origin { file: Arc::clone(&self.name), offset: place.offset, inside: place.inside }
    }

    /// Goes to where the next record begins, or to the end of the file. The damage that was on the way.
    fn find_record(&mut self) -> io::Result<Option<String>> {
        let mut cause = None;
        let mut before = b'\0';
        let (began, mut wasted) = (self.tape.position(), 0u64);
        loop {
            let there = self.tape.fill(STRIDE)?;
            if let Some(start) = self.start_ahead(before) {
                self.tape.take(start);
                return Ok(cause);
            }
            // The last bytes may be the first of a record.
            let count = if there < STRIDE { there } else { there - MAGIC.len() - 2 };
            before = if count > 0 { self.tape.ahead()[count - 1] } else { before };
            self.tape.take(count);
            wasted += count as u64;
            if wasted > FREE_WASTE + WASTE_RATIO * self.tape.position().saturating_sub(began) {
                self.tape.give_up_member("a member unpacks to more than a hundred times its size, and no record begins in it");
            }
            let Some(damage) = self.tape.damage() else {
                if there < STRIDE {
                    return Ok(cause);
                }
                continue;
            };
            let reason = damage.reason.clone();
            let skipped = self.tape.recover()?;
            cause.get_or_insert_with(|| format!("{reason}; {skipped} bytes are skipped"));
            before = b'\0';
        }
    }

    /// Where a record begins in the bytes ahead: at the beginning of a line or of a member. `before` is the byte before them.
    fn start_ahead(&self, before: u8) -> Option<usize> {
        let ahead = self.tape.ahead();
        let is_start = |at: usize| {
            let begins = ahead[at..].starts_with(MAGIC) && ahead[at + MAGIC.len()..].first().is_none_or(u8::is_ascii_digit);
            let line = if at == 0 { before } else { ahead[at - 1] };
            begins && (line == b'\n' || self.tape.begins_member(at))
        };
        let mut at = 0;
        loop {
            at += ahead.get(at..)?.iter().position(|&byte| byte == MAGIC[0])?;
            if is_start(at) {
                return Some(at);
            }
            at += 1;
        }
    }
}

fn no_record_behind(length: u64) -> String {
    format!("the record says it has {length} bytes, but behind them neither a record begins nor the file ends")
}

fn line_ends(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|&&byte| byte == b'\r' || byte == b'\n').count()
}

impl Head {
    /// Reads the head that `bytes` are.
    fn read(bytes: &[u8]) -> Result<Head, String> {
        let Some((fields, _)) = Fields::read(bytes, LONGEST_HEAD) else { return Err("the head of the record has no end".into()) };
        let length = fields.get("content-length").ok_or("the head of the record has no Content-Length")?;
        let Ok(length) = length.parse() else { return Err(format!("the Content-Length {:?} is no number", brief(&length))) };
        let uri = fields.get("warc-target-uri");
        // WARC 1.0 was read so that addresses stand in angle brackets.
        let uri = uri.map(|uri| uri.trim_start_matches('<').trim_end_matches('>').to_owned()).filter(|uri| !uri.is_empty());
        Ok(Head {
            size: bytes.len(),
            length,
            kind: fields.get("warc-type").unwrap_or_default().to_ascii_lowercase(),
            content_type: fields.get("content-type"),
            payload_type: fields.get("warc-identified-payload-type"),
            uri,
            date: fields.get("warc-date"),
            is_cut: fields.get("warc-truncated").is_some(),
        })
    }

    /// The page in the record, if it holds one.
    fn page(&self, content: &[u8], options: &InputOptions) -> Result<Option<Payload>, String> {
        let known = Known { payload_type: self.payload_type.as_deref(), is_cut: self.is_cut };
        let content_type = self.content_type.as_deref();
        let mut page = match self.kind.as_str() {
            "response" if self.is_http() => http::response(content, known, options)?,
            "resource" => http::resource(content, content_type, known, options),
            _ => None,
        };
        if let Some(page) = &mut page
            && self.is_cut
        {
            page.problems.push("the page was cut when it was fetched".into());
        }
        Ok(page)
    }

    fn is_http(&self) -> bool {
        match &self.content_type {
            Some(kind) => fields::media_type(kind) == "application/http",
            None => self.uri.as_deref().is_some_and(|uri| uri.get(..4).is_some_and(|scheme| scheme.eq_ignore_ascii_case("http"))),
        }
    }
}

/// The beginning of something that may be long.
fn brief(text: &str) -> String {
    text.chars().take(40).collect()
}

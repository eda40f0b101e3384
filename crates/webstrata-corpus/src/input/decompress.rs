//! A file as a stream of decompressed bytes: plain, or gzip members or Zstandard frames one after another.
//!
//! The bytes ahead are in a window. Every byte has a [`Location`]: the member it comes from, as an offset in the file, and its
//! offset within the decompressed member. Reading can continue at any location ([`Stream::seek`]): earlier members are skipped, and
//! the member itself is decompressed again from its start.
//!
//! Damage does not end a stream. The window has the bytes before it, [`Stream::damage`] describes it, and
//! [`Stream::recover`] searches for the next member that can be decompressed. The decoder may run past the end of a corrupt member
//! before it notices, so the search begins right after the member's first byte. That reads bytes twice, and a file can be crafted
//! so that it reads them very often. Such bytes are therefore counted ([`Stream::reread`]), and when there are too many, the search
//! begins after what has been read.

use super::codec::{Codec, Decoder, Step, dictionary_frame};
use std::collections::VecDeque;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// Bytes read from the file at a time.
const INPUT: usize = 1 << 18;
/// Bytes decompressed at a time.
const OUTPUT: usize = 1 << 16;
/// Longest header of a gzip member; most have ten bytes.
const MAX_HEADER: usize = 1 << 17;
/// Number of decompressed bytes examined when searching for an intact member.
const PROBE: usize = 1 << 12;
/// Bytes that may be read twice, regardless of the length of the file.
const FREE_REREAD: u64 = 1 << 24;
/// Members that one record may be spread over. Tools that are unaware of records write members of 64 kB.
const MAX_MEMBERS: usize = 1 << 12;
/// The window releases memory when it is larger than this and no longer needed.
const LARGE_WINDOW: usize = 1 << 22;

/// A location in a file: a byte as stored, and a byte of what the member that begins there decompresses to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Location {
    pub(super) offset: u64,
    pub(super) inside: u64,
}

/// Where a member begins, in the stream and in the file.
#[derive(Clone, Copy, Debug)]
struct Mark {
    at: u64,
    location: Location,
}

/// Damage in a file, and its location.
#[derive(Clone, Debug)]
pub(super) struct Damage {
    codec: Codec,
    reason: String,
    /// Start of the damaged member.
    member: u64,
    /// Where damage is reported: the start of the member, or where one should begin.
    pub(super) begins: u64,
    /// Where in the file it was noticed.
    noticed: u64,
    /// Whether it follows an intact member and precedes any byte of the next one.
    pub(super) is_between: bool,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "corrupt {} data at byte {}: {}", self.codec.name(), self.noticed, self.reason)
    }
}

/// The bytes of a file as stored.
#[derive(Debug)]
pub(super) enum Storage {
    File(File),
    /// A pipe, which can only be read forward.
    Pipe(Pipe),
}

/// A pipe that is read forward.
pub(super) struct Pipe(pub(super) Box<dyn Read + Send>);

impl fmt::Debug for Pipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pipe")
    }
}

impl From<File> for Storage {
    fn from(file: File) -> Storage {
        Storage::File(file)
    }
}

impl Storage {
    /// Reads up to `count` more bytes. Returns whether the file has ended.
    fn read_more(&mut self, input: &mut Vec<u8>, count: usize) -> io::Result<bool> {
        let read = match self {
            Storage::File(file) => file.take(count as u64).read_to_end(input)?,
            Storage::Pipe(pipe) => (&mut pipe.0).take(count as u64).read_to_end(input)?,
        };
        Ok(read < count)
    }

    fn is_seekable(&self) -> bool {
        matches!(self, Storage::File(_))
    }
}

/// The stream.
#[derive(Debug)]
pub(super) struct Stream {
    storage: Storage,
    codec: Codec,
    decoder: Decoder,
    /// Bytes read and not yet decompressed: `input[taken..]`, at `input_at + taken` in the file.
    input: Vec<u8>,
    taken: usize,
    input_at: u64,
    file_ended: bool,
    /// Decompressed bytes: `window[used..]` are ahead.
    window: Vec<u8>,
    used: usize,
    /// The byte of the stream at `window[0]`.
    window_at: u64,
    /// Members with bytes in the window, and the one before.
    marks: VecDeque<Mark>,
    /// Start of the member that is being decompressed.
    member: Option<u64>,
    damage: Option<Damage>,
    reread: u64,
}

impl Stream {
    /// The stream of a file from its start. The codec is recognised by the first bytes.
    pub(super) fn new(mut storage: Storage) -> io::Result<Stream> {
        if let Storage::File(file) = &mut storage {
            file.seek(SeekFrom::Start(0))?;
        }
        let mut input = Vec::new();
        let mut file_ended = storage.read_more(&mut input, INPUT)?;
        if let Some(length) = dictionary_frame(&input)
            && length > input.len()
        {
            let missing = length - input.len();
            file_ended = storage.read_more(&mut input, missing + INPUT)?;
        }
        let codec = Codec::detect(&input);
        let decoder = Decoder::new(codec, &input)?;
        let mut stream = Stream {
            storage,
            codec,
            decoder,
            input,
            taken: 0,
            input_at: 0,
            file_ended,
            window: Vec::new(),
            used: 0,
            window_at: 0,
            marks: VecDeque::new(),
            member: None,
            damage: None,
            reread: 0,
        };
        stream.mark(Location::default());
        Ok(stream)
    }

    /// Whether bytes of the file can be skipped without reading them.
    pub(super) fn can_skip(&self) -> bool {
        self.codec == Codec::Plain && self.storage.is_seekable()
    }

    /// The decompressed bytes ahead.
    pub(super) fn ahead(&self) -> &[u8] {
        &self.window[self.used..]
    }

    /// What ended the stream after the bytes ahead, unless it is the end of the file.
    pub(super) fn damage(&self) -> Option<&Damage> {
        self.damage.as_ref()
    }

    /// Bytes read twice so far because of damage.
    pub(super) fn reread(&self) -> u64 {
        self.reread
    }

    /// Bytes of the file that were read.
    pub(super) fn position(&self) -> u64 {
        self.input_at + self.taken as u64
    }

    /// Decompresses until `want` bytes are ahead. There are fewer only at the end of the file and before damage.
    pub(super) fn fill(&mut self, want: usize) -> io::Result<usize> {
        while self.ahead().len() < want && self.damage.is_none() {
            if !self.decompress()? {
                break;
            }
        }
        Ok(self.ahead().len())
    }

    /// Moves on by `count` of the bytes ahead.
    pub(super) fn consume(&mut self, count: usize) {
        self.used = (self.used + count).min(self.window.len());
        let at = self.at();
        while self.marks.get(1).is_some_and(|next| next.at <= at) {
            self.marks.pop_front();
        }
        if self.used == self.window.len() {
            self.window_at = at;
            self.window.clear();
            self.used = 0;
            self.window.shrink_to(LARGE_WINDOW);
        }
    }

    fn at(&self) -> u64 {
        self.window_at + self.used as u64
    }

    /// The location of the byte `count` bytes ahead.
    pub(super) fn location(&self, count: usize) -> Location {
        let at = self.at() + count as u64;
        let mark = self.marks.iter().rev().find(|mark| mark.at <= at).or(self.marks.front());
        let Some(mark) = mark else { return Location::default() };
        let further = at.saturating_sub(mark.at);
        match self.codec {
            Codec::Plain => Location { offset: mark.location.offset + further, inside: 0 },
            _ => Location { offset: mark.location.offset, inside: mark.location.inside + further },
        }
    }

    /// The members that begin in the bytes ahead, as distances from the next byte. A member that begins at that byte is not included.
    pub(super) fn members_ahead(&self) -> impl Iterator<Item = usize> {
        let at = self.at();
        self.marks.iter().filter(move |mark| mark.at > at && mark.location.inside == 0).map(move |mark| (mark.at - at) as usize)
    }

    /// Whether a member, or the file, begins `count` bytes ahead.
    pub(super) fn begins_member(&self, count: usize) -> bool {
        let at = self.at() + count as u64;
        let compressed = self.codec != Codec::Plain;
        self.marks.iter().any(|mark| mark.at == at && mark.location.inside == 0 && (compressed || mark.location.offset == 0))
    }

    /// Length of the file, unless it is a pipe.
    pub(super) fn length(&self) -> io::Result<u64> {
        match &self.storage {
            Storage::File(file) => Ok(file.metadata()?.len()),
            Storage::Pipe(_) => Ok(u64::MAX),
        }
    }

    /// Reads bytes at any offset of a file that can be skipped in. The position of the stream does not change.
    pub(super) fn peek(&mut self, offset: u64, count: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        if let Storage::File(file) = &mut self.storage {
            file.seek(SeekFrom::Start(offset))?;
            (&*file).take(count as u64).read_to_end(&mut bytes)?;
            file.seek(SeekFrom::Start(self.input_at + self.input.len() as u64))?;
        }
        Ok(bytes)
    }

    /// Seeks to a location in this file, and sets the count of bytes read twice up to there.
    pub(super) fn seek(&mut self, location: Location, reread: u64) -> io::Result<()> {
        self.restart(location.offset)?;
        self.reread = reread;
        if self.codec == Codec::Plain {
            return Ok(());
        }
        let mut left = location.inside;
        while left > 0 {
            let most = usize::try_from(left).unwrap_or(OUTPUT).min(OUTPUT);
            let there = self.fill(most)?.min(most);
            if there == 0 {
                break;
            }
            self.consume(there);
            left -= there as u64;
        }
        Ok(())
    }

    /// Skips the damage and goes to the next member that can be decompressed, or to the end of the file. Returns how many
    /// bytes of the file are skipped, from the start of the damaged member.
    pub(super) fn recover(&mut self) -> io::Result<u64> {
        let Some(damage) = self.damage.take() else { return Ok(0) };
        let twice = damage.noticed.saturating_sub(damage.member);
        let from = if self.reread + twice <= damage.noticed + FREE_REREAD {
            self.reread += twice;
            damage.member + 1
        } else {
            damage.noticed.max(damage.member + 1)
        };
        self.restart(from)?;
        self.damage = None;
        loop {
            let Some(skip) = self.codec.find_member(&self.input[self.taken..]) else {
                // The last bytes read may be the first of a member.
                let keep = self.codec.magic().len().saturating_sub(1).min(self.input.len() - self.taken);
                self.taken = self.input.len() - keep;
                if self.file_ended {
                    self.taken = self.input.len();
                    break;
                }
                self.read()?;
                continue;
            };
            self.taken += skip;
            while self.input.len() - self.taken < PROBE && !self.file_ended {
                self.read()?;
            }
            if self.decoder.probe(&self.input[self.taken..], PROBE) {
                break;
            }
            self.taken += 1;
        }
        self.marks.clear();
        self.mark(Location { offset: self.position(), inside: 0 });
        Ok(self.position().saturating_sub(damage.member))
    }

    /// Declares the bytes ahead useless although they can be decompressed, so that `recover` goes to the next member.
    pub(super) fn abandon_member(&mut self, reason: &str) {
        let noticed = self.position();
        self.damage = Some(Damage {
            codec: self.codec,
            reason: reason.to_owned(),
            member: noticed.saturating_sub(1),
            begins: noticed,
            noticed,
            is_between: false,
        });
    }

    /// Drops everything and continues at a byte of the file. A pipe continues at the first byte that is still in memory.
    fn restart(&mut self, offset: u64) -> io::Result<()> {
        let offset = match &self.storage {
            Storage::File(_) => offset.min(self.length()?),
            Storage::Pipe(_) => offset.clamp(self.input_at, self.input_at + self.input.len() as u64),
        };
        let ahead = offset.checked_sub(self.input_at).and_then(|ahead| usize::try_from(ahead).ok());
        if let Some(ahead) = ahead.filter(|&ahead| ahead <= self.input.len()) {
            self.taken = ahead;
        } else if let Storage::File(file) = &mut self.storage {
            file.seek(SeekFrom::Start(offset))?;
            self.input.clear();
            self.taken = 0;
            self.input_at = offset;
            self.file_ended = false;
        }
        self.window_at = self.at();
        self.window.clear();
        self.used = 0;
        self.member = None;
        self.damage = None;
        self.marks.clear();
        self.mark(Location { offset, inside: 0 });
        Ok(())
    }

    /// Records that the next decompressed byte is at `location`.
    fn mark(&mut self, location: Location) {
        let at = self.window_at + self.window.len() as u64;
        if let Some(last) = self.marks.back_mut().filter(|last| last.at == at) {
            last.location = location;
        } else {
            self.marks.push_back(Mark { at, location });
        }
    }

    /// Reads more of the file.
    fn read(&mut self) -> io::Result<()> {
        if self.taken > 0 {
            self.input.drain(..self.taken);
            self.input_at += self.taken as u64;
            self.taken = 0;
        }
        self.file_ended = self.storage.read_more(&mut self.input, INPUT)?;
        Ok(())
    }

    /// Decompresses some more bytes. Returns false at the end of the file.
    fn decompress(&mut self) -> io::Result<bool> {
        // Used bytes are dropped once they are most of the window, so that each byte is moved once on average.
        if self.used > self.window.len() / 2 && self.used > OUTPUT {
            self.window.drain(..self.used);
            self.window_at += self.used as u64;
            self.used = 0;
        }
        match (self.codec, self.member) {
            (Codec::Plain, _) => self.copy(),
            (_, Some(member)) => self.continue_member(member),
            (_, None) => self.begin_member(),
        }
    }

    /// Copies more of a plain file into the window.
    fn copy(&mut self) -> io::Result<bool> {
        if self.taken == self.input.len() {
            if self.file_ended {
                return Ok(false);
            }
            self.read()?;
        }
        self.window.extend_from_slice(&self.input[self.taken..]);
        self.taken = self.input.len();
        Ok(true)
    }

    /// Decompresses more of the member that begins at `member`.
    fn continue_member(&mut self, member: u64) -> io::Result<bool> {
        let length = self.window.len();
        self.window.resize(length + OUTPUT, 0);
        let step = self.decoder.step(&self.input[self.taken..], &mut self.window[length..]);
        let (read, written) = step.as_ref().map_or((0, 0), Step::counts);
        self.window.truncate(length + written);
        self.taken += read;
        match step {
            Ok(Step::More { read: 0, written: 0 }) if self.file_ended => {
                self.broken("the file ends inside a compressed member", member);
            }
            Ok(Step::More { read: 0, written: 0 }) if self.input.len() - self.taken >= INPUT => {
                self.broken("a compressed member cannot be decompressed any further", member);
            }
            Ok(Step::More { read: 0, written: 0 }) => self.read()?,
            Ok(Step::More { .. }) => {}
            Ok(Step::End { .. }) => self.member = None,
            Err(reason) => self.broken(&reason, member),
        }
        Ok(true)
    }

    fn begin_member(&mut self) -> io::Result<bool> {
        // Some tools pad files with zeros.
        self.taken += self.input[self.taken..].iter().take_while(|&&byte| byte == 0).count();
        if self.taken == self.input.len() {
            if self.file_ended {
                return Ok(false);
            }
            self.read()?;
            return Ok(true);
        }
        let offset = self.position();
        if self.marks.len() >= MAX_MEMBERS {
            // The member itself may be intact: the search begins with it.
            self.broken("a record is spread over thousands of compressed members", offset.saturating_sub(1));
            if let Some(damage) = &mut self.damage {
                damage.begins = offset;
            }
            return Ok(true);
        }
        match self.decoder.begin(&self.input[self.taken..]) {
            Ok(Some(length)) => {
                self.taken += length;
                self.mark(Location { offset, inside: 0 });
                self.member = Some(offset);
            }
            Ok(None) if self.file_ended => self.broken("the file ends inside the header of a compressed member", offset),
            Ok(None) if self.input.len() - self.taken > MAX_HEADER => {
                self.broken("the header of a compressed member is too long", offset);
            }
            Ok(None) => self.read()?,
            Err(reason) => self.broken(&reason, offset),
        }
        Ok(true)
    }

    fn broken(&mut self, reason: &str, member: u64) {
        let is_between = self.member.take().is_none();
        let (codec, reason, noticed) = (self.codec, reason.to_owned(), self.position());
        self.damage = Some(Damage { codec, reason, member, begins: member, noticed, is_between });
    }
}

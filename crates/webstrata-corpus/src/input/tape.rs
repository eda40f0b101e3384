//! A file as a stream of unpacked bytes that knows where it is: plain, or gzip members or Zstandard frames one behind the other.
//!
//! The bytes that are ahead stand in a window. Every byte has a [`Place`]: the member that it comes from, as an offset
//! in the file, and how many bytes into the member it is. Reading goes on at any place ([`Tape::seek`]): members are
//! skipped, and inside of a member it is unpacked again from its beginning.
//!
//! Damage does not end a tape. The window holds what came before it, [`Tape::damage`] says what is wrong, and
//! [`Tape::recover`] looks for the next member from which reading can go on. Where the bits of a member are wrong, the
//! unpacker may run past its end before it notices; so the search begins right behind the beginning of the member. That
//! reads bytes twice, and a file may be made so that it reads them very often: there is an account of such bytes
//! ([`Tape::reread`]), and when it is overdrawn the search begins behind what has been read.

use super::unpack::{Packing, Step, Unpacker, dictionary_frame};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// Bytes that are read from the file at a time.
const INPUT: usize = 1 << 18;
/// Bytes that are unpacked at a time.
const OUTPUT: usize = 1 << 16;
/// Longest header of a gzip member; most have ten bytes.
const LONGEST_HEADER: usize = 1 << 17;
/// A search looks at so many bytes of what a member would unpack to.
const TRIAL: usize = 1 << 12;
/// Bytes that may be read twice, whatever the length of the file.
const FREE_REREAD: u64 = 1 << 24;
/// Members that one record may be spread over. Tools that know nothing of records cut them into members of 64 kB.
const MOST_MEMBERS: usize = 1 << 12;
/// The window gives memory back when it is larger than this and no longer needed.
const LARGE_WINDOW: usize = 1 << 22;

/// A place in a file: a byte as it is stored, and a byte of what the member that begins there unpacks to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) offset: u64,
    pub(super) inside: u64,
}

/// Where a member begins: at which byte of the stream, at which byte of the file.
#[derive(Clone, Copy, Debug)]
struct Mark {
    at: u64,
    place: Place,
}

/// What is wrong with a file, and where.
#[derive(Clone, Debug)]
pub(super) struct Damage {
    pub(super) reason: String,
    /// Where the member begins that is damaged.
    member: u64,
    /// Where it is said to be: at the beginning of the member, or where one should begin.
    pub(super) begins: u64,
    /// Where in the file it was noticed.
    noticed: u64,
    /// Is it behind a member that is sound, and before anything of the next one?
    pub(super) is_between: bool,
}

/// The stream.
#[derive(Debug)]
pub(super) struct Tape {
    file: File,
    packing: Packing,
    unpacker: Unpacker,
    /// What was read from the file and not yet unpacked: `input[taken..]`, which stands at `input_at + taken` there.
    input: Vec<u8>,
    taken: usize,
    input_at: u64,
    file_ended: bool,
    /// Unpacked bytes: `window[used..]` are ahead.
    window: Vec<u8>,
    used: usize,
    /// The byte of the stream at `window[0]`.
    window_at: u64,
    /// Members that the window has bytes of, and the one before.
    marks: VecDeque<Mark>,
    /// Where the member begins that the unpacker is inside of.
    member: Option<u64>,
    damage: Option<Damage>,
    reread: u64,
}

impl Tape {
    /// The stream of a file, from its beginning. How it is packed is seen from its first bytes.
    pub(super) fn new(mut file: File) -> io::Result<Tape> {
        file.seek(SeekFrom::Start(0))?;
        let mut input = Vec::new();
        let mut file_ended = read_more(&mut file, &mut input, INPUT)?;
        if let Some(length) = dictionary_frame(&input)
            && length > input.len()
        {
            let missing = length - input.len();
            file_ended = read_more(&mut file, &mut input, missing + INPUT)?;
        }
        let packing = Packing::of(&input);
        let unpacker = Unpacker::new(packing, &input)?;
        let mut tape = Tape {
            file,
            packing,
            unpacker,
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
        tape.mark(Place::default());
        Ok(tape)
    }

    /// How the file is packed.
    pub(super) fn packing(&self) -> Packing {
        self.packing
    }

    /// The bytes ahead that are unpacked.
    pub(super) fn ahead(&self) -> &[u8] {
        &self.window[self.used..]
    }

    /// What ended the stream behind the bytes ahead, if it is not the end of the file.
    pub(super) fn damage(&self) -> Option<&Damage> {
        self.damage.as_ref()
    }

    /// Bytes that were read twice so far because of damage.
    pub(super) fn reread(&self) -> u64 {
        self.reread
    }

    /// Bytes of the file that were read.
    pub(super) fn position(&self) -> u64 {
        self.input_at + self.taken as u64
    }

    /// Unpacks until `want` bytes are ahead. There are fewer only at the end of the file and before damage.
    pub(super) fn fill(&mut self, want: usize) -> io::Result<usize> {
        while self.ahead().len() < want && self.damage.is_none() {
            if !self.unpack()? {
                break;
            }
        }
        Ok(self.ahead().len())
    }

    /// Goes on by `count` bytes of those ahead.
    pub(super) fn take(&mut self, count: usize) {
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

    /// Where the byte stands that is `count` behind the next one.
    pub(super) fn place(&self, count: usize) -> Place {
        let at = self.at() + count as u64;
        let mark = self.marks.iter().rev().find(|mark| mark.at <= at).or(self.marks.front());
        let Some(mark) = mark else { return Place::default() };
        let further = at.saturating_sub(mark.at);
        match self.packing {
            Packing::Plain => Place { offset: mark.place.offset + further, inside: 0 },
            _ => Place { offset: mark.place.offset, inside: mark.place.inside + further },
        }
    }

    /// The members that begin in the bytes ahead, as distances from the next byte, itself not counted.
    pub(super) fn members_ahead(&self) -> impl Iterator<Item = usize> {
        let at = self.at();
        self.marks.iter().filter(move |mark| mark.at > at && mark.place.inside == 0).map(move |mark| (mark.at - at) as usize)
    }

    /// Does a member, or the file, begin `count` bytes from here?
    pub(super) fn begins_member(&self, count: usize) -> bool {
        let at = self.at() + count as u64;
        let packed = self.packing != Packing::Plain;
        self.marks.iter().any(|mark| mark.at == at && mark.place.inside == 0 && (packed || mark.place.offset == 0))
    }

    /// Bytes of the file.
    pub(super) fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// Some bytes of the file, wherever they are; the tape stays where it is.
    pub(super) fn peek(&mut self, offset: u64, count: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(offset))?;
        (&self.file).take(count as u64).read_to_end(&mut bytes)?;
        self.file.seek(SeekFrom::Start(self.input_at + self.input.len() as u64))?;
        Ok(bytes)
    }

    /// Goes to a place that this tape or one of the same file gave, with the account of bytes read twice that it had.
    pub(super) fn seek(&mut self, place: Place, reread: u64) -> io::Result<()> {
        self.restart(place.offset)?;
        self.reread = reread;
        if self.packing == Packing::Plain {
            return Ok(());
        }
        let mut left = place.inside;
        while left > 0 {
            let most = usize::try_from(left).unwrap_or(OUTPUT).min(OUTPUT);
            let there = self.fill(most)?.min(most);
            if there == 0 {
                break;
            }
            self.take(there);
            left -= there as u64;
        }
        Ok(())
    }

    /// Leaves what is damaged and goes to the next member that can be unpacked, or to the end of the file. Returns how many
    /// bytes of the file are skipped, from the beginning of the damaged member on.
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
            let Some(skip) = self.packing.find_member(&self.input[self.taken..]) else {
                // The first bytes of a member may be the last that were read.
                let keep = self.packing.magic().len().saturating_sub(1).min(self.input.len() - self.taken);
                self.taken = self.input.len() - keep;
                if self.file_ended {
                    self.taken = self.input.len();
                    break;
                }
                self.read()?;
                continue;
            };
            self.taken += skip;
            while self.input.len() - self.taken < TRIAL && !self.file_ended {
                self.read()?;
            }
            if self.unpacker.trial(&self.input[self.taken..], TRIAL) {
                break;
            }
            self.taken += 1;
        }
        self.marks.clear();
        self.mark(Place { offset: self.position(), inside: 0 });
        Ok(self.position().saturating_sub(damage.member))
    }

    /// Says that the bytes ahead are of no use although they could be unpacked, so that `recover` goes to the next member.
    pub(super) fn give_up_member(&mut self, reason: &str) {
        let noticed = self.position();
        self.damage = Some(Damage {
            reason: reason.to_owned(),
            member: noticed.saturating_sub(1),
            begins: noticed,
            noticed,
            is_between: false,
        });
    }

    /// Forgets everything and reads on at a byte of the file.
    fn restart(&mut self, offset: u64) -> io::Result<()> {
        let offset = offset.min(self.length()?);
        let ahead = offset.checked_sub(self.input_at).and_then(|ahead| usize::try_from(ahead).ok());
        if let Some(ahead) = ahead.filter(|&ahead| ahead <= self.input.len()) {
            self.taken = ahead;
        } else {
            self.file.seek(SeekFrom::Start(offset))?;
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
        self.mark(Place { offset, inside: 0 });
        Ok(())
    }

    /// The next byte that is unpacked stands at `place`.
    fn mark(&mut self, place: Place) {
        let at = self.window_at + self.window.len() as u64;
        if let Some(last) = self.marks.back_mut().filter(|last| last.at == at) {
            last.place = place;
        } else {
            self.marks.push_back(Mark { at, place });
        }
    }

    /// Reads more of the file behind what is there.
    fn read(&mut self) -> io::Result<()> {
        if self.taken > 0 {
            self.input.drain(..self.taken);
            self.input_at += self.taken as u64;
            self.taken = 0;
        }
        self.file_ended = read_more(&mut self.file, &mut self.input, INPUT)?;
        Ok(())
    }

    /// Unpacks some bytes more. False at the end of the file.
    fn unpack(&mut self) -> io::Result<bool> {
        // Bytes that were used make room when they are most of the window: every byte is moved once at most on average.
        if self.used > self.window.len() / 2 && self.used > OUTPUT {
            self.window.drain(..self.used);
            self.window_at += self.used as u64;
            self.used = 0;
        }
        match (self.packing, self.member) {
            (Packing::Plain, _) => self.copy(),
            (_, Some(member)) => self.go_on(member),
            (_, None) => self.begin_member(),
        }
    }

    /// What a file that is not packed has next.
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

    /// Unpacks some bytes more of the member that begins at `member`.
    fn go_on(&mut self, member: u64) -> io::Result<bool> {
        let length = self.window.len();
        self.window.resize(length + OUTPUT, 0);
        let step = self.unpacker.step(&self.input[self.taken..], &mut self.window[length..]);
        let (read, written) = step.as_ref().map_or((0, 0), Step::counts);
        self.window.truncate(length + written);
        self.taken += read;
        match step {
            Ok(Step::More { read: 0, written: 0 }) if self.file_ended => {
                self.broken("the file ends in a compressed member", member);
            }
            Ok(Step::More { read: 0, written: 0 }) if self.input.len() - self.taken >= INPUT => {
                self.broken("a compressed member does not go on", member);
            }
            Ok(Step::More { read: 0, written: 0 }) => self.read()?,
            Ok(Step::More { .. }) => {}
            Ok(Step::End { .. }) => self.member = None,
            Err(reason) => self.broken(&reason, member),
        }
        Ok(true)
    }

    fn begin_member(&mut self) -> io::Result<bool> {
        // Some tools fill a file up with zeros.
        self.taken += self.input[self.taken..].iter().take_while(|&&byte| byte == 0).count();
        if self.taken == self.input.len() {
            if self.file_ended {
                return Ok(false);
            }
            self.read()?;
            return Ok(true);
        }
        let offset = self.position();
        if self.marks.len() >= MOST_MEMBERS {
            // The member itself may be sound: the search begins with it.
            self.broken("a record is spread over thousands of compressed members", offset.saturating_sub(1));
            if let Some(damage) = &mut self.damage {
                damage.begins = offset;
            }
            return Ok(true);
        }
        match self.unpacker.begin(&self.input[self.taken..]) {
            Ok(Some(length)) => {
                self.taken += length;
                self.mark(Place { offset, inside: 0 });
                self.member = Some(offset);
            }
            Ok(None) if self.file_ended => self.broken("the file ends in the header of a compressed member", offset),
            Ok(None) if self.input.len() - self.taken > LONGEST_HEADER => {
                self.broken("the header of a compressed member is too long", offset);
            }
            Ok(None) => self.read()?,
            Err(reason) => self.broken(&reason, offset),
        }
        Ok(true)
    }

    fn broken(&mut self, reason: &str, member: u64) {
        let is_between = self.member.take().is_none();
        self.damage = Some(Damage { reason: reason.to_owned(), member, begins: member, noticed: self.position(), is_between });
    }
}

/// Reads up to `most` bytes more. Says whether the file has ended.
fn read_more(file: &mut File, input: &mut Vec<u8>, most: usize) -> io::Result<bool> {
    let read = file.take(most as u64).read_to_end(input)?;
    Ok(read < most)
}

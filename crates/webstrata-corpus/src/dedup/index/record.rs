//! Records of an index.

use crate::dedup::options::Keep;
use crate::io::record_file::{Record, RecordSource, write_bytes};
use std::io::{self, Write};

/// A key and a page that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    pub(crate) key: u64,
    pub(crate) doc: u32,
}

impl Record for Entry {
    const KIND: [u8; 4] = *b"keys";

    fn memory(&self) -> usize {
        size_of::<Self>()
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut bytes = [0; 12];
        bytes[..8].copy_from_slice(&self.key.to_le_bytes());
        bytes[8..].copy_from_slice(&self.doc.to_le_bytes());
        out.write_all(&bytes)
    }

    fn read(from: &mut impl RecordSource) -> io::Result<Self> {
        let [a, b, c, d, e, f, g, h, doc @ ..] = from.array::<12>()?;
        Ok(Entry { key: u64::from_le_bytes([a, b, c, d, e, f, g, h]), doc: u32::from_le_bytes(doc) })
    }
}

/// A page in the index.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Doc {
    pub(crate) id: String,
    /// Hash of its text.
    pub(crate) content: u64,
    /// Bytes of its text.
    pub(crate) length: u64,
    /// Its date in digits, as in 20240513174200; the greatest number if it has none.
    pub(crate) date: u64,
    /// Confidence of its extraction, greater is better; 0 if unknown.
    pub(crate) confidence: u32,
}

impl Doc {
    /// Its rank in a cluster by the rule `keep`; the page with the smallest rank is kept.
    pub(crate) fn rank(&self, keep: Keep) -> u64 {
        match keep {
            Keep::Longest => !self.length,
            Keep::Earliest => self.date,
            Keep::Confidence => u64::from(!self.confidence),
        }
    }
}

impl Record for Doc {
    const KIND: [u8; 4] = *b"docs";

    fn memory(&self) -> usize {
        size_of::<Self>() + self.id.len()
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        write_bytes(self.id.as_bytes(), out)?;
        out.write_all(&self.content.to_le_bytes())?;
        out.write_all(&self.length.to_le_bytes())?;
        out.write_all(&self.date.to_le_bytes())?;
        out.write_all(&self.confidence.to_le_bytes())
    }

    fn read(from: &mut impl RecordSource) -> io::Result<Self> {
        Ok(Doc { id: from.text()?, content: from.u64()?, length: from.u64()?, date: from.u64()?, confidence: from.u32()? })
    }
}

/// A date as a number with the same order: the first 14 digits of anything that begins with a year. Time zones are ignored.
pub(crate) fn date_number(date: Option<&str>) -> u64 {
    let Some(date) = date.map(str::trim) else { return u64::MAX };
    if date.len() < 4 || !date.bytes().take(4).all(|b| b.is_ascii_digit()) {
        return u64::MAX;
    }
    let digits = date.bytes().filter(u8::is_ascii_digit).chain(std::iter::repeat(b'0')).take(14);
    digits.fold(0, |number, digit| number * 10 + u64::from(digit - b'0'))
}

/// A confidence as a number with the same order.
pub(crate) fn confidence_number(confidence: Option<f32>) -> u32 {
    let confidence = confidence.filter(|c| c.is_finite()).map(|c| c.clamp(0.0, 1.0));
    confidence.map_or(0, |c| (f64::from(c) * f64::from(u32::MAX - 1)) as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn date_numbers_sort_as_dates() {
        let dates = ["1999", "2024-05-13", "2024-05-13T17:42", "2024-05-13T17:42:01Z", "20240514", "20240514000001"];
        let numbers: Vec<u64> = dates.iter().map(|date| date_number(Some(date))).collect();
        assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
        for none in [None, Some(""), Some("Wed, 01 May 2024"), Some("año 2024")] {
            assert_eq!(date_number(none), u64::MAX);
        }
    }

    #[test]
    fn higher_confidence_sorts_higher() {
        let all = [None, Some(0.0), Some(0.3), Some(0.300_01), Some(1.0)];
        assert!(all.map(confidence_number).is_sorted_by(|a, b| a < b));
        assert_eq!(confidence_number(Some(f32::NAN)), 0);
        assert_eq!(confidence_number(Some(7.0)), confidence_number(Some(1.0)));
    }
}

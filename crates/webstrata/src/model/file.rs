//! The file that a model is in: a mark, a version, a sum over the rest, then numbers, small ends first.

/// Why a model cannot be used.
///
/// ```
/// use webstrata::model::{ModelError, Reader};
/// assert_eq!(Reader::new(b"{}").unwrap_err(), ModelError::NoModel);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// Something else.
    #[error("this is not a model of webstrata")]
    NoModel,
    /// Of another version.
    #[error("the model has version {0}, and this program reads version {VERSION}: train it again")]
    Version(u8),
    /// Damaged.
    #[error("the model is damaged: its sum is wrong")]
    Sum,
    /// Cut off.
    #[error("the model ends too early")]
    End,
    /// A tree that cannot be walked.
    #[error("the model has a tree that makes no sense")]
    Tree,
    /// Made for other columns than this program has.
    #[error("the model asks for {found} columns, and this program has {expected}: train it again")]
    Columns {
        /// What the model has.
        found: usize,
        /// What this program has.
        expected: usize,
    },
}

const MARK: &[u8; 4] = b"wstr";

/// The version of the format.
const VERSION: u8 = 2;

const HEAD: usize = 9;

/// Writes a model.
///
/// ```
/// use webstrata::model::{Reader, Writer};
/// let mut out = Writer::default();
/// out.u16(7);
/// out.f32(0.5);
/// let bytes = out.finish();
/// let mut input = Reader::new(&bytes).unwrap();
/// assert_eq!((input.u16(), input.f32()), (Ok(7), Ok(0.5)));
/// assert!(input.u8().is_err());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// One byte.
    pub fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    /// Two bytes.
    pub fn u16(&mut self, value: u16) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// Four bytes.
    pub fn u32(&mut self, value: u32) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// A number in four bytes.
    pub fn f32(&mut self, value: f32) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// A small number in two bytes: steps of 1/2048, up to 16 either way.
    pub fn fixed_point(&mut self, value: f32) {
        let steps = (value * STEPS).round().clamp(f32::from(i16::MIN), f32::from(i16::MAX));
        self.bytes.extend((steps as i16).to_le_bytes());
    }

    /// The file.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        let mut file = Vec::with_capacity(self.bytes.len() + HEAD);
        file.extend(MARK);
        file.push(VERSION);
        file.extend(sum(&self.bytes).to_le_bytes());
        file.extend(self.bytes);
        file
    }
}

const STEPS: f32 = 2048.0;

/// Reads a model.
#[derive(Clone, Debug)]
pub struct Reader<'m> {
    rest: &'m [u8],
}

impl<'m> Reader<'m> {
    /// A reader of this file.
    ///
    /// # Errors
    /// When it is none, of another version, or damaged.
    pub fn new(file: &'m [u8]) -> Result<Self, ModelError> {
        let Some((head, rest)) = file.split_at_checked(HEAD).filter(|(head, _)| head.starts_with(MARK)) else {
            return Err(ModelError::NoModel);
        };
        match head {
            [_, _, _, _, VERSION, a, b, c, d] if u32::from_le_bytes([*a, *b, *c, *d]) == sum(rest) => Ok(Reader { rest }),
            [_, _, _, _, VERSION, ..] => Err(ModelError::Sum),
            [_, _, _, _, version, ..] => Err(ModelError::Version(*version)),
            _ => Err(ModelError::NoModel),
        }
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], ModelError> {
        let (taken, rest) = self.rest.split_first_chunk::<N>().ok_or(ModelError::End)?;
        self.rest = rest;
        Ok(*taken)
    }

    /// One byte.
    ///
    /// # Errors
    /// Like all the others: when the file ends before it.
    pub fn u8(&mut self) -> Result<u8, ModelError> {
        self.take().map(|[byte]| byte)
    }

    /// Two bytes.
    ///
    /// # Errors
    /// When the file ends before them.
    pub fn u16(&mut self) -> Result<u16, ModelError> {
        self.take().map(u16::from_le_bytes)
    }

    /// Four bytes.
    ///
    /// # Errors
    /// When the file ends before them.
    pub fn u32(&mut self) -> Result<u32, ModelError> {
        self.take().map(u32::from_le_bytes)
    }

    /// A number in four bytes.
    ///
    /// # Errors
    /// When the file ends before it.
    pub fn f32(&mut self) -> Result<f32, ModelError> {
        self.take().map(f32::from_le_bytes)
    }

    /// A small number in two bytes.
    ///
    /// # Errors
    /// When the file ends before it.
    pub fn fixed_point(&mut self) -> Result<f32, ModelError> {
        self.take().map(|bytes| f32::from(i16::from_le_bytes(bytes)) / STEPS)
    }
}

/// Adler's sum (RFC 1950).
fn sum(bytes: &[u8]) -> u32 {
    let (mut a, mut b) = (1u32, 0u32);
    for &byte in bytes {
        a = (a + u32::from(byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    b << 16 | a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_files_are_named() {
        let good = Writer::default().finish();
        assert!(Reader::new(&good).is_ok());
        let mut newer = good.clone();
        newer[4] = 9;
        assert_eq!(Reader::new(&newer).unwrap_err(), ModelError::Version(9));
        let mut damaged = good.clone();
        damaged[6] ^= 1;
        assert_eq!(Reader::new(&damaged).unwrap_err(), ModelError::Sum);
        assert_eq!(Reader::new(&good[..5]).unwrap_err(), ModelError::NoModel);
    }

    #[test]
    fn small_numbers() {
        let mut out = Writer::default();
        for value in [0.0, -1.5, 15.75, 99.0, -99.0] {
            out.fixed_point(value);
        }
        let bytes = out.finish();
        let mut input = Reader::new(&bytes).unwrap();
        let read: Vec<f32> = (0..5).map(|_| input.fixed_point().unwrap()).collect();
        assert_eq!(read[..3], [0.0, -1.5, 15.75]);
        assert!(read[3] > 15.9 && read[4] == -16.0);
    }
}

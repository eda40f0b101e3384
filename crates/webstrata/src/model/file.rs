//! The file format of models: magic bytes, a version, a checksum of the rest, then little-endian numbers.

use crate::span::floor_char_boundary;

/// Why a model file cannot be used.
///
/// ```
/// use webstrata::model::{ModelError, ModelReader};
/// assert_eq!(ModelReader::new(b"{}").unwrap_err(), ModelError::NotAModel);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The file does not start with the magic bytes of a model.
    #[error("this is not a webstrata model")]
    NotAModel,
    /// The file has a different format version.
    #[error("the model has format version {0}, but this program reads version {VERSION}: train the model again")]
    Version(u8),
    /// The checksum does not match.
    #[error("the model is damaged: its checksum is wrong")]
    Checksum,
    /// The file is truncated.
    #[error("the model is truncated")]
    Truncated,
    /// A tree is malformed: too deep, of the wrong size, or testing a feature that does not exist.
    #[error("the model contains a malformed tree")]
    Tree,
    /// The model was trained with a different set of features.
    #[error("the model expects {found} features, but this program computes {expected}: train the model again")]
    Features {
        /// Features that the model expects.
        found: usize,
        /// Features that this program computes.
        expected: usize,
    },
}

const MAGIC: &[u8; 4] = b"wstr";

/// Version of the format.
const VERSION: u8 = 2;

/// Length of the header: magic bytes, version and checksum.
const HEADER: usize = 9;

/// Writes a model file.
///
/// ```
/// use webstrata::model::{ModelReader, ModelWriter};
/// let mut out = ModelWriter::default();
/// out.u16(7);
/// out.f32(0.5);
/// let bytes = out.finish();
/// let mut input = ModelReader::new(&bytes).unwrap();
/// assert_eq!((input.u16(), input.f32()), (Ok(7), Ok(0.5)));
/// assert!(input.u8().is_err());
/// ```
#[derive(Clone, Debug, Default)]
pub struct ModelWriter {
    bytes: Vec<u8>,
}

impl ModelWriter {
    /// Appends one byte.
    pub fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    /// Appends two bytes.
    pub fn u16(&mut self, value: u16) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// Appends four bytes.
    pub fn u32(&mut self, value: u32) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// Appends a number in four bytes.
    pub fn f32(&mut self, value: f32) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// Appends a fixed-point number in two bytes: steps of 1/2048, clamped to ±16.
    pub fn fixed_point(&mut self, value: f32) {
        let steps = (value * STEPS_PER_UNIT).round().clamp(f32::from(i16::MIN), f32::from(i16::MAX));
        self.bytes.extend((steps as i16).to_le_bytes());
    }

    /// Appends a name: its length in one byte, then its bytes. Longer names are truncated.
    pub fn name(&mut self, name: &str) {
        let name = &name[..floor_char_boundary(name, usize::from(u8::MAX))];
        self.u8(name.len() as u8);
        self.bytes.extend(name.bytes());
    }

    /// Returns the finished file.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        let mut file = Vec::with_capacity(self.bytes.len() + HEADER);
        file.extend(MAGIC);
        file.push(VERSION);
        file.extend(checksum(&self.bytes).to_le_bytes());
        file.extend(self.bytes);
        file
    }
}

/// Steps of fixed-point numbers between 0 and 1.
const STEPS_PER_UNIT: f32 = 2048.0;

/// Reads a model file.
#[derive(Clone, Debug)]
pub struct ModelReader<'m> {
    rest: &'m [u8],
}

impl<'m> ModelReader<'m> {
    /// Checks the header and the checksum.
    ///
    /// # Errors
    /// If the file is not a model, has a different version, or is damaged.
    pub fn new(file: &'m [u8]) -> Result<Self, ModelError> {
        let Some((head, rest)) = file.split_at_checked(HEADER).filter(|(head, _)| head.starts_with(MAGIC)) else {
            return Err(ModelError::NotAModel);
        };
        match head {
            [_, _, _, _, VERSION, a, b, c, d] if u32::from_le_bytes([*a, *b, *c, *d]) == checksum(rest) => Ok(ModelReader { rest }),
            [_, _, _, _, VERSION, ..] => Err(ModelError::Checksum),
            [_, _, _, _, version, ..] => Err(ModelError::Version(*version)),
            _ => Err(ModelError::NotAModel),
        }
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], ModelError> {
        let (taken, rest) = self.rest.split_first_chunk::<N>().ok_or(ModelError::Truncated)?;
        self.rest = rest;
        Ok(*taken)
    }

    /// Reads a name.
    ///
    /// # Errors
    /// If the file ends before it, or it is not UTF-8.
    pub fn name(&mut self) -> Result<String, ModelError> {
        let length = usize::from(self.u8()?);
        let (name, rest) = self.rest.split_at_checked(length).ok_or(ModelError::Truncated)?;
        self.rest = rest;
        String::from_utf8(name.to_vec()).map_err(|_| ModelError::Truncated)
    }

    /// Reads one byte.
    ///
    /// # Errors
    /// If the file ends first, as for all the other methods.
    pub fn u8(&mut self) -> Result<u8, ModelError> {
        self.take().map(|[byte]| byte)
    }

    /// Reads two bytes.
    ///
    /// # Errors
    /// If the file ends first.
    pub fn u16(&mut self) -> Result<u16, ModelError> {
        self.take().map(u16::from_le_bytes)
    }

    /// Reads four bytes.
    ///
    /// # Errors
    /// If the file ends first.
    pub fn u32(&mut self) -> Result<u32, ModelError> {
        self.take().map(u32::from_le_bytes)
    }

    /// Reads a number in four bytes.
    ///
    /// # Errors
    /// If the file ends first.
    pub fn f32(&mut self) -> Result<f32, ModelError> {
        self.take().map(f32::from_le_bytes)
    }

    /// Reads a fixed-point number in two bytes.
    ///
    /// # Errors
    /// If the file ends first.
    pub fn fixed_point(&mut self) -> Result<f32, ModelError> {
        self.take().map(|bytes| f32::from(i16::from_le_bytes(bytes)) / STEPS_PER_UNIT)
    }
}

/// The Adler-32 checksum (RFC 1950).
fn checksum(bytes: &[u8]) -> u32 {
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
    fn unusable_files_are_rejected_with_the_cause() {
        let good = ModelWriter::default().finish();
        assert!(ModelReader::new(&good).is_ok());
        let mut newer = good.clone();
        newer[4] = 9;
        assert_eq!(ModelReader::new(&newer).unwrap_err(), ModelError::Version(9));
        let mut damaged = good.clone();
        damaged[6] ^= 1;
        assert_eq!(ModelReader::new(&damaged).unwrap_err(), ModelError::Checksum);
        assert_eq!(ModelReader::new(&good[..5]).unwrap_err(), ModelError::NotAModel);
    }

    #[test]
    fn names_are_truncated_to_255_bytes() {
        let mut out = ModelWriter::default();
        out.name("wcxb");
        out.name(&"é".repeat(200));
        let file = out.finish();
        let mut input = ModelReader::new(&file).unwrap();
        assert_eq!((input.name(), input.name()), (Ok("wcxb".to_owned()), Ok("é".repeat(127))));
        assert_eq!(input.name(), Err(ModelError::Truncated));
    }

    #[test]
    fn fixed_point_numbers() {
        let mut out = ModelWriter::default();
        for value in [0.0, -1.5, 15.75, 99.0, -99.0] {
            out.fixed_point(value);
        }
        let bytes = out.finish();
        let mut input = ModelReader::new(&bytes).unwrap();
        let read: Vec<f32> = (0..5).map(|_| input.fixed_point().unwrap()).collect();
        assert_eq!(read[..3], [0.0, -1.5, 15.75]);
        assert!(read[3] > 15.9 && read[4] == -16.0);
    }
}

//! What a file of records holds.

use std::io::{self, Read, Write};

/// Something that can be written, read again and sorted.
pub(crate) trait Record: Ord + Send + Sized {
    /// What a file says it holds, so that one is not taken for another.
    const KIND: [u8; 4];
    /// Bytes of memory that it takes, more or less.
    fn memory(&self) -> usize;
    fn write(&self, out: &mut impl Write) -> io::Result<()>;
    fn read(from: &mut impl Source) -> io::Result<Self>;
}

/// Bytes to read numbers from.
pub(crate) trait Source: Read + Sized {
    fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn u32(&mut self) -> io::Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> io::Result<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// A text with its length before it. Memory is taken as bytes come, not as the length says.
    fn text(&mut self) -> io::Result<String> {
        let length = self.u32()?;
        let mut bytes = Vec::new();
        let read = self.by_ref().take(length.into()).read_to_end(&mut bytes)?;
        if read < length as usize {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        String::from_utf8(bytes).map_err(|_| io::ErrorKind::InvalidData.into())
    }
}

impl<R: Read> Source for R {}

/// Writes a text with its length before it.
pub(crate) fn write_text(text: &str, out: &mut impl Write) -> io::Result<()> {
    let length = u32::try_from(text.len()).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(text.as_bytes())
}

//! Serialised site data: a first line, the value, and a checksum of both.

use serde::{Deserialize, Serialize};
use std::io;
use xxhash_rust::xxh3::xxh3_64;

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It is a different kind of file.
    #[error("not a file of this kind, or one of a different version; create it again with `webstrata site`")]
    Kind,
    /// It was truncated or changed.
    #[error("the file is damaged (its checksum does not match); create it again with `webstrata site`")]
    Damaged,
    /// Its values are inconsistent.
    #[error("the file is damaged ({0}); create it again with `webstrata site`")]
    Inconsistent(&'static str),
    /// It could not be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Serialises a value.
pub(crate) fn pack(magic: &[u8], value: &impl Serialize) -> Result<Vec<u8>, FileError> {
    let mut bytes = postcard::to_extend(value, magic.to_vec()).map_err(|_| FileError::Inconsistent("it cannot be serialised"))?;
    let sum = xxh3_64(&bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
    Ok(bytes)
}

/// Reads a serialised value.
pub(crate) fn unpack<'b, T: Deserialize<'b>>(magic: &[u8], bytes: &'b [u8]) -> Result<T, FileError> {
    let Some(rest) = bytes.strip_prefix(magic) else { return Err(FileError::Kind) };
    let Some((value, sum)) = rest.split_last_chunk::<8>() else { return Err(FileError::Damaged) };
    if xxh3_64(&bytes[..bytes.len() - 8]) != u64::from_le_bytes(*sum) {
        return Err(FileError::Damaged);
    }
    match postcard::take_from_bytes::<T>(value) {
        Ok((value, [])) => Ok(value),
        _ => Err(FileError::Damaged),
    }
}

/// Corrects the checksum of changed bytes, to test the checks that follow it.
#[cfg(test)]
pub(crate) fn reseal(bytes: &mut [u8]) {
    if let Some((value, sum)) = bytes.split_last_chunk_mut::<8>() {
        *sum = xxh3_64(value).to_le_bytes();
    }
}

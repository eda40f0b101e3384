//! Looks up encodings by the names that users give.

use encoding_rs::Encoding;
use thiserror::Error;

/// Encodings of the Web, by their names in the WHATWG Encoding standard.
const ENCODINGS: &str = "UTF-8 IBM866 ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8 \
ISO-8859-8-I ISO-8859-10 ISO-8859-13 ISO-8859-14 ISO-8859-15 ISO-8859-16 KOI8-R KOI8-U macintosh windows-874 windows-1250 \
windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 x-mac-cyrillic GBK \
gb18030 Big5 EUC-JP ISO-2022-JP Shift_JIS EUC-KR UTF-16BE UTF-16LE x-user-defined";

/// An unknown encoding.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "unknown encoding '{0}'; choose one of: {names} (or another WHATWG label for one of them)",
    names = ENCODINGS.replace(' ', ", ")
)]
pub struct UnknownEncoding(String);

/// The encoding with this label.
///
/// ```
/// use webstrata_corpus::input::encoding;
/// assert_eq!(encoding("latin1")?.name(), "windows-1252");
/// assert!(encoding("latin99").unwrap_err().to_string().contains("UTF-8, IBM866"));
/// # Ok::<(), webstrata_corpus::input::UnknownEncoding>(())
/// ```
///
/// # Errors
/// If there is no such encoding.
pub fn encoding(label: &str) -> Result<&'static Encoding, UnknownEncoding> {
    Encoding::for_label_no_replacement(label.as_bytes()).ok_or_else(|| UnknownEncoding(label.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_listed_encodings_exist() {
        for name in ENCODINGS.split(' ') {
            let encoding = Encoding::for_label_no_replacement(name.as_bytes());
            assert_eq!(encoding.map(Encoding::name), Some(name));
        }
    }
}

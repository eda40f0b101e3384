//! Byte scanning without `unsafe`: a few words of eight bytes first, then `memchr` for longer distances.
//!
//! Most distances in dense markup are under 16 bytes, where calling `memchr` costs more than the
//! search itself; on documentation pages the word-wise start saves a quarter of the time.

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Words of eight bytes tried before `memchr` takes over.
const SHORT_WORDS: usize = 3;

/// Eight bytes at `at` as one little-endian word.
#[inline(always)]
pub(crate) fn word(bytes: &[u8], at: usize) -> Option<u64> {
    let eight = bytes.get(at..at + 8)?;
    Some(u64::from_le_bytes(<[u8; 8]>::try_from(eight).ok()?))
}

/// High bits of the bytes of `w` that equal `c`; exact up to and including the lowest one set.
#[inline(always)]
const fn equal(w: u64, c: u8) -> u64 {
    let x = w ^ (LOW * c as u64);
    x.wrapping_sub(LOW) & !x & HIGH
}

/// High bits of the bytes of `w` that equal `c`; exact.
#[inline(always)]
const fn same(w: u64, c: u8) -> u64 {
    let x = w ^ (LOW * c as u64);
    !((x & !HIGH).wrapping_add(!HIGH) | x) & HIGH
}

/// High bits of the ASCII bytes of `w` that are below `c`; exact up to and including the lowest one set.
#[inline(always)]
const fn below(w: u64, c: u8) -> u64 {
    w.wrapping_sub(LOW * c as u64) & !w & HIGH
}

/// Position of the lowest byte whose high bit is set.
#[inline(always)]
const fn lowest(marks: u64) -> usize {
    (marks.trailing_zeros() / 8) as usize
}

/// Position of `needle` at or after `from`, or `bytes.len()`.
#[inline(always)]
pub(crate) fn find(bytes: &[u8], from: usize, needle: u8) -> usize {
    let mut at = from;
    for _ in 0..SHORT_WORDS {
        let Some(w) = word(bytes, at) else { break };
        let marks = equal(w, needle);
        if marks != 0 {
            return at + lowest(marks);
        }
        at += 8;
    }
    match bytes.get(at..).and_then(|rest| memchr::memchr(needle, rest)) {
        Some(k) => at + k,
        None => bytes.len(),
    }
}

/// End of the tag name that continues at `at`: white space, `/`, `>` or the end of the input.
#[inline(always)]
pub(crate) fn tag_name_end(bytes: &[u8], at: usize) -> usize {
    // Control characters other than white space are also marked; the slow path then decides.
    if let Some(w) = word(bytes, at) {
        let marks = below(w, b'!') | equal(w, b'/') | equal(w, b'>');
        if marks != 0 && is(bytes[at + lowest(marks)], TAG_END) {
            return at + lowest(marks);
        }
    }
    until(bytes, at, TAG_END)
}

/// End of the attribute name that continues at `at`: white space, `/`, `>`, `=` or the end of the input.
#[inline(always)]
pub(crate) fn attribute_name_end(bytes: &[u8], at: usize) -> usize {
    if let Some(w) = word(bytes, at) {
        let marks = below(w, b'!') | equal(w, b'/') | equal(w, b'>') | equal(w, b'=');
        if marks != 0 && is(bytes[at + lowest(marks)], NAME_END) {
            return at + lowest(marks);
        }
    }
    until(bytes, at, NAME_END)
}

/// First position at or after `at` that is not white space.
///
/// Eight bytes at a time without a branch: the length of a run of white space is unpredictable, and a
/// branch misprediction costs more than examining a whole word.
#[inline(always)]
pub(crate) fn skip_white(bytes: &[u8], mut at: usize) -> usize {
    while let Some(w) = word(bytes, at) {
        let white = same(w, b' ') | same(w, b'\n') | same(w, b'\t') | same(w, b'\r') | same(w, 0x0c);
        let other = white ^ HIGH;
        if other != 0 {
            return at + lowest(other);
        }
        at += 8;
    }
    skip(bytes, at, WHITE)
}

/// Tab, line feed, form feed, carriage return, space.
pub(crate) const WHITE: u8 = 1;
/// ASCII letters.
pub(crate) const ALPHA: u8 = 2;
/// Ends a tag name: white space, `/`, `>`.
pub(crate) const TAG_END: u8 = 4;
/// Ends an attribute name: white space, `/`, `>`, `=`.
pub(crate) const NAME_END: u8 = 8;
/// Ends an unquoted attribute value: white space, `>`.
pub(crate) const UNQUOTED_END: u8 = 16;
/// ASCII letters and digits.
pub(crate) const ALNUM: u8 = 32;

const CLASS: [u8; 256] = {
    let mut table = [0u8; 256];
    let mut i = 0;
    while i < 256 {
        let c = i as u8;
        if matches!(c, b'\t' | b'\n' | 0x0c | b'\r' | b' ') {
            table[i] |= WHITE | TAG_END | NAME_END | UNQUOTED_END;
        }
        if c == b'>' {
            table[i] |= TAG_END | NAME_END | UNQUOTED_END;
        }
        if c == b'/' {
            table[i] |= TAG_END | NAME_END;
        }
        if c == b'=' {
            table[i] |= NAME_END;
        }
        if c.is_ascii_alphabetic() {
            table[i] |= ALPHA;
        }
        if c.is_ascii_alphanumeric() {
            table[i] |= ALNUM;
        }
        i += 1;
    }
    table
};

/// Whether `c` is in one of the classes `class`.
#[inline(always)]
pub(crate) fn is(c: u8, class: u8) -> bool {
    CLASS[c as usize] & class != 0
}

/// First position at or after `at` that is not in `class`.
#[inline(always)]
pub(crate) fn skip(bytes: &[u8], mut at: usize, class: u8) -> usize {
    while at < bytes.len() && is(bytes[at], class) {
        at += 1;
    }
    at
}

/// First position at or after `at` that is in `class`.
#[inline(always)]
pub(crate) fn until(bytes: &[u8], mut at: usize, class: u8) -> usize {
    while at < bytes.len() && !is(bytes[at], class) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_names_equal_the_naive_search() {
        let mut random = 1u64;
        for _ in 0..20_000 {
            let bytes: Vec<u8> = (0..24)
                .map(|_| {
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    b"abcXYZ019-:\xc3\xa9\0\x0b\x1f!.<;@ \n\t/>="[(random >> 33) as usize % 27]
                })
                .collect();
            for from in 0..=bytes.len() {
                assert_eq!(tag_name_end(&bytes, from), until(&bytes, from, TAG_END));
                assert_eq!(attribute_name_end(&bytes, from), until(&bytes, from, NAME_END));
                assert_eq!(skip_white(&bytes, from), skip(&bytes, from, WHITE));
            }
        }
        for spaces in 0..40 {
            let text = format!("\r\n{}x", " ".repeat(spaces));
            assert_eq!(skip_white(text.as_bytes(), 0), spaces + 2);
            assert_eq!(skip_white(&text.as_bytes()[..spaces + 2], 0), spaces + 2);
        }
    }

    #[test]
    fn find_equals_the_naive_search() {
        let mut text = vec![b'x'; 90];
        for hit in [0usize, 1, 7, 8, 9, 23, 24, 25, 40, 89] {
            text[hit] = b'<';
            // A byte one above the needle right after a hit is the classic false positive of this trick.
            if hit + 1 < 90 {
                text[hit + 1] = b'=';
            }
            for from in 0..=text.len() {
                let naive = text[from..].iter().position(|&c| c == b'<').map_or(text.len(), |k| from + k);
                assert_eq!(find(&text, from, b'<'), naive);
            }
        }
    }
}

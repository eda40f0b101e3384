//! Statistical detection of a page's encoding, for bytes without conclusive evidence.
//!
//! No standard prescribes this ("the user agent may attempt to autodetect"). The statistics are
//! those of `chardetng`; added here are a measure of how well an encoding fits, tolerance for
//! the odd broken byte and for four-byte GB18030 (either makes `chardetng` drop the right
//! candidate for good), a test of how firm a guess is, and the page's `lang` as evidence where
//! there is little text.

use super::label::{self, Script};
use super::language::{is_one_language, region};
use super::sample::Sample;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GBK, ISO_8859_2, SHIFT_JIS, WINDOWS_1250, WINDOWS_1252, WINDOWS_1254, WINDOWS_1257,
};

/// One faulty character in this many non-ASCII ones is attributed to a broken byte; more means that
/// the encoding is wrong.
const MIN_CHARS_PER_ERROR: usize = 33;

/// Number of non-ASCII letters below which the page's `lang` influences the guess. `chardetng` lets a regional
/// expectation rule out all other regions, which is too strong for a longer text with a copied `lang`.
const FEW_LETTERS: usize = 60;

/// Number of non-ASCII letters a guess must rest on to overrule a declaration of another script or of
/// another multi-byte encoding. Mistakes across scripts are rare even in headlines.
const FIRM_LETTERS: usize = 12;

/// The same among Latin encodings, which share most of their letters.
const FIRM_LATIN_LETTERS: usize = 24;

/// Distinct non-ASCII letters a Latin guess must rest on; with fewer, windows-1252 is assumed.
const DISTINCT_LATIN_LETTERS: usize = 4;

/// Latin encodings tried when the letters of the guess belong to no language. ISO-8859-2 comes
/// after windows-1250, which has more letters in common with the rest of the world.
const LATIN_ENCODINGS: [&Encoding; 5] = [WINDOWS_1252, WINDOWS_1250, ISO_8859_2, WINDOWS_1254, WINDOWS_1257];

/// How well an encoding fits some bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fit {
    /// Non-ASCII characters, including decoding errors.
    non_ascii: usize,
    /// Non-ASCII letters.
    letters: usize,
    /// Number of distinct letters, counted up to [`DISTINCT_LATIN_LETTERS`].
    distinct: usize,
    /// Malformed sequences, C1 control characters and private-use characters, none of which belongs in a page.
    faults: usize,
}

impl Fit {
    fn new(text: &str) -> Self {
        let mut fit = Self::default();
        let mut letters = ['\0'; DISTINCT_LATIN_LETTERS];
        for c in text.chars().filter(|c| !c.is_ascii()) {
            fit.non_ascii += 1;
            fit.faults += usize::from(is_fault(c));
            if c.is_alphabetic() {
                fit.letters += 1;
                if !letters.contains(&c)
                    && let Some(free) = letters.get_mut(fit.distinct)
                {
                    *free = c;
                    fit.distinct += 1;
                }
            }
        }
        fit
    }

    /// Whether there are so few decoding errors that they may be accidental.
    pub(crate) fn is_good(self) -> bool {
        self.faults * MIN_CHARS_PER_ERROR <= self.non_ascii
    }
}

/// A sample of the page, with the queries that statistics can answer.
pub(crate) struct Detection {
    sample: Sample,
    region: Option<&'static [u8]>,
}

impl Detection {
    /// Samples the page; `language` is the `lang` it declares.
    pub(crate) fn new(page: &[u8], language: Option<&[u8]>) -> Self {
        Self { sample: Sample::new(page), region: language.and_then(region) }
    }

    /// How well an encoding fits.
    pub(crate) fn fit(&self, encoding: &'static Encoding) -> Fit {
        Fit::new(&self.text(encoding))
    }

    fn text(&self, encoding: &'static Encoding) -> String {
        text_of(self.sample.bytes(), encoding)
    }

    /// The most likely encoding; `None` when nothing fits, as with binary data.
    pub(crate) fn guess(&self) -> Option<&'static Encoding> {
        let mut guess = guess_of(self.sample.bytes());
        if self.region.is_some() && self.fit(guess).letters < FEW_LETTERS {
            guess = statistics(self.sample.bytes(), self.region);
        } else if label::script(guess) != Script::Cjk {
            guess = self.guess_broken().unwrap_or(guess);
        }
        self.fit(guess).is_good().then_some(guess)
    }

    /// A multi-byte encoding that fits except for a few characters, and that is the guess once these are removed.
    fn guess_broken(&self) -> Option<&'static Encoding> {
        [GBK, SHIFT_JIS, EUC_JP, EUC_KR, BIG5].into_iter().find(|encoding| {
            let mut text = self.text(encoding);
            if !Fit::new(&text).is_good() {
                return false;
            }
            text.retain(|c| !is_fault(c));
            // GBK encodes the characters of four-byte GB18030 as numeric references, which are plain ASCII.
            let (repaired, ..) = encoding.encode(&text);
            repaired.as_ref() != self.sample.bytes() && statistics(&repaired, None) == *encoding
        })
    }

    /// Whether `guess` is firm enough to overrule a declaration that fits the bytes as well:
    /// enough letters, and the same guess from either half of them.
    ///
    /// A deliberate declaration of a Latin encoding is never overruled by another Latin one, only
    /// windows-1252 (and so ISO-8859-1), which servers and editors declare by default.
    pub(crate) fn overrules(&self, guess: &'static Encoding, declared: &'static Encoding) -> bool {
        if label::are_compatible(guess, declared) {
            return false;
        }
        let latin = label::script(guess) == Script::Latin;
        let needed = if latin && label::script(declared) == Script::Latin {
            if declared != WINDOWS_1252 {
                return false;
            }
            FIRM_LATIN_LETTERS
        } else {
            FIRM_LETTERS
        };
        let mut text = self.text(guess);
        text.retain(|c| !is_fault(c));
        // Split between characters: multi-byte text may have no other split point.
        let middle = text.char_indices().nth(text.chars().count() / 2);
        let halves = text.split_at_checked(middle.map_or(0, |(at, _)| at));
        Fit::new(&text).letters >= needed
            && halves.is_some_and(|(left, right)| {
                [left, right].into_iter().all(|half| label::are_compatible(guess_of(&guess.encode(half).0), guess))
            })
    }
}

/// The guess for some bytes, before any outside evidence.
fn guess_of(bytes: &[u8]) -> &'static Encoding {
    let guess = statistics(bytes, None);
    if label::script(guess) != Script::Latin {
        return guess;
    }
    let text = text_of(bytes, guess);
    // The symbols of English pages (©, ®, £) are letters in other Latin encodings.
    if Fit::new(&text).distinct < DISTINCT_LATIN_LETTERS {
        return WINDOWS_1252;
    }
    if is_one_language(&text) {
        return guess;
    }
    let others = LATIN_ENCODINGS.into_iter().filter(|&other| other != guess);
    others
        .map(|other| (other, text_of(bytes, other)))
        .find(|(_, text)| {
            let fit = Fit::new(text);
            fit.is_good() && fit.distinct >= DISTINCT_LATIN_LETTERS && is_one_language(text)
        })
        .map_or(guess, |(other, _)| other)
}

/// The guess of `chardetng`. The sample is never closed: its end may cut a character.
fn statistics(sample: &[u8], region: Option<&[u8]>) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(sample, false);
    detector.guess(region, Utf8Detection::Deny)
}

/// The decoded sample, with errors as U+FFFD and without a character cut off at its end.
fn text_of(sample: &[u8], encoding: &'static Encoding) -> String {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let room = decoder.max_utf8_buffer_length(sample.len()).unwrap_or(0);
    let mut text = String::with_capacity(room);
    // With this capacity a single call decodes the whole sample.
    let _ = decoder.decode_to_string(sample, &mut text, false);
    text
}

/// Whether a decoded character reveals a wrong encoding.
fn is_fault(c: char) -> bool {
    matches!(c, '\u{FFFD}' | '\u{80}'..='\u{9F}' | '\u{E000}'..='\u{F8FF}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{KOI8_U, WINDOWS_1251, WINDOWS_1253};

    fn guess(text: &str, encoding: &'static Encoding, language: Option<&str>) -> &'static str {
        let (bytes, ..) = encoding.encode(text);
        let detection = Detection::new(&bytes, language.map(str::as_bytes));
        detection.guess().map_or("none", Encoding::name)
    }

    #[test]
    fn a_headline_is_enough_for_most_encodings() {
        assert_eq!(guess("Новости города за неделю", WINDOWS_1251, None), "windows-1251");
        assert_eq!(guess("Новости города за неделю", KOI8_U, None), "KOI8-U");
        assert_eq!(guess("Νέα της εβδομάδας από την πόλη", WINDOWS_1253, None), "windows-1253");
        assert_eq!(guess("本周城市新闻汇总", GBK, None), "GBK");
        assert_eq!(guess("今週のニュースのまとめ", SHIFT_JIS, None), "Shift_JIS");
        assert_eq!(guess("이번 주 도시 소식 모음", EUC_KR, None), "EUC-KR");
    }

    #[test]
    fn the_language_helps_where_there_is_little_text() {
        let czech = "Předpověď počasí";
        assert_eq!(guess(czech, WINDOWS_1250, Some("cs-CZ")), "windows-1250");
        assert_eq!(guess("最新消息", BIG5, Some("zh-Hant")), "Big5");
        assert_eq!(guess("最新消息", BIG5, Some("zh_TW")), "Big5");
    }

    #[test]
    fn alphabets_settle_close_cases() {
        let hungarian = "Őszi erdőben sűrű köd ült, a fűben gyümölcsök hevertek, később fölszállt";
        assert_eq!(guess(hungarian, WINDOWS_1250, None), "windows-1250");
        let lithuanian = "Žiemą ežeras užšąla, o vaikai džiaugiasi čiuoždami iki vėlaus vakaro, kurį";
        assert_eq!(guess(lithuanian, WINDOWS_1257, None), "windows-1257");
    }

    #[test]
    fn a_firm_guess_needs_enough_text() {
        let (bytes, ..) = WINDOWS_1251.encode("Да, нет");
        assert!(!Detection::new(&bytes, None).overrules(WINDOWS_1251, WINDOWS_1252));
        let (bytes, ..) = WINDOWS_1251.encode("Новости города за неделю, погода и афиша театров");
        let detection = Detection::new(&bytes, None);
        assert!(detection.overrules(WINDOWS_1251, WINDOWS_1252));
        assert!(!detection.overrules(WINDOWS_1251, WINDOWS_1251));
        assert!(!detection.overrules(WINDOWS_1252, WINDOWS_1250));
    }

    #[test]
    fn nothing_fits_noise() {
        let noise: Vec<u8> = (0x80..=0xFF).collect::<Vec<u8>>().repeat(9);
        assert_eq!(Detection::new(&noise, None).guess(), None);
    }
}

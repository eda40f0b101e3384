//! Points in time, read from the formats that archives and tables use and written as RFC 3339.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use webstrata::content::metadata::Date;

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400;
/// The years that can be written with four digits, in seconds since 1970.
const YEARS: std::ops::Range<i64> = -62_167_219_200..253_402_300_800;

/// Microseconds since 1970-01-01 in UTC, between the years 0 and 9999.
///
/// ```
/// use webstrata_corpus::Timestamp;
/// let fetched = Timestamp::parse("2024-05-01T14:00:00.25+02:00").unwrap();
/// assert_eq!((fetched.micros(), fetched.to_string().as_str()), (1_714_564_800_250_000, "2024-05-01T12:00:00.250Z"));
/// assert_eq!(Timestamp::parse("20240501120000").unwrap().to_string(), "2024-05-01T12:00:00Z");
/// assert_eq!(Timestamp::parse("yesterday"), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The point in time this many microseconds after 1970, if it can be written.
    #[must_use]
    pub fn from_micros(micros: i64) -> Option<Timestamp> {
        YEARS.contains(&micros.div_euclid(SECOND)).then_some(Timestamp(micros))
    }

    /// Microseconds after 1970.
    #[must_use]
    pub fn micros(self) -> i64 {
        self.0
    }

    /// Reads a date of ISO 8601 (`2024-05-01T12:00:00.5+02:00`, or less of it), 14 or 8 digits as in the index of an archive
    /// (`20240501120000`), seconds, milliseconds or microseconds since 1970, or the date of an HTTP header. A missing zone is
    /// taken as UTC, a missing time as midnight.
    #[must_use]
    pub fn parse(text: &str) -> Option<Timestamp> {
        let text = text.trim();
        match text.len() {
            length if text.bytes().all(|byte| byte.is_ascii_digit()) => digits(text, length),
            _ => iso(text).or_else(|| Date::parse(text, None).and_then(|date| Timestamp::from_date(&date))),
        }
    }

    /// The time of a date in a page's metadata. A missing zone is taken as UTC, a missing time as midnight.
    #[must_use]
    pub fn from_date(date: &Date) -> Option<Timestamp> {
        let days = days(i64::from(date.year()), i64::from(date.month()), i64::from(date.day()));
        let seconds = date.time().map_or(0, |time| {
            let minutes = i64::from(time.hour) * 60 + i64::from(time.minute) - i64::from(time.offset.unwrap_or_default());
            minutes * 60 + i64::from(time.second)
        });
        Timestamp::from_micros((days * DAY + seconds).checked_mul(SECOND)?)
    }
}

/// A number: a date without separators, or a count since 1970.
fn digits(text: &str, length: usize) -> Option<Timestamp> {
    let part = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
    let number = || text.parse::<i64>().ok();
    match length {
        8 => moment([part(0, 4)?, part(4, 6)?, part(6, 8)?, 0, 0, 0]).and_then(|seconds| Timestamp::from_micros(seconds * SECOND)),
        14 => {
            let parts = [part(0, 4)?, part(4, 6)?, part(6, 8)?, part(8, 10)?, part(10, 12)?, part(12, 14)?];
            moment(parts).and_then(|seconds| Timestamp::from_micros(seconds * SECOND))
        }
        9 | 10 => Timestamp::from_micros(number()?.checked_mul(SECOND)?),
        12 | 13 => Timestamp::from_micros(number()?.checked_mul(1000)?),
        15 | 16 => Timestamp::from_micros(number()?),
        _ => None,
    }
}

/// A date of ISO 8601.
fn iso(text: &str) -> Option<Timestamp> {
    let mut rest = text.as_bytes();
    let year = number(&mut rest, 4)?;
    let mut parts = [year, 1, 1, 0, 0, 0];
    for (at, separators) in [(1, &b"-"[..]), (2, b"-"), (3, b"Tt "), (4, b":"), (5, b":")] {
        if !rest.first().is_some_and(|byte| separators.contains(byte)) {
            break;
        }
        rest = &rest[1..];
        parts[at] = number(&mut rest, 2)?;
    }
    let mut micros = 0;
    if let [b'.' | b',', fraction @ ..] = rest {
        let count = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let digits = fraction[..count].iter().chain(std::iter::repeat(&b'0')).take(6);
        micros = digits.fold(0, |micros, digit| micros * 10 + i64::from(digit - b'0'));
        rest = fraction.get(count..).filter(|_| count > 0)?;
    }
    let seconds = moment(parts)?.checked_sub(offset(rest.trim_ascii_start())?)?;
    Timestamp::from_micros(seconds.checked_mul(SECOND)?.checked_add(micros)?)
}

/// Seconds east of UTC.
fn offset(zone: &[u8]) -> Option<i64> {
    let (sign, mut rest) = match zone {
        [] | [b'Z' | b'z'] => return Some(0),
        b"UTC" | b"GMT" => return Some(0),
        [b'+', rest @ ..] => (1, rest),
        [b'-', rest @ ..] => (-1, rest),
        _ => return None,
    };
    let hours = number(&mut rest, 2)?;
    rest = rest.strip_prefix(b":").unwrap_or(rest);
    let minutes = if rest.is_empty() { 0 } else { number(&mut rest, 2)? };
    (rest.is_empty() && hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes) * 60)
}

/// The number of exactly `count` digits at the start of `rest`, which continues after it.
fn number(rest: &mut &[u8], count: usize) -> Option<i64> {
    let (digits, after) = rest.split_at_checked(count)?;
    let is_number = digits.iter().all(u8::is_ascii_digit) && !after.first().is_some_and(u8::is_ascii_digit);
    *rest = after;
    is_number.then(|| digits.iter().fold(0, |number, digit| number * 10 + i64::from(digit - b'0')))
}

/// Seconds since 1970 of year, month, day, hour, minute and second, if they exist. A leap second is mapped to the second before it.
fn moment([year, month, day, hour, minute, second]: [i64; 6]) -> Option<i64> {
    let is_date = (1..=12).contains(&month) && day >= 1 && day <= length_of(year, month);
    let is_time = (hour < 24 && minute < 60 && second <= 60) || (hour, minute, second) == (24, 0, 0);
    (is_date && is_time).then(|| days(year, month, day) * DAY + hour * 3600 + minute * 60 + second.min(59))
}

fn length_of(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to a day. Years begin in March here, so that the leap day is their last; 400 of them have 146,097 days.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, year) = (year.div_euclid(400), year.rem_euclid(400));
    era * 146_097 + year * 365 + year / 4 - year / 100 + (153 * month + 2) / 5 + day - 1 - 719_468
}

/// Year, month and day of a number of days since 1970.
fn civil(days: i64) -> (i64, i64, i64) {
    let day = days + 719_468;
    let (era, day) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    if month < 10 { (era * 400 + year, month + 3, day) } else { (era * 400 + year + 1, month - 9, day) }
}

/// `2024-05-01T12:00:00Z`, with milliseconds or microseconds if there are any.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, micros) = (self.0.div_euclid(SECOND), self.0.rem_euclid(SECOND));
        let (year, month, day) = civil(seconds.div_euclid(DAY));
        let time = seconds.rem_euclid(DAY);
        write!(f, "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}", time / 3600, time / 60 % 60, time % 60)?;
        match micros {
            0 => f.write_str("Z"),
            micros if micros % 1000 == 0 => write!(f, ".{:03}Z", micros / 1000),
            micros => write!(f, ".{micros:06}Z"),
        }
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Timestamp::parse(&text).ok_or_else(|| serde::de::Error::custom(format!("`{text}` is not a time")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn dates_are_written_as_in_archives() {
        for (seconds, want) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_714_564_800, "2024-05-01T12:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (YEARS.start, "0000-01-01T00:00:00Z"),
            (YEARS.end - 1, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(Timestamp::from_micros(seconds * SECOND).unwrap().to_string(), want);
        }
        assert_eq!(Timestamp::from_micros(YEARS.end * SECOND), None);
        assert_eq!(Timestamp::from_micros(i64::MIN), None);
    }

    #[test]
    fn forms_of_dates() {
        for (text, want) in [
            ("2024-05-01T12:00:00Z", "2024-05-01T12:00:00Z"),
            ("2024-05-01T12:00:00.123456789Z", "2024-05-01T12:00:00.123456Z"),
            ("2024-05-01t12:00:00,5z", "2024-05-01T12:00:00.500Z"),
            ("2024-05-01 12:00", "2024-05-01T12:00:00Z"),
            ("2024-05-01", "2024-05-01T00:00:00Z"),
            ("2024-05", "2024-05-01T00:00:00Z"),
            ("2024-05-01T00:30:00+0530", "2024-04-30T19:00:00Z"),
            ("2024-05-01T00:30:00 -08", "2024-05-01T08:30:00Z"),
            ("2024-05-01 12:00:00 UTC", "2024-05-01T12:00:00Z"),
            ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z"),
            ("2024-05-01T24:00:00Z", "2024-05-02T00:00:00Z"),
            ("1714564800", "2024-05-01T12:00:00Z"),
            ("1714564800250", "2024-05-01T12:00:00.250Z"),
            ("1714564800000001", "2024-05-01T12:00:00.000001Z"),
            ("20240501", "2024-05-01T00:00:00Z"),
            ("Wed, 01 May 2024 12:00:00 GMT", "2024-05-01T12:00:00Z"),
        ] {
            assert_eq!(Timestamp::parse(text).map(|time| time.to_string()).as_deref(), Some(want), "{text}");
        }
        for text in ["", "d", "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z", "99999999999999999999", "20241301", "ä"] {
            assert_eq!(Timestamp::parse(text), None, "{text}");
        }
    }

    #[test]
    fn dates_of_pages() {
        let of = |text: &str| Timestamp::from_date(&Date::parse(text, None).unwrap()).unwrap().to_string();
        assert_eq!(of("2024-05-13T17:42:00+02:00"), "2024-05-13T15:42:00Z");
        assert_eq!(of("2024-05-13T17:42:00"), "2024-05-13T17:42:00Z");
        assert_eq!(of("2024-05-13"), "2024-05-13T00:00:00Z");
    }

    proptest! {
        #[test]
        fn what_is_written_can_be_read(micros in (YEARS.start * SECOND)..(YEARS.end * SECOND)) {
            let time = Timestamp::from_micros(micros).unwrap();
            prop_assert_eq!(Timestamp::parse(&time.to_string()), Some(time));
        }

        #[test]
        fn any_text_is_safe(text in "[0-9T:.Z+\\-ä ]{0,30}") {
            let _ = Timestamp::parse(&text);
        }
    }
}

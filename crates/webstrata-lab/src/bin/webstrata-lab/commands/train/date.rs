//! The date of a training run.

use std::time::{SystemTime, UNIX_EPOCH};

/// Today's date in UTC, for the card. SOURCE_DATE_EPOCH overrides the clock, so that models can be reproduced byte for byte.
pub(super) fn today() -> String {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.trim().parse::<u64>().ok());
    let seconds = given.or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).ok().map(|time| time.as_secs()));
    day(seconds.unwrap_or(0) / 86_400)
}

/// Days since 1970-01-01 as a date of the Gregorian calendar.
fn day(mut days: u64) -> String {
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    // 400 years are 146,097 days; the rest takes at most 400 iterations.
    let mut year = 1970 + days / 146_097 * 400;
    days %= 146_097;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let mut month = 1;
    for length in [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year:04}-{month:02}-{:02}", days + 1)
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn days_become_dates() {
        for (days, want) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (364, "1970-12-31"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (19_782, "2024-02-29"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
            (146_097, "2370-01-01"),
        ] {
            assert_eq!(day(days), want);
        }
    }
}

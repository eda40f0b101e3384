//! Dates: a day, optionally with time and zone, parsed from the formats that pages use and formatted as ISO 8601.

use std::fmt;

/// A day of the Gregorian calendar, with the time if the page gives it.
///
/// ```
/// use webstrata::content::metadata::Date;
/// let date = Date::parse("May 13, 2024 5:42 PM EST", None).unwrap();
/// assert_eq!(date.to_string(), "2024-05-13T17:42:00-05:00");
/// assert_eq!((date.year(), date.month(), date.day()), (2024, 5, 13));
/// assert_eq!(date.to_day().to_string(), "2024-05-13");
/// assert_eq!(Date::parse("2024年5月13日", None).map(|d| d.to_string()).as_deref(), Some("2024-05-13"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
    time: Option<Time>,
}

/// A time of day, with the zone's offset from UTC in minutes.
///
/// ```
/// use webstrata::content::metadata::{Date, Time};
/// let date = Date::parse("2024-05-13T17:42:00+02:00", None).unwrap();
/// assert_eq!(date.time(), Some(Time { hour: 17, minute: 42, second: 0, offset: Some(120) }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Time {
    /// 0 to 23.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
    /// 0 to 59; 0 if the page does not give it.
    pub second: u8,
    /// Minutes east of UTC, if the page gives the zone.
    pub offset: Option<i16>,
}

impl Date {
    /// Parses the first date in a text. `language` is the language of the page, such as `en-US`. It decides whether 05/06/2024
    /// starts with the month or the day; without it, such a date is not recognised.
    #[must_use]
    pub fn parse(text: &str, language: Option<&str>) -> Option<Date> {
        super::read_date::read(text, language)
    }

    /// The date of a Unix timestamp in seconds.
    pub(super) fn from_unix(seconds: u64) -> Option<Date> {
        let (mut days, second) = (seconds / 86_400, seconds % 86_400);
        let mut year = 1970;
        while days >= 365 + u64::from(is_leap(year)) {
            days -= 365 + u64::from(is_leap(year));
            year = if year < 2100 { year + 1 } else { return None };
        }
        let mut month = 1;
        while days >= u64::from(days_in_month(year, month)) {
            days -= u64::from(days_in_month(year, month));
            month += 1;
        }
        let time =
            Time { hour: (second / 3600) as u8, minute: (second / 60 % 60) as u8, second: (second % 60) as u8, offset: Some(0) };
        Some(Date { time: Some(time), ..Date::new(year, month, days as u8 + 1)? })
    }

    /// The same day at this time.
    pub(super) fn with_time(self, time: Option<Time>) -> Date {
        Date { time, ..self }
    }

    /// A day, if it exists and is plausible for a page.
    pub(super) fn new(year: u16, month: u8, day: u8) -> Option<Date> {
        ((1800..=2100).contains(&year) && (1..=12).contains(&month) && day >= 1 && day <= days_in_month(year, month))
            .then_some(Date { year, month, day, time: None })
    }

    /// The year.
    #[must_use]
    pub fn year(self) -> u16 {
        self.year
    }

    /// The month, from 1.
    #[must_use]
    pub fn month(self) -> u8 {
        self.month
    }

    /// The day of the month, from 1.
    #[must_use]
    pub fn day(self) -> u8 {
        self.day
    }

    /// The time, if the page gives it.
    #[must_use]
    pub fn time(self) -> Option<Time> {
        self.time
    }

    /// The same day without its time.
    #[must_use]
    pub fn to_day(self) -> Date {
        Date { time: None, ..self }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)?;
        let Some(Time { hour, minute, second, offset }) = self.time else { return Ok(()) };
        write!(f, "T{hour:02}:{minute:02}:{second:02}")?;
        match offset {
            None => Ok(()),
            Some(0) => f.write_str("Z"),
            Some(minutes) => {
                let (sign, minutes) = (if minutes < 0 { '-' } else { '+' }, minutes.unsigned_abs());
                write!(f, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
            }
        }
    }
}

fn is_leap(year: u16) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn days_in_month(year: u16, month: u8) -> u8 {
    match month {
        2 => 28 + u8::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

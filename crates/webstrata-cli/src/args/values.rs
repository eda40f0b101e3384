//! Option values that are more than a number or a name.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A number of bytes, such as `4096`, `512kB`, `256MB` or `1G`; units are multiples of 1024.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ByteSize(pub(crate) usize);

/// Units of [`ByteSize`], largest first.
const UNITS: [(char, u32); 3] = [('G', 30), ('M', 20), ('k', 10)];

impl FromStr for ByteSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bare = ["iB", "B", "b"].into_iter().find_map(|suffix| text.strip_suffix(suffix)).unwrap_or(text);
        let unit = UNITS.iter().find(|(unit, _)| bare.ends_with([*unit, unit.to_ascii_lowercase(), unit.to_ascii_uppercase()]));
        let (digits, shift) = unit.map_or((bare, 0), |&(_, shift)| (&bare[..bare.len() - 1], shift));
        let bytes = digits.trim_end().parse::<usize>().ok().and_then(|number| number.checked_mul(1 << shift));
        bytes.map(ByteSize).ok_or_else(|| "give a size such as 4096, 512kB, 256MB or 1GB".to_owned())
    }
}

impl fmt::Display for ByteSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match UNITS.iter().find(|&&(_, shift)| self.0 > 0 && self.0.is_multiple_of(1 << shift)) {
            Some((unit, shift)) => write!(f, "{}{unit}B", self.0 >> shift),
            None => write!(f, "{}", self.0),
        }
    }
}

/// A time limit in seconds; 0 = none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Seconds(pub(crate) Option<Duration>);

impl FromStr for Seconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "give a number of seconds, such as 30 or 0.5, or 0 for no limit".to_owned();
        let seconds = text.parse::<f64>().map_err(|_| wrong())?;
        let time = Duration::try_from_secs_f64(seconds).map_err(|_| wrong())?;
        Ok(Seconds((time > Duration::ZERO).then_some(time)))
    }
}

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.map_or(0.0, |time| time.as_secs_f64()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        for (text, want) in [
            ("0", 0),
            ("4096", 4096),
            ("2k", 2048),
            ("2K", 2048),
            ("3m", 3 << 20),
            ("256M", 256 << 20),
            ("1G", 1 << 30),
            ("10MB", 10 << 20),
            ("2 GiB", 2 << 30),
            ("7B", 7),
        ] {
            assert_eq!(text.parse(), Ok(ByteSize(want)), "{text}");
        }
        for wrong in ["", "k", "-1", "1.5M", "99999999999G", "1T", "kB"] {
            assert!(wrong.parse::<ByteSize>().is_err(), "{wrong}");
        }
        for text in ["0", "1000", "2kB", "256MB", "3GB"] {
            assert_eq!(text.parse::<ByteSize>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn seconds_may_be_fractions() {
        assert_eq!("0.5".parse(), Ok(Seconds(Some(Duration::from_millis(500)))));
        assert_eq!("0".parse(), Ok(Seconds(None)));
        for wrong in ["", "-1", "nan", "inf", "1s", "1e300"] {
            assert!(wrong.parse::<Seconds>().is_err(), "{wrong}");
        }
        assert_eq!("30".parse::<Seconds>().unwrap().to_string(), "30");
    }
}

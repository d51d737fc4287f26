//! UTC times as the format writes them. Only seconds and days are counted: no zones, no leap seconds.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A moment in UTC, to the millisecond, as records carry it.
///
/// # Example
///
/// ```
/// use annals_rollout::Timestamp;
///
/// let time = Timestamp::from_unix_ms(1_796_089_966_402);
/// assert_eq!(time.to_string(), "2026-12-01T01:52:46.402Z");
/// assert_eq!(time.file_name_part(), "2026-12-01T01-52-46");
/// assert_eq!(Timestamp::parse("2026-12-01T01:52:46.402Z"), Some(time));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp {
    unix_ms: u64,
}

/// The last moment with a year of four digits.
const MAX_UNIX_MS: u64 = 253_402_300_799_999;

impl Timestamp {
    /// Now, by the system's clock.
    pub fn now() -> Self {
        Self::from(SystemTime::now())
    }

    /// Milliseconds since 1970-01-01T00:00:00Z; what lies behind the year 9999 becomes its end.
    pub fn from_unix_ms(unix_ms: u64) -> Self {
        Self {
            unix_ms: unix_ms.min(MAX_UNIX_MS),
        }
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub fn unix_ms(self) -> u64 {
        self.unix_ms
    }

    /// Reads `YYYY-MM-DDThh:mm:ss[.fraction]Z`, or the form with dashes that file names carry.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.strip_suffix('Z').unwrap_or(text);
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let bytes = whole.as_bytes();
        if bytes.len() != 19 || bytes.get(10) != Some(&b'T') {
            return None;
        }
        for (at, allowed) in [(4, "-"), (7, "-"), (13, ":-"), (16, ":-")] {
            if !allowed.as_bytes().contains(bytes.get(at)?) {
                return None;
            }
        }
        let number = |range: std::ops::Range<usize>| -> Option<u64> {
            let digits = whole.get(range)?;
            digits
                .bytes()
                .all(|byte| byte.is_ascii_digit())
                .then(|| digits.parse().ok())?
        };
        let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
        let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
        if year < 1970 || !(1..=12).contains(&month) || day < 1 || day > days_in(year, month) {
            return None;
        }
        if hour > 23 || minute > 59 || second > 60 {
            return None;
        }
        if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let ms: u64 = format!("{fraction:0<3}").get(..3)?.parse().ok()?;
        let days = days_before(year, month) + day - 1;
        Some(Self::from_unix_ms(
            (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + ms,
        ))
    }

    /// The form in a file's name: `YYYY-MM-DDThh-mm-ss`.
    pub fn file_name_part(self) -> String {
        let Civil {
            year,
            month,
            day,
            hour,
            minute,
            second,
        } = self.civil();
        format!("{year:04}-{month:02}-{day:02}T{hour:02}-{minute:02}-{second:02}")
    }

    /// Year, month and day, as the directories are named.
    pub fn date_parts(self) -> (String, String, String) {
        let Civil {
            year, month, day, ..
        } = self.civil();
        (
            format!("{year:04}"),
            format!("{month:02}"),
            format!("{day:02}"),
        )
    }

    fn civil(self) -> Civil {
        let seconds = self.unix_ms / 1000;
        let (mut days, in_day) = (seconds / 86_400, seconds % 86_400);
        let mut year = 1970 + days / 366;
        while days_before(year + 1, 1) <= days {
            year += 1;
        }
        days -= days_before(year, 1);
        let mut month = 1;
        while days >= days_in(year, month) {
            days -= days_in(year, month);
            month += 1;
        }
        let (hour, minute, second) = (in_day / 3600, in_day / 60 % 60, in_day % 60);
        Civil {
            year,
            month,
            day: days + 1,
            hour,
            minute,
            second,
        }
    }
}

struct Civil {
    year: u64,
    month: u64,
    day: u64,
    hour: u64,
    minute: u64,
    second: u64,
}

impl std::fmt::Display for Timestamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Civil {
            year,
            month,
            day,
            hour,
            minute,
            second,
        } = self.civil();
        let ms = self.unix_ms % 1000;
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{ms:03}Z"
        )
    }
}

impl From<SystemTime> for Timestamp {
    fn from(time: SystemTime) -> Self {
        let since = time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        Self::from_unix_ms(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn days_in(year: u64, month: u64) -> u64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u64::from(is_leap(year)),
        _ => 31,
    }
}

/// Days from 1970-01-01 to the first of the month.
fn days_before(year: u64, month: u64) -> u64 {
    let before = year - 1;
    let leap_days = before / 4 - before / 100 + before / 400 - 477;
    let in_year: u64 = (1..month).map(|earlier| days_in(year, earlier)).sum();
    (year - 1970) * 365 + leap_days + in_year
}

#[cfg(test)]
#[path = "time_tests.rs"]
mod tests;

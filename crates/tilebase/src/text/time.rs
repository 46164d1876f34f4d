//! Times as text.

use std::time::Duration;

use thiserror::Error;

/// Error of a text that is not a time. Its message says what is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "expected a time above 0, such as 500ms, 10s, 2m or 1h; a number without unit is in seconds"
)]
pub struct TimeTextError;

/// Reads a time: a number in decimal digits, and a unit. The units are `ms`, `s`, `m` or `min`, and
/// `h`. A number without unit is in seconds. Times are limits, so 0 is none.
///
/// ```
/// use std::time::Duration;
/// use tilebase::text::read_time;
///
/// assert_eq!(read_time("500ms"), Ok(Duration::from_millis(500)));
/// assert_eq!(read_time("1.5 m"), read_time("90"));
/// ```
///
/// # Errors
/// [`TimeTextError`] if the text has another form, or the time is 0 or too long.
pub fn read_time(text: &str) -> Result<Duration, TimeTextError> {
    let text = text.trim();
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let (number, unit) = text.split_at(text.find(|c| !is_number(c)).unwrap_or(text.len()));
    let factor = match unit.trim_start() {
        "ms" => 0.001,
        "s" | "" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(TimeTextError),
    };
    let number: f64 = number.parse().map_err(|_| TimeTextError)?;
    let time = Duration::try_from_secs_f64(number * factor).map_err(|_| TimeTextError)?;
    if time.is_zero() { Err(TimeTextError) } else { Ok(time) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_numbers_with_and_without_units() {
        let times = [
            ("500ms", 500),
            ("10s", 10_000),
            ("10", 10_000),
            ("0.5", 500),
            ("2m", 120_000),
            ("1.5min", 90_000),
            ("1.5h", 5_400_000),
            (" 2 s ", 2000),
        ];
        for (text, millis) in times {
            assert_eq!(read_time(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        let wrong = [
            "",
            " ",
            "s",
            "0",
            "0.0ms",
            "0.0000000001",
            ".",
            "-1s",
            "+1s",
            "1.2.3s",
            "1e9s",
            "10 s s",
            "2d",
            "nan",
            "inf",
            "ü",
            "99999999999999999999999h",
        ];
        for text in wrong {
            assert_eq!(read_time(text), Err(TimeTextError), "{text}");
        }
    }
}

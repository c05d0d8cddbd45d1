//! Parsing of times and sizes such as `10s` and `1GiB`.

use std::time::Duration;

/// Error for a text that is not a time, size, speed or number of seconds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum UnitError {
    /// The text is not a time.
    #[error("{0:?} is no time: write a number and ms, s, m or h, as in 10s, 500ms or 2m")]
    Time(String),
    /// The text is not a size.
    #[error("{0:?} is no size: write a number and KiB, MiB or GiB, as in 512MiB or 1GiB")]
    Size(String),
    /// The text is not the speed of a network.
    #[error("{0:?} is no speed: write bits a second, as in 25Gb or 100Mb")]
    Speed(String),
    /// The text is not a number of seconds.
    #[error("{0:?} is no number of seconds from 0 to 1000000000")]
    Seconds(String),
    /// The limit is zero, which no program can keep.
    #[error("{0:?} is too little")]
    TooLittle(String),
}

/// Parses a time: `10s`, `500ms`, `1.5m`, `1h`; a number without a unit is seconds.
///
/// # Errors
/// [`UnitError`], which describes how a time is written.
pub(super) fn parse_time(text: &str) -> Result<Duration, UnitError> {
    let wrong = || UnitError::Time(text.to_owned());
    let (number, unit) = split(text).ok_or_else(wrong)?;
    let seconds = match unit.as_str() {
        "ms" => 0.001,
        "" | "s" | "sec" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(wrong()),
    };
    let time = Duration::try_from_secs_f64(number * seconds).map_err(|_| wrong())?;
    let too_little = || UnitError::TooLittle(text.to_owned());
    (!time.is_zero()).then_some(time).ok_or_else(too_little)
}

/// Parses a number of seconds, 0 included.
///
/// # Errors
/// [`UnitError`] if it is negative, very large or not a number.
pub(super) fn parse_seconds(text: &str) -> Result<f64, UnitError> {
    let seconds = text.parse().ok().filter(|s| (0.0..=1e9).contains(s));
    seconds.ok_or_else(|| UnitError::Seconds(text.to_owned()))
}

/// Parses a size: `1GiB`, `512MiB`, `64K` (units of 1024), `1GB` (units of 1000); a number without a
/// unit is bytes.
///
/// # Errors
/// [`UnitError`], which describes how a size is written.
pub(super) fn parse_size(text: &str) -> Result<u64, UnitError> {
    let wrong = || UnitError::Size(text.to_owned());
    let (number, unit) = split(text).ok_or_else(wrong)?;
    let bytes = match unit.as_str() {
        "" | "b" => 1.0,
        "k" | "kib" => 1024.0,
        "m" | "mib" => 1024.0 * 1024.0,
        "g" | "gib" => 1024.0 * 1024.0 * 1024.0,
        "t" | "tib" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        "kb" => 1e3,
        "mb" => 1e6,
        "gb" => 1e9,
        "tb" => 1e12,
        _ => return Err(wrong()),
    };
    match number * bytes {
        size if size > 1e18 => Err(wrong()),
        size if size < 1.0 => Err(UnitError::TooLittle(text.to_owned())),
        size => Ok(size as u64),
    }
}

/// Parses the speed of a network, in bits a second, into bytes a second: `25Gb`, `100Mb`.
///
/// # Errors
/// [`UnitError`], which describes how it is written.
pub(super) fn parse_speed(text: &str) -> Result<f64, UnitError> {
    let wrong = || UnitError::Speed(text.to_owned());
    let (number, unit) = split(text).ok_or_else(wrong)?;
    let bits = match unit.trim_end_matches("/s").trim_end_matches("it") {
        "mb" => 1e6,
        "gb" => 1e9,
        "tb" => 1e12,
        _ => return Err(wrong()),
    };
    match number * bits / 8.0 {
        speed if !speed.is_finite() => Err(wrong()),
        speed if speed < 1.0 => Err(UnitError::TooLittle(text.to_owned())),
        speed => Ok(speed),
    }
}

/// The non-negative number at the start of a text, and the unit after it in lower case.
fn split(text: &str) -> Option<(f64, String)> {
    let text = text.trim();
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let number = text[..end].parse().ok()?;
    Some((number, text[end..].trim().to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_people_write_them() {
        for (text, milliseconds) in [
            ("10s", 10_000),
            ("10", 10_000),
            (" 2 m ", 120_000),
            ("0.5S", 500),
            ("300ms", 300),
            ("1h", 3_600_000),
        ] {
            let time = Duration::from_millis(milliseconds);
            assert_eq!(parse_time(text), Ok(time), "{text}");
        }
        for text in ["", "s", "-1s", "10 parsecs", "1.2.3", "nan", "inf", "1e3s"] {
            let wrong = UnitError::Time(text.to_owned());
            assert_eq!(parse_time(text), Err(wrong), "{text}");
        }
        let endless = "9".repeat(400);
        assert_eq!(parse_time(&endless), Err(UnitError::Time(endless.clone())));
        assert_eq!(parse_time("0"), Err(UnitError::TooLittle("0".to_owned())));
    }

    #[test]
    fn seconds_are_a_number_that_is_not_negative() {
        for text in ["0", "0.5", "60", "1e6"] {
            assert_eq!(parse_seconds(text).unwrap(), text.parse::<f64>().unwrap());
        }
        for text in ["", "nan", "-1", "-0.5", "inf", "1e10", "2s"] {
            let wrong = UnitError::Seconds(text.to_owned());
            assert_eq!(parse_seconds(text), Err(wrong), "{text}");
        }
    }

    #[test]
    fn speeds_are_bits_a_second() {
        assert_eq!(parse_speed("25Gb"), Ok(25e9 / 8.0));
        assert_eq!(parse_speed("100 Mbit/s"), Ok(100e6 / 8.0));
        for text in ["", "25", "25GiB", "1e9Gb", &"9".repeat(400)] {
            assert!(
                matches!(parse_speed(text), Err(UnitError::Speed(_))),
                "{text}"
            );
        }
    }

    #[test]
    fn sizes_are_read_as_people_write_them() {
        for (text, bytes) in [
            ("1GiB", 1 << 30),
            ("1g", 1 << 30),
            ("512 MiB", 512 << 20),
            ("64k", 64 << 10),
            ("1MB", 1_000_000),
            ("4096", 4096),
            ("0.5GiB", 512 << 20),
        ] {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
        for text in ["", "GiB", "-1", "1 gibberish", "99999999T"] {
            assert_eq!(parse_size(text), Err(UnitError::Size(text.to_owned())));
        }
        assert_eq!(parse_size("0G"), Err(UnitError::TooLittle("0G".to_owned())));
    }
}

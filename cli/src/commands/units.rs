//! Parsing of times and sizes such as `10s` and `1GiB`.

use std::time::Duration;

/// Error for a text that is not a time, size, speed or number of seconds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum UnitError {
    /// The text is not a time.
    #[error("{0:?} is not a time: write a number and ms, s, m or h, as in 10s, 500ms or 2m")]
    Time(String),
    /// The text is not a size.
    #[error("{0:?} is not a size: write a number and KiB, MiB or GiB, as in 512MiB or 1GiB")]
    Size(String),
    /// The text is not the speed of a network.
    #[error("{0:?} is not a speed: write bits a second, as in 25Gb or 100Mb")]
    Speed(String),
    /// The text is not a number of seconds.
    #[error("{0:?} is not a number of seconds from 0 to 1000000000")]
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
    let units = [
        (0.001, &["ms"][..]),
        (1.0, &["", "s", "sec"]),
        (60.0, &["m", "min"]),
        (3600.0, &["h"]),
    ];
    let seconds = parse(text, &units);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let time = time.ok_or_else(|| UnitError::Time(text.to_owned()))?;
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
    let units = [
        (1.0, &["", "b"][..]),
        ((1u64 << 10) as f64, &["k", "kib"]),
        ((1u64 << 20) as f64, &["m", "mib"]),
        ((1u64 << 30) as f64, &["g", "gib"]),
        ((1u64 << 40) as f64, &["t", "tib"]),
        (1e3, &["kb"]),
        (1e6, &["mb"]),
        (1e9, &["gb"]),
        (1e12, &["tb"]),
    ];
    match parse(text, &units) {
        Some(..1.0) => Err(UnitError::TooLittle(text.to_owned())),
        Some(size @ ..=1e18) => Ok(size as u64),
        _ => Err(UnitError::Size(text.to_owned())),
    }
}

/// Parses the speed of a network, in bits a second, into bytes a second: `25Gb`, `100Mb`.
///
/// # Errors
/// [`UnitError`], which describes how it is written.
pub(super) fn parse_speed(text: &str) -> Result<f64, UnitError> {
    let bits = text
        .trim_end()
        .trim_end_matches("/s")
        .trim_end_matches("it");
    let units = [(1e6, &["mb"][..]), (1e9, &["gb"]), (1e12, &["tb"])];
    match parse(bits, &units).map(|bits| bits / 8.0) {
        Some(..1.0) => Err(UnitError::TooLittle(text.to_owned())),
        Some(speed) if speed.is_finite() => Ok(speed),
        _ => Err(UnitError::Speed(text.to_owned())),
    }
}

/// Multiplies the number at the start of a text by the unit after it, in any case.
fn parse(text: &str, units: &[(f64, &[&str])]) -> Option<f64> {
    let text = text.trim();
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    let unit = text[end..].trim().to_ascii_lowercase();
    let (factor, _) = units.iter().find(|(_, names)| names.contains(&&*unit))?;
    Some(number * factor)
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

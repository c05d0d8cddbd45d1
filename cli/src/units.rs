//! Parsing of times and sizes such as `10s` and `1GiB`.

use std::ops::RangeInclusive;
use std::time::Duration;

/// Parses a time: `10s`, `500ms`, `1.5m`, `1h`; a number without a unit is seconds.
///
/// # Errors
/// How a time is written.
pub(crate) fn parse_time(text: &str) -> Result<Duration, String> {
    let units = [
        (0.001, &["ms"][..]),
        (1.0, &["", "s", "sec"]),
        (60.0, &["m", "min"]),
        (3600.0, &["h"]),
    ];
    let what = "a time: write a number and ms, s, m or h, as in 10s, 500ms or 2m";
    parse(text, &units, 1e-9..=1e19, what).map(Duration::from_secs_f64)
}

/// Parses a number of seconds, 0 included.
///
/// # Errors
/// If it is negative, very large or not a number.
pub(crate) fn parse_seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|s| (0.0..=1e9).contains(s));
    seconds.ok_or_else(|| format!("{text:?} is not a number of seconds from 0 to 1000000000"))
}

/// Parses a size: `1GiB`, `512MiB`, `64K` (units of 1024), `1GB` (units of 1000); a number without a
/// unit is bytes.
///
/// # Errors
/// How a size is written.
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
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
    let what = "a size: write a number and KiB, MiB or GiB, as in 512MiB or 1GiB";
    parse(text, &units, 1.0..=1e18, what).map(|size| size as u64)
}

/// Parses the speed of a network, in bits a second, into bytes a second: `25Gb`, `100Mb`.
///
/// # Errors
/// How it is written.
pub(crate) fn parse_speed(text: &str) -> Result<f64, String> {
    let units = [
        (1e6, &["mb", "mbit", "mb/s", "mbit/s"][..]),
        (1e9, &["gb", "gbit", "gb/s", "gbit/s"]),
        (1e12, &["tb", "tbit", "tb/s", "tbit/s"]),
    ];
    let what = "a speed: write bits a second, as in 25Gb or 100Mb";
    parse(text, &units, 8.0..=f64::MAX, what).map(|bits| bits / 8.0)
}

/// Multiplies the number at the start of a text by the unit after it, in any case.
fn parse(
    text: &str,
    units: &[(f64, &[&str])],
    range: RangeInclusive<f64>,
    what: &str,
) -> Result<f64, String> {
    let trimmed = text.trim();
    let end = trimmed.find(|c: char| !c.is_ascii_digit() && c != '.');
    let (number, unit) = trimmed.split_at(end.unwrap_or(trimmed.len()));
    let unit = unit.trim().to_ascii_lowercase();
    let factor = units.iter().find(|(_, names)| names.contains(&&*unit));
    match (number.parse::<f64>(), factor) {
        (Ok(number), Some((factor, _))) if number * factor <= *range.end() => {
            let product = Some(number * factor).filter(|product| range.contains(product));
            product.ok_or_else(|| format!("{text:?} is too little"))
        }
        _ => Err(format!("{text:?} is not {what}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_refused<T: std::fmt::Debug>(parsed: Result<T, String>, why: &str) {
        let error = parsed.unwrap_err();
        assert!(error.contains(why), "{error}");
    }

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
            is_refused(parse_time(text), "is not a time");
        }
        let endless = "9".repeat(400);
        is_refused(parse_time(&endless), "is not a time");
        is_refused(parse_time("0"), "\"0\" is too little");
    }

    #[test]
    fn seconds_are_a_number_that_is_not_negative() {
        for text in ["0", "0.5", "60", "1e6"] {
            assert_eq!(parse_seconds(text).unwrap(), text.parse::<f64>().unwrap());
        }
        for text in ["", "nan", "-1", "-0.5", "inf", "1e10", "2s"] {
            is_refused(parse_seconds(text), "is not a number of seconds");
        }
    }

    #[test]
    fn speeds_are_bits_a_second() {
        assert_eq!(parse_speed("25Gb"), Ok(25e9 / 8.0));
        assert_eq!(parse_speed("100 Mbit/s"), Ok(100e6 / 8.0));
        for text in ["", "25", "25GiB", "1e9Gb", &"9".repeat(400)] {
            is_refused(parse_speed(text), "is not a speed");
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
            is_refused(parse_size(text), "is not a size");
        }
        is_refused(parse_size("0G"), "\"0G\" is too little");
    }
}

//! A length as a number.

/// A length: a whole number, also with a fraction of zero as in `19.0`.
pub(in crate::judge) fn whole_number(text: &[u8]) -> Option<u64> {
    let text = text.trim_ascii();
    let is_digit = text.first().is_some_and(u8::is_ascii_digit);
    let text = std::str::from_utf8(text).ok().filter(|_| is_digit)?;
    let (whole, zeros) = text.split_once('.').unwrap_or((text, "0"));
    let is_number =
        |text: &str| (1..19).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    let is_whole = is_number(whole) && is_number(zeros) && zeros.trim_matches('0').is_empty();
    is_whole.then(|| whole.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::whole_number;

    #[test]
    fn lengths_are_whole_numbers() {
        assert_eq!(whole_number(b" 19 "), Some(19));
        assert_eq!(whole_number(b"19.0"), Some(19));
        for text in [
            "",
            ".",
            "-1",
            "19.5",
            "1e3",
            "+3",
            "9999999999999999999",
            "x",
        ] {
            assert_eq!(whole_number(text.as_bytes()), None, "{text:?}");
        }
    }
}

//! A length as a number.

/// A length: a whole number, also with a fraction of zero as in `19.0`.
pub(in crate::judge) fn whole_number(text: &[u8]) -> Option<u64> {
    let text = text.trim_ascii();
    let whole = match text.iter().position(|&b| b == b'.') {
        Some(point) if text.len() > point + 1 && text[point + 1..].iter().all(|&b| b == b'0') => {
            &text[..point]
        }
        Some(_) => return None,
        None => text,
    };
    if whole.is_empty() || whole.len() > 18 || !whole.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(whole.iter().fold(0, |n, &b| n * 10 + u64::from(b - b'0')))
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

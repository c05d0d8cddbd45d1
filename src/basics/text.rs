//! Sizes, lists and excerpts as people read them.

use std::fmt::{Display, Write};

/// A number of bytes, rounded up: `96 KiB`, `5 MiB`, `16.3 GiB`.
pub fn size_text(bytes: u64) -> String {
    match bytes {
        0..0x0010_0000 => format!("{} KiB", bytes.div_ceil(1 << 10)),
        0x0010_0000..0x4000_0000 => format!("{} MiB", bytes.div_ceil(1 << 20)),
        _ => format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30)),
    }
}

/// The texts of some things with a separator between them.
pub fn joined(things: impl IntoIterator<Item: Display>, separator: &str) -> String {
    let mut joined = String::new();
    for (i, thing) in things.into_iter().enumerate() {
        let before = if i == 0 { "" } else { separator };
        write!(joined, "{before}{thing}").expect("writing to memory does not fail");
    }
    joined
}

/// The first characters of a text, at most so many, and an ellipsis if there are more.
pub fn beginning(text: &str, most: usize) -> String {
    let end = if text.chars().nth(most).is_some() {
        "…"
    } else {
        ""
    };
    format!("{text:.most$}{end}")
}

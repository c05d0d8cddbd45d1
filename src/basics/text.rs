//! Sizes as people read them.

/// A number of bytes, rounded up: `96 KiB`, `5 MiB`, `16.3 GiB`.
pub fn size_text(bytes: u64) -> String {
    match bytes {
        0..0x0010_0000 => format!("{} KiB", bytes.div_ceil(1 << 10)),
        0x0010_0000..0x4000_0000 => format!("{} MiB", bytes.div_ceil(1 << 20)),
        _ => format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30)),
    }
}

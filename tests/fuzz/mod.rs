//! What the fuzzer asks, a function a target. `fuzz/` calls them with bytes of its own making, and the tests with
//! those that are kept in `fuzz/corpus/`.

pub mod board;
pub mod checkpoint;
pub mod header;
pub mod reading;
pub mod table;

/// Writes the header's checksum where it belongs.
fn mend_header(file: &mut [u8]) {
    if let Some(page) = file.first_chunk_mut::<4096>() {
        let checksum = crc32fast::hash(&page[..4092]);
        page[4092..].copy_from_slice(&checksum.to_le_bytes());
    }
}

//! No bytes make the reader of headers panic, with their own checksum and with the right one.

use puzzledb::pattern::Patterns;
use puzzledb::table::Table;

pub fn ask(file: &[u8]) {
    let mut file = file.to_vec();
    for _ in 0..2 {
        if let Ok(table) = Table::from_bytes(&file[..]) {
            assert_eq!(table.header().file_length(), file.len());
        }
        if let Ok(patterns) = Patterns::from_bytes(file.clone()) {
            assert!(patterns.verify().is_ok());
        }
        super::mend_header(&mut file);
    }
}

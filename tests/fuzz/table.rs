//! Queries to a table with right checksums end without a panic, whatever it contains.
//!
//! The input has the length of the header's fields (two bytes), the fields, and the bytes after the first page.

use puzzledb::oracle::Oracle;
use puzzledb::oracle::check::check;
use puzzledb::space::{Space, StateIndex};
use puzzledb::table::Table;

pub fn ask(input: &[u8]) {
    let Some(table) = file(input).and_then(|file| Table::from_bytes(file).ok()) else {
        return;
    };
    let _ = check(&table);
    let goal = table.header().class().goal();
    let oracle = Oracle::from_database(table, &goal).expect("the goal is of the table's class");
    let ranking = oracle.table().unwrap().ranking();
    let space = Space::new(&goal).expect("a table of it was opened");
    for index in (0..oracle.table().unwrap().header().states().min(60)).map(StateIndex) {
        let state = ranking.state(index);
        let _ = oracle.table().unwrap().distance(state);
        let _ = oracle.table().unwrap().walk(state).count();
        let _ = oracle.table().unwrap().closer(state).count();
        let board = space.unrank(index);
        let _ = oracle.probe(&board);
        let _ = oracle.solve(&board);
        let _ = oracle.count_solutions(&board);
    }
}

/// File of an input, with the right checksums.
fn file(input: &[u8]) -> Option<Vec<u8>> {
    let (length, rest) = input.split_first_chunk()?;
    let length = usize::from(u16::from_le_bytes(*length)) % 4000;
    let (fields, rest) = rest.split_at_checked(length)?;
    let mut file = vec![0; 4096];
    file[..8].copy_from_slice(b"\x89PZDB\r\n\x1a");
    file[8] = 1;
    file[12..14].copy_from_slice(&(length as u16).to_le_bytes());
    file[16..16 + length].copy_from_slice(fields);
    file.extend(rest);
    mend_sections(&mut file);
    super::mend_header(&mut file);
    Some(file)
}

/// Writes the checksums of the sections into the fields, as far as these make sense.
fn mend_sections(file: &mut [u8]) -> Option<()> {
    let u64_at = |file: &[u8], at: usize| {
        let bytes = file.get(at..at.checked_add(8)?)?;
        usize::try_from(u64::from_le_bytes(bytes.try_into().ok()?)).ok()
    };
    let sections = u64_at(file, 21)?.checked_mul(8)?.checked_add(29)?;
    for i in 0..u64_at(file, sections)?.min(3) {
        let at = sections + 8 + 21 * i;
        let (offset, length) = (u64_at(file, at + 1)?, u64_at(file, at + 9)?);
        let section = file.get(offset..offset.checked_add(length)?)?;
        let checksum = crc32fast::hash(section).to_le_bytes();
        file.get_mut(at + 17..at + 21)?.copy_from_slice(&checksum);
    }
    Some(())
}

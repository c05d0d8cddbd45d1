//! Saves a search of patterns between two levels, and resumes it.
//!
//! A checkpoint names the patterns and holds the bits of those that have been searched. Of the pattern that is being
//! searched it holds the level counts and, block by block, the number of states that have not been reached, the
//! frontier, and bit 1 of the distances, in the code of [`crate::bfs`]. Numbers are little-endian; the CRC-32 of all
//! that comes last.

use std::io::{self, Read, Write};

use crate::basics::Checksummed;
use crate::bfs::Coder;
use crate::bfs::blocks::{Contents, invalid, read, read_levels, write_levels};

use super::build::Build;
use super::database::Database;
use super::partition::Partition;
use super::search::Search;

/// The first bytes of a checkpoint; the last is its version.
const MAGIC: [u8; 8] = *b"PZDBPCK\x01";

impl<'a> Build<'a> {
    /// Writes a checkpoint, after any finished level.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn save(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let mut out = Checksummed::new(out);
        out.write_all(&head(self.partition))?;
        out.write_all(&[self.done.len() as u8])?;
        for database in &self.done {
            let bits = database.bits();
            out.write_all(&bits.range(0..bits.len()))?;
        }
        let levels = self.search.as_ref().map(|search| &search.levels[..]);
        write_levels(levels.unwrap_or_default(), &mut out)?;
        if let Some(search) = &mut self.search {
            let (form, mut coder, mut code) = (search.form(), Coder::default(), Vec::new());
            for task in (search.colours.iter_mut()).flat_map(|colour| colour.tasks(form)) {
                code.clear();
                task.save(form, &mut coder, &mut code);
                out.write_all(&code)?;
            }
        }
        let checksum = out.checksum();
        out.write_all(&checksum.to_le_bytes())
    }

    /// Resumes a search of these patterns from a checkpoint.
    ///
    /// # Errors
    /// Those of `source` and of [`Build::new`]; [`io::ErrorKind::InvalidData`] if it is not an
    /// undamaged checkpoint of these patterns.
    pub fn resume(partition: &'a Partition, source: &mut dyn Read) -> io::Result<Build<'a>> {
        let mut build = Build::new(partition)?;
        let mut source = Checksummed::new(source);
        let mut found = head(partition);
        source.read_exact(&mut found)?;
        let [done] = read(&mut source)?;
        if found != head(partition) || usize::from(done) > build.states.len() {
            return Err(invalid());
        }
        for (states, &goal) in build.states.iter().zip(&partition.goals).take(done.into()) {
            let mut bits = vec![0; states.bytes()];
            source.read_exact(&mut bits)?;
            let blank = partition.blank;
            let database = Database::in_memory(states.clone(), goal, blank, bits);
            build.done.push(database);
        }
        let levels = read_levels(&mut source)?;
        if !levels.is_empty() {
            if build.done.len() == build.states.len() {
                return Err(invalid());
            }
            let mut search = build.new_search()?;
            search.load(levels, &mut source)?;
            build.search = Some(search);
        }
        let checksum = source.checksum().to_le_bytes();
        if read(&mut source)? == checksum {
            Ok(build)
        } else {
            Err(invalid())
        }
    }
}

impl Search {
    /// Loads the state of a search after these levels from a checkpoint.
    fn load(&mut self, levels: Vec<u64>, source: &mut impl Read) -> io::Result<()> {
        let (form, mut coder) = (self.form(), Coder::default());
        for (colour, of_colour) in self.colours.iter_mut().enumerate() {
            let mut found = Contents::default();
            for mut task in of_colour.tasks(form) {
                found.add(&task.load(form, &mut coder, source)?);
            }
            // The sets at even distances are one colour, as the blank's cells of a table are.
            if found != Contents::of_levels(&levels, colour) {
                return Err(invalid());
            }
        }
        self.levels = levels;
        Ok(())
    }
}

/// Returns the first bytes of a checkpoint of these patterns.
fn head(partition: &Partition) -> Vec<u8> {
    let shape = partition.shape;
    let sides = [
        shape.rows(),
        shape.cols(),
        partition.blank,
        partition.goals.len(),
    ];
    let tiles = partition.goals.iter().flat_map(|goal| goal.to_le_bytes());
    let sides = sides.map(|n| n as u8);
    MAGIC.into_iter().chain(sides).chain(tiles).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::basics::Cancel;
    use crate::pattern::patterns::Patterns;
    use crate::puzzle::{Shape, UsualGoal};

    fn partition(rows: usize, cols: usize, names: &str) -> Partition {
        let goal = UsualGoal::Last.board(Shape::new(rows, cols).unwrap());
        Partition::new(&goal, &names.parse().unwrap()).unwrap()
    }

    /// Returns the checkpoint after each level.
    fn saved(partition: &Partition) -> Vec<Vec<u8>> {
        let mut build = Build::new(partition).unwrap();
        let mut all = Vec::new();
        while build.advance(&Cancel::new()).unwrap().is_some() {
            let mut bytes = Vec::new();
            build.save(&mut bytes).unwrap();
            all.push(bytes);
        }
        all
    }

    fn bits(database: &Database) -> Vec<u8> {
        let bits = database.bits();
        bits.range(0..bits.len()).into_owned()
    }

    #[test]
    fn a_search_resumed_at_any_level_ends_as_one_without_a_break() {
        for (rows, cols, names) in [(2, 3, "3-2"), (3, 3, "5-3"), (2, 4, "7"), (3, 3, "1-7")] {
            let partition = partition(rows, cols, names);
            let whole = Patterns::build(&partition).unwrap();
            for (i, bytes) in saved(&partition).into_iter().enumerate() {
                let mut build = Build::resume(&partition, &mut &bytes[..]).unwrap();
                let before = build.progress();
                assert!(before.states < before.all || i > 0);
                while build.advance(&Cancel::new()).unwrap().is_some() {}
                assert_eq!(build.progress().states, before.all);
                let resumed = build.finish();
                for (database, whole) in resumed.databases.iter().zip(&whole.databases) {
                    assert!(bits(database) == bits(whole), "{names} at {i}");
                }
            }
        }
    }

    #[test]
    fn a_checkpoint_that_is_damaged_or_contradicts_itself_is_refused() {
        let own = partition(3, 3, "4-4");
        let good = saved(&own).swap_remove(20); // in the second pattern
        let searched = Build::resume(&own, &mut &good[..]).unwrap().done.len();
        assert_eq!(searched, 1);
        let is_refused = |bytes: &[u8]| match Build::resume(&own, &mut &bytes[..]) {
            Err(error) => {
                let kind = error.kind();
                kind == io::ErrorKind::InvalidData || kind == io::ErrorKind::UnexpectedEof
            }
            Ok(_) => false,
        };
        for at in (0..good.len()).step_by(7) {
            let mut bad = good.clone();
            bad[at] ^= 16;
            assert!(is_refused(&bad) && is_refused(&good[..at]), "{at}");
        }
        let other = partition(3, 3, "5-3");
        assert!(Build::resume(&other, &mut &good[..]).is_err());
        // The checksum is made right for the changed content. The first pattern is left out, since nothing else
        // contradicts its bits.
        let running = head(&own).len() + 1 + all_bits(&own);
        for at in (running..good.len() - 4).step_by(3) {
            let mut bad = good.clone();
            bad[at] ^= 1 << (at % 8);
            let end = bad.len() - 4;
            let checksum = crc32fast::hash(&bad[..end]);
            bad[end..].copy_from_slice(&checksum.to_le_bytes());
            assert!(is_refused(&bad), "{at}");
        }
    }

    /// Returns the bytes of the bits of the first pattern.
    fn all_bits(partition: &Partition) -> usize {
        Build::new(partition).unwrap().states[0].bytes()
    }
}

//! Saves a search of patterns between two levels, and resumes it.
//!
//! A checkpoint names the patterns and has the level counts of the one that is being searched. Then it has a record of the
//! bits of each pattern that has been searched, an empty record, and records of the blocks, in the code of [`crate::bfs`].

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};

use crate::bfs::Coder;
use crate::bfs::blocks::{head, invalid, most_bytes, read_levels, read_record, write_record};

use crate::table::Saved;

use super::build::Build;
use super::database::Database;
use super::partition::Partition;
use super::search::{MANY, Search};

/// The first bytes of a checkpoint; the last is its version.
const MAGIC: [u8; 8] = *b"PZDBPCK\x02";

impl Saved for Build<'_> {
    fn distance(&self) -> Option<u8> {
        self.search.as_ref().map(Search::distance)
    }

    fn is_complete(&self) -> bool {
        self.done.len() == self.states.len()
    }

    fn save(&mut self, file: &mut File) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 20, file);
        self.write(&mut out)?;
        out.flush()
    }
}

impl<'a> Build<'a> {
    /// Writes a checkpoint, after any finished level.
    ///
    /// # Errors
    /// Those of `out`.
    fn write(&mut self, mut out: &mut dyn Write) -> io::Result<()> {
        let Some(search) = &mut self.search else {
            return Ok(()); // all patterns have been searched
        };
        let head = head(&what(self.partition), &search.levels);
        out.write_all(&head)?;
        for database in &self.done {
            let bits = database.bits();
            write_record(&head, &bits.range(0..bits.len()), &mut out)?;
        }
        write_record(&head, &[], &mut out)?;
        let (words, mut coder, mut code) =
            (search.planes.block_words(), Coder::default(), Vec::new());
        for mut task in search.tasks() {
            code.clear();
            task.save(words, &mut coder, &mut code);
            write_record(&head, &code, &mut out)?;
        }
        Ok(())
    }

    /// Resumes a search of these patterns from a checkpoint.
    ///
    /// # Errors
    /// Those of `source` and of [`Build::new`]; [`io::ErrorKind::InvalidData`] if it is not an
    /// undamaged checkpoint of these patterns.
    pub fn resume(partition: &'a Partition, mut source: &mut dyn Read) -> io::Result<Build<'a>> {
        let (mut build, what) = (Build::new(partition)?, what(partition));
        let levels = read_levels(&what, u64::MAX / 2, &mut source)?;
        let head = head(&what, &levels);
        for (i, states) in build.states.iter().enumerate() {
            let bits = read_record(&head, states.bytes(), &mut source)?;
            if bits.is_empty() {
                break;
            }
            if bits.len() != states.bytes() {
                return Err(invalid());
            }
            let goal = partition.goal_state(i);
            (build.done).push(Database::in_memory(states.clone(), goal, bits));
        }
        if build.is_complete() {
            return Err(invalid());
        }
        let (mut search, mut coder) = (build.new_search()?, Coder::default());
        let words = search.planes.block_words();
        for mut task in search.tasks() {
            let code = read_record(&head, MANY * most_bytes(words), &mut source)?;
            task.load(words, &mut coder, &mut &code[..])?;
        }
        search.levels = levels;
        build.search = Some(search);
        Ok(build)
    }
}

/// Returns the first bytes of a checkpoint of these patterns.
fn what(partition: &Partition) -> Vec<u8> {
    let (shape, blank) = (partition.class.shape(), partition.class.blank());
    let class = [shape.rows(), shape.cols(), blank, partition.goals.len()].map(|n| n as u8);
    let tiles = partition.goals.iter().flat_map(|goal| goal.to_le_bytes());
    MAGIC.into_iter().chain(class).chain(tiles).collect()
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
            build.write(&mut bytes).unwrap();
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
    }
}

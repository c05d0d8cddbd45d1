//! The words that the reader knows, in one table.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::puzzle::Move;

/// What a word means beside a value, as a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::judge) struct Sense(u32);

impl Sense {
    /// An answer stands here: a path, or the statement that there is none.
    pub const ANSWER: Sense = Sense(1);
    /// Moves: an answer, or the unit of a length.
    pub const MOVES: Sense = Sense(2);
    /// The length of an answer.
    pub const LENGTH: Sense = Sense(4);
    /// Depth of a search: a length only where the goal was found.
    pub const DEPTH: Sense = Sense(8);
    /// Something else that is counted.
    pub const COUNT: Sense = Sense(16);
    /// Not an answer: a hint, a scramble, an example.
    pub const OTHER: Sense = Sense(32);
    /// The goal was reached.
    pub const SOLVED: Sense = Sense(64);
    /// No.
    pub const NO: Sense = Sense(128);
    /// There is no solution.
    pub const UNSOLVABLE: Sense = Sense(256);
    /// The name of an algorithm.
    pub const ALGORITHM: Sense = Sense(512);
    /// A limit, or a doubt.
    pub const LIMIT: Sense = Sense(1024);
    /// The search was given up.
    pub const GAVE_UP: Sense = Sense(2048);
    /// A step of a search, whose boards are not those of an answer.
    pub const TRACE: Sense = Sense(4096);
    /// Stands beside steps without being one.
    pub const FILLER: Sense = Sense(8192);
    /// The sign of the blank.
    pub const BLANK: Sense = Sense(16384);
    /// Is: what stands behind it is the value of what stands before.
    pub const IS: Sense = Sense(32768);

    /// Has no part in a step.
    pub const KNOWN: Sense = Sense(65536);
    /// Compares a solution with another.
    pub const COMPARING: Sense = Sense(131_072);
    /// One of the two ends of a path, which is no step.
    pub const END: Sense = Sense(262_144);

    /// Returns whether something else than these is meant.
    pub const fn has_other(self, than: Sense) -> bool {
        self.0 & !than.0 != 0
    }

    /// Returns whether one of these is meant.
    pub const fn has(self, other: Sense) -> bool {
        self.0 & other.0 != 0
    }
}

impl std::ops::BitOr for Sense {
    type Output = Sense;
    fn bitor(self, other: Sense) -> Sense {
        Sense(self.0 | other.0)
    }
}

/// Words by their sense, a line each in the order of the bits of a [`Sense`]; then those for up, down, left and right.
const WORDS: &str = include_str!("words.txt");

/// The number of senses.
const SENSES: usize = 19;

/// Senses and directions by word.
static KNOWN: LazyLock<FxHashMap<&str, (Sense, Option<Move>)>> = LazyLock::new(|| {
    let mut known: FxHashMap<&str, (Sense, Option<Move>)> = FxHashMap::default();
    for (line, text) in WORDS.lines().enumerate() {
        let (_, words) = text.split_once(": ").expect("a name and its words");
        for word in words.split(' ') {
            let (sense, direction) = known.entry(word).or_default();
            match line.checked_sub(SENSES) {
                None => sense.0 |= 1 << line,
                Some(mv) => *direction = Some(Move::ALL[mv]),
            }
        }
    }
    known
});

/// What a word means: its sense, and the direction that it names.
pub(in crate::judge) fn meaning(word: &str) -> (Sense, Option<Move>) {
    let entry = KNOWN.get(word);
    let entry = entry.or_else(|| KNOWN.get(word.to_lowercase().as_str()));
    entry.copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_has_the_words_of_its_sense() {
        let names = WORDS.lines().map(|line| line.split(':').next().unwrap());
        let named: Vec<(&str, Sense)> = names.zip((0..SENSES).map(|bit| Sense(1 << bit))).collect();
        let expected = [
            ("answer", Sense::ANSWER),
            ("moves", Sense::MOVES),
            ("length", Sense::LENGTH),
            ("depth", Sense::DEPTH),
            ("count", Sense::COUNT),
            ("other", Sense::OTHER),
            ("solved", Sense::SOLVED),
            ("no", Sense::NO),
            ("unsolvable", Sense::UNSOLVABLE),
            ("algorithm", Sense::ALGORITHM),
            ("limit", Sense::LIMIT),
            ("gave up", Sense::GAVE_UP),
            ("trace", Sense::TRACE),
            ("filler", Sense::FILLER),
            ("blank", Sense::BLANK),
            ("is", Sense::IS),
            ("known", Sense::KNOWN),
            ("comparing", Sense::COMPARING),
            ("end", Sense::END),
        ];
        assert_eq!(named, expected);
        let directions: Vec<&str> = WORDS
            .lines()
            .skip(SENSES)
            .map(|line| line.split(':').next().unwrap())
            .collect();
        assert_eq!(directions, ["up", "down", "left", "right"]);
    }
}

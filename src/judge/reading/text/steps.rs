//! Lists of steps, and what they can mean.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::judge::{Path, Reading};
use crate::puzzle::{Board, Move, Numbering, Shape};

use super::labels::lower;
use super::lex::Text;

/// Words for up, down, left and right.
const DIRECTIONS: [&str; 4] = [
    "up north arriba cima acima haut oben hoch sopra su вверх 上 ↑ ⬆ ▲ ⇧ 🔼 ^ أعلى",
    "down south abajo baixo bas unten runter sotto giù вниз 下 ↓ ⬇ ▼ ⇩ 🔽 v أسفل",
    "left west izquierda esquerda gauche links sinistra влево 左 ← ⬅ ◀ ⇦ < يسار",
    "right east derecha direita droite rechts destra вправо 右 → ➡ ▶ ⇨ > يمين",
];

/// Letters for up, down, left and right.
const LETTERS: [&str; 7] = ["udlr", "wsad", "nswe", "tblr", "abid", "hbgd", "oulr"];

/// Words in a list of steps that are not steps.
const FILLERS: &str = "move moves moved moving slide step tile blank empty space spot the to then and start goal end none null \
    action of it piece ficha paso passo mover vazio vacío direction dir is name array";

/// The largest count of moves in one direction.
const MOST_REPEATS: u32 = 64;
/// A longer list is not read.
const LONGEST: usize = 100_000;

/// The direction of a word, with an ending as in `upwards`.
pub fn direction(word: &str) -> Option<Move> {
    if word.len() > 24 || word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let lower = lower(word);
    let stem = lower
        .trim_end_matches('s')
        .strip_suffix("ward")
        .unwrap_or(&lower);
    KNOWN.get(stem).copied().flatten()
}

/// Words for directions, and those that say nothing in a list.
static KNOWN: LazyLock<FxHashMap<&str, Option<Move>>> = LazyLock::new(|| {
    let fillers = FILLERS.split_whitespace().map(|word| (word, None));
    let moves = DIRECTIONS.iter().zip(Move::ALL);
    let moves =
        moves.flat_map(|(words, mv)| words.split_whitespace().map(move |word| (word, Some(mv))));
    fillers.chain(moves).collect()
});

/// An item of a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Item {
    /// A move that is known: a word, an arrow, a letter of UDLR.
    Move(Move),
    /// Several of them: letters of UDLR, signs.
    Moves,
    Number(u32),
    /// A word beside the steps.
    Filler,
    /// Anything else.
    Word,
}

impl Item {
    pub fn is_moves(self) -> bool {
        matches!(self, Item::Move(_) | Item::Moves)
    }
}

/// What a word is in a list of steps.
pub fn item(word: &str) -> Item {
    let times = word
        .strip_prefix('x')
        .or_else(|| word.strip_suffix('x'))
        .unwrap_or(word);
    if let Ok(number) = times.parse::<u32>() {
        return Item::Number(number);
    }
    if let Some(mv) = direction(word) {
        return Item::Move(mv);
    }
    let is_sign = !word.contains(char::is_alphanumeric) || word.starts_with('\\');
    if is_sign || word.len() < 16 && KNOWN.contains_key(word.to_ascii_lowercase().as_str()) {
        return Item::Filler;
    }
    match several(word).as_deref() {
        Some([mv]) => Item::Move(*mv),
        Some(_) => Item::Moves,
        None => Item::Word,
    }
}

/// The moves of a word that is no name of one.
fn several(word: &str) -> Option<Vec<Move>> {
    letters(word)
        .or_else(|| signs(word))
        .or_else(|| camel(word))
}

/// A run of letters of UDLR, with counts behind or before them: `RDL2U`, `2L`.
fn letters(word: &str) -> Option<Vec<Move>> {
    let mut moves = Vec::new();
    let (mut count, mut last) = (None::<u32>, None);
    let leading = word.starts_with(|c: char| c.is_ascii_digit());
    for c in word.chars() {
        if let Some(digit) = c.to_digit(10) {
            count = Some(count.unwrap_or(0) * 10 + digit).filter(|&n| n <= MOST_REPEATS);
            count?;
        } else {
            let mv = Move::from_letter(c)?;
            let times = |count: Option<u32>| count.unwrap_or(1) as usize;
            if leading {
                moves.extend(std::iter::repeat_n(mv, times(count.take())));
            } else {
                moves.extend(
                    last.replace(mv)
                        .into_iter()
                        .flat_map(|last| std::iter::repeat_n(last, times(count.take()))),
                );
            }
        }
    }
    let rest = last.map(|last| std::iter::repeat_n(last, count.unwrap_or(1) as usize));
    moves.extend(rest.into_iter().flatten());
    (!(moves.is_empty() || leading && count.is_some())).then_some(moves)
}

/// Signs without spaces, as `右下`.
fn signs(word: &str) -> Option<Vec<Move>> {
    let mut buffer = [0; 4];
    if word.is_ascii() {
        return None;
    }
    let moves: Vec<Option<Move>> = word
        .chars()
        .map(|c| direction(c.encode_utf8(&mut buffer)))
        .collect();
    let known = moves.iter().flatten().count();
    let all = known == moves.len()
        || known == 1 && moves.len() < 4 && word.chars().all(|c| c > '\u{2e80}');
    all.then(|| moves.into_iter().flatten().collect())
}

/// Two words without a space: `moveLeft`, `RightM`.
fn camel(word: &str) -> Option<Vec<Move>> {
    let parts: Vec<&str> = super::labels::words(word).collect();
    let moves: Vec<Move> = parts.iter().filter_map(|part| direction(part)).collect();
    let others = |part: &&str| {
        direction(part).is_some()
            || *part == "M"
            || KNOWN.contains_key(part.to_lowercase().as_str())
    };
    (parts.len() == 2 && moves.len() == 1 && parts.iter().all(others)).then_some(moves)
}

/// Whether a word is nearly a direction: a misprint.
pub fn is_nearly_moves(word: &str) -> bool {
    if is_nearly_letters(word) {
        return true;
    }
    word.len() == 1 && word.starts_with(|c: char| c.is_ascii_alphabetic()) || is_misprint(word)
}

/// Whether a word is at most one letter away from the name of a direction.
pub fn is_misprint(word: &str) -> bool {
    let near = |name: &str| {
        let same = |(a, b): &(u8, u8)| a.eq_ignore_ascii_case(b);
        let both = || word.bytes().zip(name.bytes());
        let begin = both().take_while(same).count();
        let back = word.bytes().rev().zip(name.bytes().rev());
        let rest = word.len().max(name.len()) - begin;
        back.take_while(same).count() + 1 >= rest && word.len().abs_diff(name.len()) < 2
    };
    word.len() > 1 && word.is_ascii() && ["up", "down", "left", "right"].into_iter().any(near)
}

/// Whether at least half of a word is capital letters of UDLR.
pub fn is_nearly_letters(word: &str) -> bool {
    let known = |c: &char| c.is_ascii_uppercase() && Move::from_letter(*c).is_some();
    let length = word.chars().count();
    length > 1 && 2 * word.chars().filter(known).count() >= length
}

/// Some words as numbers of symbols, of which there are four at most; `None` if one seems to be a misprint among directions.
pub fn symbols(words: &[&str]) -> Option<Vec<usize>> {
    let mut kinds: Vec<&str> = Vec::new();
    let mut symbols = Vec::with_capacity(words.len());
    for &word in words {
        let at = kinds
            .iter()
            .position(|kind| kind.eq_ignore_ascii_case(word))
            .unwrap_or(kinds.len());
        if at == kinds.len() {
            kinds.push(word);
        }
        if kinds.len() > 4 || word.is_empty() {
            return None;
        }
        symbols.push(at);
    }
    let (named, others): (Vec<&str>, Vec<&str>) =
        kinds.iter().partition(|kind| known(kind).is_some());
    let misprinted = !named.is_empty() && others.iter().any(|word| is_misprint(word));
    (named.len() <= others.len() && !misprinted).then_some(symbols)
}

/// The direction of a word or of a letter of UDLR.
pub fn known(word: &str) -> Option<Move> {
    let mut letters = word.chars();
    let letter = letters.next().filter(|_| letters.next().is_none());
    direction(word).or_else(|| Move::from_letter(letter?))
}

/// A list of steps in the order of a text.
#[derive(Clone, Debug, Default)]
pub struct Steps<'t> {
    /// Moves that are known.
    pub moves: Vec<Move>,
    /// Numbers, and how many moves stood before each.
    pub numbers: Vec<(u32, usize)>,
    /// Every word that is no filler, of which some are not known.
    pub words: Vec<&'t str>,
    pub unknown: usize,
}

/// Numbers of a step: its tile and its two cells.
pub const FACTS: usize = 7;

/// The puzzle that a list is about.
#[derive(Clone, Copy, Debug)]
pub struct Puzzle {
    pub start: Board,
    pub goal: Board,
    pub numbering: Numbering,
    pub only: Option<Reading>,
}

impl<'t> Steps<'t> {
    pub fn push(&mut self, text: &Text<'t>, atom: usize) {
        let word = text.at(atom);
        match text.item(atom) {
            Item::Filler => return,
            Item::Move(mv) => self.moves.push(mv),
            Item::Moves => self.moves.extend(several(word).unwrap_or_default()),
            Item::Number(number) => self.numbers.push((number, self.moves.len())),
            Item::Word => self.unknown += 1,
        }
        self.words.push(word);
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether the numbers count the steps.
    fn counted(&self) -> bool {
        let from = |first: u32| (first..).zip(&self.numbers).all(|(i, &(n, _))| i == n);
        from(0) || from(1)
    }

    /// Whether the one number is that of the moves.
    fn total(&self) -> bool {
        matches!(self.numbers[..], [(number, _)] if number as usize == self.moves.len())
    }

    /// Whether it is a list of known directions and of nothing else but their numbers.
    pub fn is_directions(&self) -> bool {
        let numbers = self.numbers.len();
        self.unknown == 0
            && (1..=LONGEST).contains(&self.moves.len())
            && (numbers == 0
                || numbers == self.moves.len()
                || numbers == 2 * self.moves.len()
                || self.counted()
                || self.total())
    }

    /// The meaning that solves the puzzle.
    pub fn solution(&self, puzzle: &Puzzle, labelled: bool, backward: bool) -> Option<Path> {
        if self.words.len() > LONGEST || self.moves.len() > LONGEST {
            return None;
        }
        let fits = |reading: Reading| puzzle.only.is_none_or(|only| only == reading);
        let numbers: Vec<u32> = self.numbers.iter().map(|&(number, _)| number).collect();
        if self.unknown == 0 && !self.moves.is_empty() {
            let tiles = || puzzle.tiles(&self.beside(&numbers)?);
            let plain = self.is_directions() || self.numbers.len() == 1 && self.moves.len() > 1;
            let moves = plain.then(|| puzzle.directions(&self.moves)).flatten();
            let moves = moves.or_else(|| puzzle.directions(&self.with_counts()?));
            let back = || backward.then(|| puzzle.backward(&self.moves)).flatten();
            return moves
                .or_else(back)
                .or_else(|| fits(Reading::Numbers).then(tiles).flatten());
        }
        if self.unknown == 0 && fits(Reading::Numbers) {
            let found = puzzle
                .tiles(&numbers)
                .or_else(|| puzzle.tiles(&self.digits(puzzle)?));
            if found.is_some() || puzzle.only.is_some() {
                return found;
            }
            if let Some(moves) = puzzle.cells(&numbers) {
                return Some(Path::Directions(moves));
            }
        }
        let symbols = self.symbols()?;
        // Numbers above 4 are no codes of directions, which a label makes likely.
        let codes = self.numbers.iter().all(|&(number, _)| number <= 4);
        let found = self
            .by_letter(puzzle)
            .or_else(|| puzzle.assigned(&symbols, labelled && codes));
        found.map(Path::Directions)
    }

    /// Tiles named beside directions: one a step, or the second of two where the first counts.
    fn beside(&self, numbers: &[u32]) -> Option<Vec<u32>> {
        match numbers.len() {
            n if n == self.moves.len() && !self.counted() => Some(numbers.to_vec()),
            n if n == 2 * self.moves.len() => {
                Some(numbers.iter().copied().skip(1).step_by(2).collect())
            }
            _ => None,
        }
    }

    /// Directions with their counts before or behind them.
    fn with_counts(&self) -> Option<Vec<Move>> {
        let fits = self
            .numbers
            .iter()
            .all(|&(n, _)| (1..=MOST_REPEATS).contains(&n));
        if self.numbers.is_empty() || self.moves.len() < 2 || !fits || self.counted() {
            return None;
        }
        let first = self.numbers[0].1 == 0;
        let mut times = vec![1usize; self.moves.len()];
        for &(n, at) in &self.numbers {
            *times.get_mut(if first { at } else { at.checked_sub(1)? })? = n as usize;
        }
        let repeat = |(&mv, &n): (&Move, &usize)| std::iter::repeat_n(mv, n);
        Some(self.moves.iter().zip(&times).flat_map(repeat).collect())
    }

    /// Digits without anything between them, as numbers.
    fn digits(&self, puzzle: &Puzzle) -> Option<Vec<u32>> {
        let small = puzzle.start.shape().cells() <= 10 && self.words.len() == 1;
        small
            .then(|| self.words[0].chars().map(|c| c.to_digit(10)).collect())
            .flatten()
    }

    /// Whether it is a list over at most four words or letters that say nothing else.
    pub fn is_symbols(&self) -> bool {
        let said = |word: &&str| super::labels::roles(word) != super::labels::Roles::default();
        let long = self.words.len() > 1 || self.words[0].chars().count() > 4;
        long && self.symbols().is_some() && !self.words.iter().any(said)
    }

    /// The words as numbers of symbols, of which there are four at most; a single word is read letter by letter.
    fn symbols(&self) -> Option<Vec<usize>> {
        let letters;
        let words: &[&str] = match &self.words[..] {
            [word] => {
                letters = word
                    .split("")
                    .filter(|letter| !letter.is_empty())
                    .collect::<Vec<_>>();
                &letters
            }
            words => words,
        };
        symbols(words)
    }

    /// The moves in letters of a known alphabet that solve the puzzle.
    fn by_letter(&self, puzzle: &Puzzle) -> Option<Vec<Move>> {
        let letters = self.words.concat().to_lowercase();
        let one_each = self.words.len() == 1 || self.words.len() == letters.len();
        let read = |alphabet: &&str| -> Option<Vec<Move>> {
            let moves = letters.chars().map(|c| Some(Move::ALL[alphabet.find(c)?]));
            let moves: Vec<Move> = moves.collect::<Option<_>>()?;
            puzzle.blank_moves(&moves)
        };
        (one_each && letters.len() > 1)
            .then(|| LETTERS.iter().find_map(read))
            .flatten()
    }
}

impl Puzzle {
    fn shape(&self) -> Shape {
        self.start.shape()
    }

    /// What is true of each step of a path that solves the puzzle: the tile, and the number, row and column of the cell
    /// that it leaves and of the one that it comes to, from 0; and the direction of the blank.
    pub fn facts(&self, path: &Path) -> Vec<([u32; FACTS], Move)> {
        let mut board = self.start;
        let cols = self.shape().cols();
        let mut facts = Vec::new();
        let mut step = |board: &Board, mv: Move| -> Option<Board> {
            let next = board.slide(mv)?;
            let cells = [next.blank(), board.blank()];
            let [from, to] = cells.map(|cell| [cell, cell / cols, cell % cols]);
            let tile = usize::from(board.tiles()[next.blank()]);
            let all = [tile, from[0], from[1], from[2], to[0], to[1], to[2]];
            facts.push((all.map(|fact| fact as u32), mv));
            Some(next)
        };
        match path {
            Path::Directions(moves) => {
                let Some(moves) = self.blank_moves(moves) else {
                    return Vec::new();
                };
                for mv in moves {
                    board = step(&board, mv).unwrap_or(board);
                }
            }
            Path::Tiles(tiles) => {
                for &tile in tiles {
                    let to = |mv: &Move| {
                        board
                            .slide(*mv)
                            .is_some_and(|next| board.tiles()[next.blank()] == tile)
                    };
                    let Some(mv) = Move::ALL.into_iter().find(to) else {
                        return Vec::new();
                    };
                    board = step(&board, mv).unwrap_or(board);
                }
            }
            Path::Boards(_) => {}
        }
        facts
    }

    fn solves(&self, moves: impl IntoIterator<Item = Move>) -> bool {
        let mut board = self.start;
        for mv in moves {
            match board.slide(mv) {
                Some(next) => board = next,
                None => return false,
            }
        }
        board == self.goal
    }

    /// Directions of the blank or of the tile that solve the puzzle.
    pub fn directions(&self, moves: &[Move]) -> Option<Path> {
        let fits = |reading: Reading| self.only.is_none_or(|only| only == reading);
        let blank = fits(Reading::Blank) && self.solves(moves.iter().copied());
        let solves =
            blank || fits(Reading::Tile) && self.solves(moves.iter().map(|mv| mv.opposite()));
        solves.then(|| Path::Directions(moves.to_vec()))
    }

    /// The blank's moves of directions that solve the puzzle.
    fn blank_moves(&self, moves: &[Move]) -> Option<Vec<Move>> {
        if self.solves(moves.iter().copied()) {
            return Some(moves.to_vec());
        }
        let opposite: Vec<Move> = moves.iter().map(|mv| mv.opposite()).collect();
        self.solves(opposite.iter().copied()).then_some(opposite)
    }

    fn backward(&self, moves: &[Move]) -> Option<Path> {
        let reversed: Vec<Move> = moves.iter().rev().copied().collect();
        self.blank_moves(&reversed).map(Path::Directions)
    }

    /// Tiles that solve the puzzle.
    pub fn tiles(&self, numbers: &[u32]) -> Option<Path> {
        let tile = |&number: &u32| {
            self.numbering
                .tile(self.shape(), number)
                .filter(|&tile| tile != 0)
        };
        let tiles: Vec<u8> = numbers.iter().map(tile).collect::<Option<_>>()?;
        let mut board = self.start;
        for &tile in &tiles {
            let blank = board.blank();
            let slides = Move::ALL.iter().filter_map(|&mv| board.slide(mv));
            board = slides
                .into_iter()
                .find(|next| next.tiles()[blank] == tile)?;
        }
        (board == self.goal).then_some(Path::Tiles(tiles))
    }

    /// The moves between cells, numbered from 0 or 1 or as rows and columns, that the blank or the tile comes to.
    pub fn cells(&self, numbers: &[u32]) -> Option<Vec<Move>> {
        let (n, rows, cols) = (
            self.shape().cells() as u32,
            self.shape().rows() as u32,
            self.shape().cols() as u32,
        );
        let from = |base: u32| -> [Option<Vec<u32>>; 3] {
            let cell = |&number: &u32| number.checked_sub(base).filter(|&cell| cell < n);
            let pair = |pair: &[u32], across: usize| -> Option<u32> {
                let row = pair[across].checked_sub(base).filter(|&row| row < rows)?;
                let col = pair[1 - across]
                    .checked_sub(base)
                    .filter(|&col| col < cols)?;
                Some(row * cols + col)
            };
            let even = numbers.len().is_multiple_of(2);
            let pairs = |across: usize| {
                let cells = || {
                    numbers
                        .chunks(2)
                        .map(|two| pair(two, across))
                        .collect::<Option<Vec<_>>>()
                };
                even.then(cells).flatten()
            };
            [numbers.iter().map(cell).collect(), pairs(0), pairs(1)]
        };
        // Fewer single numbers lead to the goal by chance.
        let lists = [0, 1]
            .into_iter()
            .flat_map(|base| from(base).map(|cells| (base, cells)));
        lists
            .filter_map(|(base, cells)| Some((base as usize, cells?)))
            .find_map(|(base, cells)| {
                let least = if cells.len() < numbers.len() {
                    3
                } else {
                    5 + base
                };
                (cells.len() >= least)
                    .then(|| self.through(&cells))
                    .flatten()
            })
    }

    /// The blank's moves through some cells that solve the puzzle, with or without the cell where it begins or ends.
    fn through(&self, cells: &[u32]) -> Option<Vec<Move>> {
        let (start, goal) = (self.start.blank() as u32, self.goal.blank() as u32);
        let mut way: Vec<u32> = cells.to_vec();
        if way.first() != Some(&start) {
            way.insert(0, start);
        }
        // Cells that the tile slides to are those the blank leaves.
        let mut tile_way = cells.to_vec();
        tile_way.push(goal);
        [way, tile_way].iter().find_map(|way| {
            let step = |pair: &[u32]| {
                Move::ALL
                    .into_iter()
                    .find(|&mv| self.shape().step(pair[0] as usize, mv) == Some(pair[1] as usize))
            };
            let moves: Vec<Move> = way.windows(2).map(step).collect::<Option<_>>()?;
            (way[0] == start && self.solves(moves.iter().copied())).then_some(moves)
        })
    }

    /// The moves of symbols of which nothing is known, if one of the 24 assignments solves the puzzle and chance cannot
    /// have done it.
    pub fn assigned(&self, symbols: &[usize], labelled: bool) -> Option<Vec<Move>> {
        let enough = if labelled { 5 } else { 9 };
        if symbols.len() < enough || self.only.is_some() {
            return None;
        }
        let kinds = symbols.iter().max()? + 1;
        for code in 0..256usize {
            let meaning = [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6];
            let distinct = (0..4).all(|i| (0..i).all(|j| meaning[i] != meaning[j]));
            if !distinct || kinds < 2 {
                continue;
            }
            let moves = symbols.iter().map(|&symbol| Move::ALL[meaning[symbol]]);
            if self.solves(moves.clone()) {
                return Some(moves.collect());
            }
        }
        None
    }
}

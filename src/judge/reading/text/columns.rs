//! Steps by position: the fields that stand at the same place of records alike, as in a list, a table, the lines of a log
//! or the objects of a file. What a field means is found by what solves the board.

use std::ops::Range;

use crate::judge::{Path, Reading};
use crate::puzzle::Move;

use super::claims::What;
use super::labels::{Roles, role, roles, words};
use super::lex::{Line, Text};
use super::steps::{FACTS, Item, Puzzle, direction, is_misprint, known, symbols};

/// Fields of a record.
const MOST_FIELDS: usize = 16;
/// Records of a run: fewer are read by their words alone.
const FEWEST: usize = 2;
/// Records whose fields are read without a label.
const FEWEST_BARE: usize = 4;
/// Records whose fields mean nothing by themselves: chance solves with fewer.
const FEWEST_SYMBOLS: usize = 5;
/// Records whose one field is the cell of the blank: chance solves with fewer.
const FEWEST_CELLS: usize = 8;
/// Records of a run that is read.
const LONGEST: usize = 10_000;
/// Runs that are kept, from the last on.
const MOST_FOUND: usize = 16;

/// Steps, and where they stand.
pub struct Found {
    pub what: What,
    /// Records.
    pub steps: u64,
    /// First line.
    pub from: usize,
    /// Last line.
    pub to: usize,
    /// What the words of the records and before them say.
    pub said: Roles,
}

/// A run of records: their atoms, in order, and the fields of each.
#[derive(Clone, Copy)]
struct Run {
    from: usize,
    to: usize,
    period: usize,
}

pub struct Columns<'a, 't> {
    text: &'a Text<'t>,
    puzzle: &'a Puzzle,
    /// Whether an atom belongs to a board.
    taken: &'a [bool],
    /// Atoms that belong to no board, without the numbers of lines in brackets.
    free: Vec<u32>,
    /// What stands before each of them.
    gaps: Vec<u32>,
    runs: Vec<Run>,
}

impl<'a, 't> Columns<'a, 't> {
    pub fn new(
        text: &'a Text<'t>,
        puzzle: &'a Puzzle,
        taken: &'a [bool],
        broken: &[usize],
    ) -> Columns<'a, 't> {
        let is_index = |atom: usize| {
            let line = &text.lines[text.line_of(atom)];
            atom == line.atoms.start
                && text.before(atom).ends_with('[')
                && text.before(atom + 1).starts_with(']')
                && is_number(text.at(atom))
        };
        let is_broken = |atom: usize| broken.binary_search(&text.line_of(atom)).is_ok();
        let free: Vec<u32> = (0..text.atoms.len())
            .filter(|&atom| !taken[atom] && !is_index(atom) && !is_broken(atom))
            .map(|atom| atom as u32)
            .collect();
        let gap = |&atom: &u32| match (atom as usize).checked_sub(1) {
            Some(before) if is_index(before) => NEW_LINE,
            _ => gap(text.before(atom as usize)),
        };
        let gaps = free.iter().map(gap).collect();
        let mut columns = Columns {
            text,
            puzzle,
            free,
            gaps,
            taken,
            runs: Vec::new(),
        };
        columns.runs = columns.runs();
        columns
    }

    /// The word at a place.
    fn word(&self, at: usize) -> &'t str {
        self.text.at(self.free[at] as usize)
    }

    /// The line of a place.
    fn line(&self, at: usize) -> usize {
        self.text.line_of(self.free[at] as usize)
    }

    /// Whether a line begins at a place.
    fn begins(&self, at: usize) -> bool {
        at == 0 || at >= self.free.len() || self.line(at - 1) != self.line(at)
    }

    /// The values of a field.
    fn values(&self, run: &Run, field: usize) -> Vec<&'t str> {
        let places = (run.from + field..=run.to).step_by(run.period);
        places.map(|at| self.word(at)).collect()
    }

    /// All runs of records that solve the board, in their order.
    pub fn found(&self) -> Vec<Found> {
        let mut found: Vec<Found> = Vec::new();
        for run in self.runs.iter().rev() {
            if found.len() == MOST_FOUND {
                break;
            }
            if let Some((path, part)) = self.solution(run) {
                let last = run.from + (part.end - 1) * run.period;
                let run = Run {
                    from: run.from + part.start * run.period,
                    to: run.to.min(last + run.period - 1),
                    ..*run
                };
                found.push(self.placed(&run, What::Solution(path)));
            } else if let Some((lines, what)) = self.directions(run) {
                found.push(self.placed(&lines, what));
            }
        }
        found.extend(self.by_lines());
        found.sort_by_key(|found| found.to);
        found
    }

    /// The lines of a run that say a direction each, or all but a few of them, and what they claim.
    fn directions(&self, run: &Run) -> Option<(Run, What)> {
        let from = (run.from..run.from + run.period).find(|&at| self.begins(at))?;
        let records = (run.to + 1).checked_sub(from)? / run.period;
        let all = Run { from, ..*run };
        let names = |&field: &usize| {
            self.values(&all, field)
                .iter()
                .any(|word| known(word).is_some())
        };
        let fields: Vec<usize> = (0..run.period).filter(names).collect();
        if fields.is_empty() {
            return None;
        }
        parts(records)
            .filter(|part| part.len() >= FEWEST)
            .find_map(|part| {
                let part = Run {
                    from: from + part.start * run.period,
                    to: from + part.end * run.period - 1,
                    ..*run
                };
                let values = |field: usize| self.values(&part, field);
                let start = self.text.lines[self.line(part.from)].atoms.start;
                let is_count =
                    |field: usize| numbers(&values(field)).is_some_and(|numbers| counts(&numbers));
                let counted =
                    start < self.free[part.from] as usize || (0..run.period).any(is_count);
                let first = values(0);
                let field = |field: usize| -> Option<What> {
                    let values = values(field);
                    let moves: Vec<Move> = values.iter().filter_map(|value| known(value)).collect();
                    let varies = counted && values[0].starts_with(char::is_alphabetic)
                        || run.period == 1
                        || values.iter().any(|value| *value != values[0]);
                    let whole = moves.len() == values.len();
                    match (moves.len(), self.puzzle.directions(&moves)) {
                        (0, _) => None,
                        (1, _)
                            if !whole
                                && values
                                    .iter()
                                    .all(|value| known(value).is_some() || is_label(value)) =>
                        {
                            None
                        }
                        _ if is_rest(&first) => Some(What::Unread),
                        (_, Some(path)) if whole => Some(What::Solution(path)),
                        (_, Some(_)) => Some(What::Unread),
                        _ if whole => varies.then_some(What::Wrong(Path::Directions(moves))),
                        _ => (counted || self.is_labelled(part.from)).then_some(What::Unread),
                    }
                };
                let what = fields.iter().copied().find_map(field)?;
                self.is_line_each(&part).then_some((part, what))
            })
    }

    fn placed(&self, run: &Run, what: What) -> Found {
        let (from, to) = (self.line(run.from), self.line(run.to));
        Found {
            steps: match &what {
                What::Solution(Path::Directions(moves)) | What::Wrong(Path::Directions(moves)) => {
                    moves.len() as u64
                }
                What::Solution(Path::Tiles(tiles)) => tiles.len() as u64,
                _ => ((run.to + 1 - run.from) / run.period) as u64,
            },
            what,
            from,
            to,
            said: self.said(from, run.from),
        }
    }

    /// Whether the words before an atom say that steps follow.
    fn is_labelled(&self, at: usize) -> bool {
        self.said(self.line(at), at)
            .has(Roles::ANSWER | Roles::MOVES)
    }

    /// Whether every record is a line.
    fn is_line_each(&self, run: &Run) -> bool {
        let records = run.from..=run.to;
        self.begins(run.to + 1)
            && records
                .into_iter()
                .all(|at| self.begins(at) == (at - run.from).is_multiple_of(run.period))
    }

    /// What the words say that stand before an atom in its line, or in the line before.
    fn said(&self, line: usize, at: usize) -> Roles {
        let all = |from: usize, to: usize| {
            self.text.text[from..to.max(from)]
                .split_whitespace()
                .rev()
                .take(12)
                .map(roles)
                .fold(Roles::default(), |all, role| all | role)
        };
        let start = self.text.lines[line].bytes.start;
        let atom = self.free[at] as usize;
        let role = match known(self.text.at(atom)) {
            Some(_) => Roles::default(),
            None => self.text.role(atom),
        };
        let own = all(start, self.text.atoms[atom].start as usize) | role;
        if own != Roles::default() {
            return own;
        }
        let before = (0..line).rev().take(3).find(|&line| {
            let line = &self.text.lines[line];
            !line.atoms.is_empty()
        });
        let heading = before.map(|line| self.text.lines[line].bytes.clone());
        let heading =
            heading.filter(|bytes| self.text.text[bytes.clone()].trim_end().ends_with(':'));
        heading.map_or(own, |bytes| all(bytes.start, bytes.end))
    }

    /// Words of a line that are directions.
    pub fn directions_in(&self, line: usize) -> usize {
        let atoms = self.text.lines[line].atoms.clone();
        atoms
            .filter(|&atom| known(self.text.at(atom)).is_some())
            .count()
    }

    /// Whether the steps of some lines go on in the line before or behind them.
    pub fn goes_on(&self, from: usize, to: usize) -> bool {
        // A line's words, its first number, and where that stands.
        let begins = |line: usize| {
            let atoms = self.text.lines.get(line)?.atoms.clone();
            let words: Vec<&str> = atoms.map(|atom| self.text.at(atom)).collect();
            let at = words.iter().position(|word| is_number(word));
            Some((
                words.len(),
                at.map(|at| (at, words[at].parse::<i64>().unwrap_or(0))),
            ))
        };
        let beside = |line: usize| {
            let own = if line < from { from } else { to };
            let ((known, number), (others, other)) = (begins(own)?, begins(line)?);
            let same = number.map(|(at, _)| at == 0) == other.map(|(at, _)| at == 0);
            let next = |a: (usize, i64), b: (usize, i64)| a.0 == b.0 && a.1 + 1 == b.1;
            let counted = number
                .zip(other)
                .is_some_and(|(own, other)| match line < from {
                    true => next(other, own) && (other.1 > 0 || !self.is_told(line)),
                    false => next(own, other) && !self.is_told(line),
                });
            let step = same && self.is_step(&self.text.lines[line], true, 1);
            (known.abs_diff(others) < 3 && (step || counted)).then_some(())
        };
        from.checked_sub(1)
            .and_then(beside)
            .or_else(|| beside(to + 1))
            .is_some()
    }

    /// Whether the words of a line say something else than a step.
    fn is_told(&self, line: usize) -> bool {
        let atoms = self.text.lines[line].atoms.clone();
        let mut words = atoms
            .filter(|&atom| !self.taken[atom])
            .map(|atom| self.text.at(atom));
        words.all(|word| is_number(word) || is_label(word))
    }

    /// Whether a word of a line is the name of a direction with a sign in it.
    pub fn is_torn(&self, line: &Line) -> bool {
        let torn = |atom: usize| {
            let gap = self.text.before(atom);
            let parts = [self.text.at(atom - 1), self.text.at(atom)];
            let both = parts.concat();
            gap.len() == 1
                && parts.iter().all(|part| direction(part).is_none())
                && (direction(&both).is_some() || both.len() > 2 && is_misprint(&both))
        };
        let mut atoms = line.atoms.clone().skip(1);
        atoms.any(|atom| !self.taken[atom] && torn(atom))
    }

    /// Whether a line has a misprinted direction, or one that is whole, and at most one other word.
    pub fn is_step(&self, line: &Line, whole: bool, most: usize) -> bool {
        let atoms = line.atoms.clone().filter(|&atom| !self.taken[atom]);
        let (mut near, mut others) = (0, 0);
        for atom in atoms {
            let is_near = match self.text.item(atom) {
                Item::Filler | Item::Number(_) => continue,
                Item::Word => is_misprint(self.text.at(atom)),
                _ => whole,
            };
            *if is_near { &mut near } else { &mut others } += 1;
        }
        near > 0 && others < most || self.is_torn(line)
    }

    /// Whether some fields of as many records vary as steps: a list of so many steps, whatever it says.
    pub fn has_records(&self, steps: u64) -> bool {
        let listed = self
            .text
            .lines
            .iter()
            .any(|line| self.is_step(line, true, 2));
        listed
            || self.runs.iter().any(|run| {
                let records = (run.to + 1 - run.from) / run.period;
                let is_list = |field: usize| {
                    let values = self.values(run, field);
                    let tiles = self.puzzle.start.shape().cells() as u32;
                    match numbers(&values) {
                        Some(numbers) => {
                            numbers.iter().all(|&number| number < tiles)
                                && numbers.windows(2).any(|pair| pair[0] > pair[1])
                        }
                        None => values.iter().all(|value| known(value).is_some()),
                    }
                };
                records >= FEWEST_BARE && records as u64 == steps && (0..run.period).any(is_list)
            })
    }

    /// Runs of at least [`FEWEST`] records, of as few fields as will do.
    fn runs(&self) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        let kinds: Vec<bool> = self
            .free
            .iter()
            .map(|&atom| is_number(self.text.at(atom as usize)))
            .collect();
        for (period, wraps) in (1..=MOST_FIELDS)
            .map(|period| (period, false))
            .chain([(1, true)])
        {
            let gap = |at: usize| match self.gaps[at] {
                NEW_LINE if wraps => SPACE,
                gap => gap,
            };
            let shorter = runs.len();
            let mut covers = 0;
            let mut from = 0;
            for at in 0..self.free.len() {
                let next = at + period;
                let same_kind = next < self.free.len() && kinds[at] == kinds[next];
                // The gap before the first field belongs to no record.
                if same_kind && (at == from || gap(at) == gap(next)) {
                    continue;
                }
                let to = next - 1;
                if to < self.free.len() && to + 1 - from >= FEWEST * period {
                    while covers < shorter && runs[covers].to < to {
                        covers += 1;
                    }
                    let known =
                        runs[..shorter].iter().skip(covers).take(4).any(|run| {
                            run.from <= from && to <= run.to && period % run.period == 0
                        });
                    if !known {
                        runs.push(Run { from, to, period });
                    }
                }
                from = if same_kind { at } else { at + 1 };
            }
        }
        runs.sort_by_key(|run| (run.to, run.from));
        runs
    }

    /// The steps of the first field, or of two beside each other, that solve the board, and the records they stand in.
    fn solution(&self, run: &Run) -> Option<(Path, Range<usize>)> {
        let records = (run.to + 1 - run.from) / run.period;
        if records > LONGEST {
            return None;
        }
        let fields: Vec<Vec<&str>> = (0..run.period)
            .map(|field| self.values(run, field))
            .collect();
        // Lines that are counted from 2 or more are the rest of a list.
        let line = |at: usize| self.line(at);
        let goes_on = || self.goes_on(line(run.from), line(run.to));
        if self.is_line_each(run) && fields.iter().any(|field| is_rest(field)) && goes_on() {
            return None;
        }
        let labelled = self.is_labelled(run.from) || self.is_line_each(run);
        let in_line = line(run.from) == line(run.to);
        // A step at the same place before the first or behind the last belongs to them.
        let is_more = |first: usize, other: Option<usize>| {
            let other = other.filter(|&at| at < self.free.len());
            other.is_some_and(|at| {
                let step = self.text.item(self.free[at] as usize).is_moves();
                let gap = self.text.before(self.free[first.max(at)] as usize);
                let list = in_line && gap.chars().all(|c| c == ',' || c.is_whitespace());
                line(first).abs_diff(line(at)) < run.period.min(2)
                    && (step || is_misprint(self.word(at)))
                    || list && line(first) == line(at) && is_number(self.word(at))
            })
        };
        let goes_on_beside = |field: usize, part: &Range<usize>| {
            let (first, records) = (run.from + field, fields[field].len());
            let last = first + (records - 1) * run.period;
            part.start == 0 && is_more(first, first.checked_sub(run.period))
                || part.end == records && is_more(last, Some(last + run.period))
        };
        let mut found = (0..run.period)
            .filter_map(|field| Some((field, self.solves(&fields[field], labelled, in_line)?)));
        let single = found.find(|(field, (_, part))| !goes_on_beside(*field, part));
        let single = single.map(|(_, found)| found);
        let (path, part) = single.or_else(|| {
            let fields: Vec<Vec<u32>> = fields.iter().filter_map(|field| numbers(field)).collect();
            fields.windows(2).find_map(|pair| {
                let both = pair[0].iter().zip(&pair[1]).flat_map(|(&a, &b)| [a, b]);
                let cells: Vec<u32> = both.collect();
                let moves = self.puzzle.cells(&cells)?;
                Some((Path::Directions(moves), 0..pair[1].len()))
            })
        })?;
        let mut lines = self.text.lines[line(run.from)..=line(run.to)].iter();
        let torn = lines.any(|line| self.is_torn(line));
        // A field that names directions names nothing else.
        let mixed = |field: &Vec<&str>| {
            let values = field.get(part.clone()).unwrap_or_default();
            let moves = values.iter().filter(|word| known(word).is_some()).count();
            let misprints = field
                .iter()
                .any(|word| known(word).is_none() && is_misprint(word));
            misprints || moves > 0 && moves < values.len()
        };
        // Directions beside each other are a list.
        let listed = |pair: &[Vec<&str>]| pair.iter().all(|field| known(field[0]).is_some());
        let last = run.from + (part.end - 1) * run.period;
        let few = run.period > 1 && part.len() < FEWEST_BARE && line(run.from) == line(last);
        let doubtful = torn
            || few
            || run.period > 1 && (fields.iter().any(mixed) || fields.windows(2).any(listed));
        (!doubtful && self.agree(&fields, &path, &part)).then_some((path, part))
    }

    /// Whether the fields say the same of the steps: what a field says of most of them holds for all.
    fn agree(&self, fields: &[Vec<&str>], path: &Path, part: &Range<usize>) -> bool {
        let steps = self.puzzle.facts(path);
        let n = steps.len();
        if n < FEWEST_BARE || n != part.len() {
            return true;
        }
        fields.iter().all(|field| {
            // A field before the first of the steps belongs to the record before.
            let shifts = [
                part.start.checked_sub(1),
                Some(part.start),
                Some(part.start + 1),
            ];
            let values = shifts
                .iter()
                .filter_map(|&start| field.get(start?..start? + n));
            let same = values.map(|values| same(&steps, values)).max().unwrap_or(0);
            same == n || 5 * same < 4 * n
        })
    }

    /// The meaning of a field that solves the board, with or without its first or last value.
    fn solves(
        &self,
        values: &[&str],
        labelled: bool,
        in_line: bool,
    ) -> Option<(Path, Range<usize>)> {
        let tiles = self.puzzle.start.shape().cells() as u32;
        // What is left out has a meaning of its own. Numbers of a line are one list.
        let is_own = |part: &Range<usize>, value: &str| match value.parse::<u32>() {
            Ok(number) => number >= tiles && !in_line,
            _ => !values[part.clone()].contains(&value) && is_label(value),
        };
        let whole = |part: &Range<usize>| {
            let mut others = values[..part.start].iter().chain(&values[part.end..]);
            others.all(|value| is_own(part, value))
        };
        let meaning =
            |part: Range<usize>| Some((self.meaning(&values[part.clone()], labelled)?, part));
        parts(values.len()).filter(whole).find_map(meaning)
    }

    fn meaning(&self, values: &[&str], labelled: bool) -> Option<Path> {
        if values.len() < if labelled { FEWEST } else { FEWEST_BARE } {
            return None;
        }
        if let Some(numbers) = numbers(values) {
            let named = self.puzzle.only == Some(Reading::Numbers);
            let counted = !named && (values.len() < FEWEST_BARE || counts(&numbers));
            if counted {
                return None;
            }
            let tiles = self.puzzle.tiles(&numbers);
            let cells = || {
                let moves = (numbers.len() >= FEWEST_CELLS).then(|| self.puzzle.cells(&numbers));
                moves.flatten().map(Path::Directions)
            };
            if let Some(path) = tiles.or_else(cells) {
                return Some(path);
            }
        }
        let known: Option<Vec<Move>> = values.iter().map(|value| known(value)).collect();
        match known {
            Some(moves) => self.puzzle.directions(&moves),
            None => self.by_symbols(values, labelled),
        }
    }

    /// The moves that at most four symbols stand for.
    fn by_symbols<S: AsRef<str>>(&self, values: &[S], labelled: bool) -> Option<Path> {
        // Words for directions mean nothing else.
        let named = |value: &S| {
            let mut named = value.as_ref().split_whitespace().filter_map(direction);
            let one = named.next().filter(|_| named.next().is_none());
            known(value.as_ref()).or(one)
        };
        let moves: Vec<Move> = values.iter().filter_map(named).collect();
        if moves.len() == values.len() {
            return self.puzzle.directions(&moves);
        }
        let values: Vec<&str> = values.iter().map(AsRef::as_ref).collect();
        let means = |word: &str| direction(word).is_some() || role(word) != Roles::default();
        if values.iter().any(|value| words(value).any(means)) {
            return None;
        }
        let symbols = symbols(&values)?;
        let is_code = |value: &&str| value.parse().is_ok_and(|code: u8| code < 5);
        let labelled = labelled && (!is_number(values[0]) || values.iter().all(is_code));
        self.puzzle
            .assigned(&symbols, labelled)
            .map(Path::Directions)
    }

    /// Steps that are a phrase each: the ends of lines alike.
    fn by_lines(&self) -> Vec<Found> {
        let mut lines: Vec<(usize, usize)> = Vec::new();
        for at in 0..self.free.len() {
            match lines.last_mut() {
                Some(line) if !self.begins(at) => line.1 = at,
                _ => lines.push((at, at)),
            }
        }
        let groups: Vec<_> = lines.chunk_by(|a, b| self.alike(*a, *b)).collect();
        let found = groups
            .into_iter()
            .rev()
            .filter_map(|group| self.phrases(group));
        found.take(MOST_FOUND).collect()
    }

    /// Whether two lines are the same but for their ends.
    fn alike(&self, a: (usize, usize), b: (usize, usize)) -> bool {
        let (n, m) = (a.1 + 1 - a.0, b.1 + 1 - b.0);
        if n.abs_diff(m) > 3 {
            return false;
        }
        let same = |i: &usize| {
            is_number(self.word(a.0 + i)) == is_number(self.word(b.0 + i))
                && (*i == 0 || self.gaps[a.0 + i] == self.gaps[b.0 + i])
        };
        let k = (0..n.min(m)).take_while(same).count();
        k >= 1 && k + 1 >= n.min(m)
    }

    fn phrases(&self, group: &[(usize, usize)]) -> Option<Found> {
        if group.len() < FEWEST_SYMBOLS || group.len() > LONGEST {
            return None;
        }
        let labelled = self.is_labelled(group[0].0);
        let shortest = group.iter().map(|line| line.1 + 1 - line.0).min()?;
        let whole = |at: usize, line: &(usize, usize)| {
            let atom = |at: usize| self.text.atoms[self.free[at] as usize];
            self.text.text[atom(line.0 + at).start as usize..atom(line.1).end as usize]
                .to_lowercase()
        };
        let words =
            |at: usize| -> Vec<&str> { group.iter().map(|line| self.word(line.0 + at)).collect() };
        let tail = |at: usize| -> Option<(Path, Range<usize>)> {
            let tails: Vec<String> = group.iter().map(|line| whole(at, line)).collect();
            let words = words(at);
            let own = || Some((self.by_symbols(&tails, labelled)?, 0..tails.len()));
            let uniform = group
                .iter()
                .all(|line| line.1 - line.0 == group[0].1 - group[0].0);
            let is_field = uniform || numbers(&words).is_some();
            let field = is_field.then(|| self.solves(&words, labelled, false));
            field.flatten().or_else(own)
        };
        let (path, part) = (0..shortest.min(MOST_FIELDS)).find_map(tail)?;
        let fields: Vec<Vec<&str>> = (0..shortest.min(MOST_FIELDS)).map(words).collect();
        if !self.agree(&fields, &path, &part) {
            return None;
        }
        let run = Run {
            from: group[part.start].0,
            to: group[part.end - 1].1,
            period: 1,
        };
        Some(self.placed(&run, What::Solution(path)))
    }
}

/// The most steps of which a field says something true: the tile, a cell, the direction.
fn same(steps: &[([u32; FACTS], Move)], values: &[&str]) -> usize {
    let count = |holds: &dyn Fn(usize) -> bool| (0..steps.len()).filter(|&at| holds(at)).count();
    if let Some(numbers) = numbers(values) {
        let facts = (0..FACTS).flat_map(|fact| [(fact, 0), (fact, u32::from(fact > 0))]);
        let same = facts.map(|(fact, base)| count(&|at| steps[at].0[fact] + base == numbers[at]));
        return same.max().unwrap_or(0);
    }
    let known: Option<Vec<Move>> = values.iter().map(|value| known(value)).collect();
    known.map_or(0, |moves| {
        count(&|at| steps[at].1 == moves[at]).max(count(&|at| steps[at].1.opposite() == moves[at]))
    })
}

/// All of some values, and without the first or the last of them.
fn parts(n: usize) -> impl Iterator<Item = Range<usize>> {
    let less = n.saturating_sub(1);
    [0..n, 1..n, 0..less, 1..less]
        .into_iter()
        .filter(|part| part.start < part.end)
}

/// Whether a word is not a step: it is a label, or something else.
fn is_label(word: &str) -> bool {
    known(word).is_none() && !is_misprint(word) && word.chars().count() > 2
}

/// Whether numbers count lines from 2 or more: the rest of a list.
fn is_rest(field: &[&str]) -> bool {
    let numbers = numbers(field).unwrap_or_default();
    counts(&numbers) && numbers.first().is_some_and(|&first| first > 1)
}

/// Whether each number is one more than the one before it.
fn counts(numbers: &[u32]) -> bool {
    numbers
        .windows(2)
        .all(|pair| pair[0].checked_add(1) == Some(pair[1]))
}

fn is_number(word: &str) -> bool {
    !word.is_empty()
        && word.len() < 10
        && word
            .trim_start_matches('-')
            .bytes()
            .all(|byte| byte.is_ascii_digit())
}

fn numbers(values: &[&str]) -> Option<Vec<u32>> {
    values.iter().map(|value| value.parse().ok()).collect()
}

/// Gaps of nothing else.
const SPACE: u32 = 17;
const NEW_LINE: u32 = 1;

/// A hash of what stands between two fields, without spaces and quotes; the end of a line counts if nothing else does.
pub fn gap(before: &str) -> u32 {
    let skipped = |c: &char| !c.is_whitespace() && !"\"'`*".contains(*c);
    let hash = before.chars().filter(skipped).fold(SPACE, |hash, c| {
        hash.wrapping_mul(31).wrapping_add(c as u32)
    });
    match hash {
        SPACE if before.contains('\n') => NEW_LINE,
        hash => hash,
    }
}

//! The answer of a text for people: its claims in order, of which the last that stands as an answer decides.

mod boards;
mod claims;
mod columns;
mod labels;
mod lengths;
mod lex;
mod steps;
mod tables;

use super::claim::{ClaimError, Reader, shorten};
use super::moves::paths;
use crate::judge::answer::{Answer, Path};
use crate::puzzle::{Board, Move};

use self::boards::{Chain, chains};
use self::claims::{Claim, Scanner, What};
use self::columns::{Columns, Found};
use self::labels::Roles;
use self::lengths::Rank;
use self::lex::shown;
use self::steps::Puzzle;

pub(super) use self::boards::{Boards, Placed, is_step};
pub(super) use self::labels::words;
pub(super) use self::lengths::says_none;
pub(super) use self::lex::Text;
pub(super) use self::steps::direction;

/// Whether a field says that there is no solution.
pub(super) fn is_none(field: &[u8]) -> bool {
    const LONGEST: usize = 40;
    let field = field.trim_ascii();
    let Some(text) = std::str::from_utf8(field)
        .ok()
        .filter(|text| text.len() <= LONGEST)
    else {
        return false;
    };
    lengths::is_nothing(text) || says_none(text)
}

/// Whether a word stands beside steps without being one.
pub(super) fn is_filler(word: &str) -> bool {
    steps::item(word) == steps::Item::Filler
}

/// Whether a word is the unit of a length.
pub(super) fn is_unit(word: &str) -> bool {
    labels::role(word).has(Roles::MOVES)
}

/// Whether a key names a path.
pub(super) fn names_path(key: &str) -> bool {
    let said = labels::roles(key);
    said.has(Roles::ANSWER | Roles::MOVES) && !said.has(Roles::NOT_ANSWER)
}

/// Lines that are read between two checks of the flag.
const UNCHECKED: usize = 1 << 10;

/// Searches a solver's whole output for its answer to `board`; `None` if there is none in it that can be
/// read beyond doubt.
///
/// Found are labelled lines (`path_to_goal: ['Up', 'Left']`, `Cost to the path: 26`,
/// `Solution (19 moves): RDDL...`), tables with a header (`...,PATH_LENGTH,...,PATH`), JSON
/// objects, moves or a length on a line of their own, a move or a board a line, and words such as
/// `no solution`. Where an output holds several answers, the last counts.
///
/// ```
/// use puzzledb::judge::Path;
/// use puzzledb::judge::reading::find_answer;
/// use puzzledb::puzzle::Move;
///
/// let output = b"Searching...\npath_to_goal: ['Right', 'Down']\ncost_of_path: 2\nnodes_expanded: 5\n";
/// let answer = find_answer(output, &"123405786".parse()?, &"123456780".parse()?).unwrap();
/// assert_eq!(answer.length, Some(2));
/// assert_eq!(answer.candidates, [Path::Directions(vec![Move::Right, Move::Down])]);
/// # Ok::<(), puzzledb::puzzle::ParseError>(())
/// ```
pub fn find_answer(output: &[u8], board: &Board, goal: &Board) -> Option<Answer> {
    find_answers(output, board, goal, &Reader::default())
        .ok()?
        .pop()
}

/// As [`find_answer`], with a reader of one's own, and every answer where several algorithms give one each.
///
/// # Errors
/// [`ClaimError::NoAnswer`] says what there is instead; [`ClaimError::Cancelled`] that it was cancelled or took too long.
pub fn find_answers(
    output: &[u8],
    board: &Board,
    goal: &Board,
    reader: &Reader,
) -> Result<Vec<Answer>, ClaimError> {
    let shown = shown(output);
    let text = Text::new(&shown);
    let numbering = reader.numbering.of(board.shape());
    let puzzle = Puzzle {
        start: *board,
        goal: *goal,
        numbering,
        only: reader.only,
    };
    let placed = Boards::of(&text, numbering).all();
    let mut scanner = Scanner::new(&text, &puzzle, &placed);
    let (mut line, mut checked) = (0, 0);
    while line < text.lines.len() {
        line = scanner.table(line).unwrap_or_else(|| scanner.line(line));
        if line > checked + UNCHECKED || checked == 0 {
            checked = line;
            if reader.cancel.is_cancelled() {
                return Err(ClaimError::Cancelled);
            }
        }
    }
    scanner.give_context(usize::MAX, Roles::default(), false);
    let claims = std::mem::take(&mut scanner.claims);
    Decision::new(&scanner, claims).answers()
}

/// The claims of a text and what decides between them.
struct Decision<'a> {
    scanner: &'a Scanner<'a, 'a>,
    puzzle: &'a Puzzle,
    claims: Vec<Claim>,
    /// Boards that are neither the start nor the goal.
    between: usize,
    broken: bool,
    columns: Columns<'a, 'a>,
}

impl<'a> Decision<'a> {
    fn new(scanner: &'a Scanner<'a, 'a>, claims: Vec<Claim>) -> Decision<'a> {
        let puzzle = scanner.puzzle;
        let others = |(placed, context): &(&Placed, &(Roles, usize, bool))| {
            placed.board != puzzle.start && placed.board != puzzle.goal && !context.2
        };
        let mut decision = Decision {
            scanner,
            puzzle,
            claims,
            between: scanner
                .placed
                .iter()
                .zip(&scanner.contexts)
                .filter(others)
                .count(),
            broken: false,
            columns: Columns::new(scanner.text, puzzle, &scanner.taken, &scanner.broken_rows),
        };
        // One sign stands for the blank in all boards, or one of them is misprinted.
        let odd = |placed: &Placed| placed.sign.filter(|sign| sign.is_alphanumeric());
        let mut signs = scanner.placed.iter().filter_map(odd);
        let first = signs.next();
        decision.broken = signs.any(|sign| Some(sign) != first);
        let chains = chains(scanner.placed, &puzzle.start, &puzzle.goal);
        for chain in &chains {
            decision.chain(chain);
        }
        decision.claims.sort_by_key(|claim| claim.line);
        // The first line whose lists end in each.
        let mut opened = vec![usize::MAX; scanner.text.lines.len()];
        for (line, begun) in scanner.text.lines.iter().enumerate().rev() {
            opened[begun.joined] = line;
        }
        for found in decision.columns.found() {
            decision.records(found, &opened);
        }
        decision.claims.sort_by_key(|claim| claim.line);
        decision
    }

    /// Adds what records alike claim.
    fn records(&mut self, found: Found, opened: &[usize]) {
        if found.said.has(Roles::NOT_ANSWER) && !found.said.has(Roles::ANSWER) {
            return;
        }
        let lines = &self.scanner.text.lines;
        let steps = found.steps;
        let cut_off = |claim: &Claim| {
            claim.strong && matches!(claim.what, What::Unread) && claim.line == found.to
        };
        let directions = matches!(found.what, What::Solution(Path::Directions(_)));
        if directions && steps < 4 && self.claims.iter().any(cut_off) {
            return;
        }
        let inside = |claim: &Claim| {
            (found.from..=found.to).contains(&claim.line)
                || claim.line > found.to && opened[claim.line] <= found.from
        };
        if !matches!(found.what, What::Solution(_)) {
            self.claims.retain(|claim| {
                !inside(claim) || matches!(claim.what, What::Length(..) | What::GaveUp)
            });
            let strong = steps > 2 && found.said.has(Roles::ANSWER | Roles::MOVES);
            return self.add(&found, strong);
        }
        // A few moves behind them are no other answer.
        let is_answer = |claim: &Claim| match &claim.what {
            What::Wrong(path) => {
                !inside(claim)
                    && (claim.line < found.to || 2 * path_length(path, &self.puzzle.start) > steps)
            }
            What::Unread => {
                let few = 2 * (lines[claim.line].atoms.len() as u64) < steps;
                !inside(claim) && (claim.line < found.to || claim.strong && !few)
            }
            What::Lone(_) => !inside(claim),
            _ => true,
        };
        self.claims.retain(is_answer);
        let solves = |claim: &Claim| match &claim.what {
            What::Solution(path) if inside(claim) => Some(path_length(path, &self.puzzle.start)),
            _ => None,
        };
        self.claims
            .retain(|claim| solves(claim).is_none_or(|length| length >= steps));
        if let Some(claim) = self
            .claims
            .iter_mut()
            .rev()
            .find(|claim| solves(claim).is_some())
        {
            claim.strong = true;
            return;
        }
        self.add(&found, true);
    }

    fn add(&mut self, found: &Found, strong: bool) {
        let before = self
            .claims
            .iter()
            .rev()
            .find(|claim| claim.line <= found.to);
        let record = before.map_or(0, |claim| claim.record);
        self.claims.push(Claim {
            line: found.to,
            record,
            strong,
            what: found.what.clone(),
        });
    }

    /// Adds what a chain of boards claims.
    fn chain(&mut self, chain: &Chain) {
        let scanner = self.scanner;
        let line = scanner.text.line_of(scanner.placed[chain.last].last);
        let (said, record, _) = scanner.contexts[chain.first];
        let said = scanner
            .contexts
            .get(chain.first + 1)
            .filter(|_| chain.last > chain.first)
            .map_or(said, |next| next.0);
        let named = said.has(Roles::ANSWER | Roles::MOVES) && !said.has(Roles::NOT_ANSWER);
        let claim = |strong, what| Claim {
            line,
            record,
            strong,
            what,
        };
        if self.puzzle.start == self.puzzle.goal && chain.boards.len() == 1 {
            return;
        }
        let begun = scanner.text.line_of(scanner.placed[chain.first].first);
        let rows = &scanner.broken_rows;
        let next = rows.partition_point(|&row| row < begun);
        if rows.get(next).is_some_and(|&row| row < line) {
            self.broken = true; // a board between these was not read
            return;
        }
        // After a chain from the start that broke, one without the start is the rest of it.
        let before = chain
            .first
            .checked_sub(1)
            .map(|before| scanner.placed[before].board);
        let other =
            before.is_some_and(|board| board != self.puzzle.start && board != self.puzzle.goal);
        let rest = (self.broken || next > 0 || other && !named)
            && !chain.boards.contains(&self.puzzle.start);
        let solution = chain.solution(&self.puzzle.start, &self.puzzle.goal);
        if let Some(boards) = solution.filter(|_| !rest) {
            let steps = if boards[0] == self.puzzle.start {
                boards[1..].to_vec()
            } else {
                boards
            };
            let strong = named || steps.len() > 1;
            self.claims
                .push(claim(strong, What::Solution(Path::Boards(steps))));
        } else if chain.boards[0] == self.puzzle.start && chain.boards.len() > 1 {
            let whole = scanner.placed.len() - (chain.last - chain.first + 1) < 2
                && chain.boards.len() > 3
                && !scanner.said.has(Roles::NOT_ANSWER);
            if named || whole {
                self.claims.push(claim(
                    true,
                    What::Wrong(Path::Boards(chain.boards[1..].to_vec())),
                ));
            } else {
                let trace = said.has(Roles::NOT_ANSWER | Roles::OTHER_COUNT);
                self.broken |= !scanner.contexts[chain.last].2 && !trace;
            }
        }
    }

    /// One answer for each algorithm that claims one, or else one for the whole text.
    fn answers(&self) -> Result<Vec<Answer>, ClaimError> {
        let kinds: [fn(&What) -> bool; 2] = [
            |what| matches!(what, What::Solution(_) | What::Wrong(_) | What::Unread),
            |what| matches!(what, What::Length(_, Rank::Labelled | Rank::Sentence)),
        ];
        for kind in kinds {
            let mut records: Vec<usize> = Vec::new();
            let claims = self
                .claims
                .iter()
                .filter(|claim| claim.strong && claim.record > 0 && kind(&claim.what));
            for claim in claims {
                if !records.contains(&claim.record) {
                    records.push(claim.record);
                }
            }
            if records.len() > 1 {
                return records
                    .into_iter()
                    .map(|record| self.answer(Some(record)))
                    .collect();
            }
            if self.claims.iter().any(|claim| kind(&claim.what)) {
                break;
            }
        }
        Ok(vec![self.answer(None)?])
    }

    fn answer(&self, record: Option<usize>) -> Result<Answer, ClaimError> {
        let claims: Vec<&Claim> = self
            .claims
            .iter()
            .filter(|claim| record.is_none_or(|record| record == claim.record))
            .collect();
        self.decide(&claims).ok_or_else(|| self.no_answer())
    }

    /// What there is instead of an answer.
    fn no_answer(&self) -> ClaimError {
        let path = self
            .claims
            .iter()
            .rev()
            .find(|claim| matches!(claim.what, What::Unread | What::Wrong(_)));
        let claim = path.or(self.claims.last());
        let text = self.scanner.text;
        let at = |line: usize| text.text[text.lines[line].bytes.clone()].trim();
        let line = claim.map(|claim| at(claim.line));
        let readable = (0..text.lines.len())
            .rev()
            .find_map(|line| Some((line, self.pattern(at(line))?)));
        let seen = match (&readable, claim) {
            (Some((line, _)), None) => format!(
                "line {} reads as moves, but nothing says that they are the answer: {:?}",
                line + 1,
                shorten(at(*line).as_bytes())
            ),
            _ => self.seen(claim, line.map(|line| shorten(line.as_bytes()))),
        };
        ClaimError::NoAnswer {
            seen,
            pattern: readable.map(|(_, pattern)| pattern),
        }
    }

    /// A regular expression for what stands behind the label of a line, if that can be read.
    fn pattern(&self, line: &str) -> Option<String> {
        const LONGEST: usize = 60;
        let (label, value) = line.split_at(line.rfind([':', '='])? + 1);
        let Puzzle {
            start, numbering, ..
        } = self.puzzle;
        let paths = paths(value.as_bytes(), start.shape(), *numbering).unwrap_or_default();
        let is_path = |path: &Path| matches!(path, Path::Directions(moves) if !moves.is_empty());
        let reads = paths.iter().any(is_path);
        let meta = |c: char| r"\.+*?()|[]{}^$".contains(c).then_some('\\');
        let escaped = label.chars().flat_map(|c| meta(c).into_iter().chain([c]));
        (reads && label.len() <= LONGEST).then(|| escaped.chain(" *(.*)".chars()).collect())
    }

    fn seen(&self, claim: Option<&Claim>, text: Option<String>) -> String {
        let scanner = self.scanner;
        match (claim, text) {
            (Some(Claim { line, what: What::Unread, .. }), Some(text)) => {
                format!("line {} looks like a path that cannot be read whole: {text:?}", line + 1)
            }
            (Some(Claim { line, what: What::Wrong(_), .. }), _) => format!(
                "line {} reads as moves that do not lead to the goal, and nothing says that they are the answer",
                line + 1
            ),
            (Some(Claim { line, .. }), Some(text)) => {
                format!("line {} looks most like an answer, but leaves a doubt: {text:?}", line + 1)
            }
            _ if scanner.text.atoms.is_empty() => "it is empty".to_owned(),
            _ if !scanner.placed.is_empty() => "it has boards, but not every step from this board to the goal, and no length in a form \
                 that leaves no doubt"
                .to_owned(),
            _ => "no path, no length in a form that leaves no doubt, no word that there is none".to_owned(),
        }
    }

    fn decide(&self, claims: &[&Claim]) -> Option<Answer> {
        let lengths = || {
            claims.iter().filter_map(|claim| match claim.what {
                What::Length(length, rank) => Some((length, rank, claim.line)),
                _ => None,
            })
        };
        let none = claims
            .iter()
            .rev()
            .find(|claim| matches!(claim.what, What::Unsolvable));
        let is_path = |claim: &&&Claim| {
            matches!(
                claim.what,
                What::Solution(_) | What::Wrong(_) | What::Unread | What::Lone(_)
            )
        };
        let last = self.scanner.last_line;
        let paths: Vec<&&Claim> = claims.iter().filter(|claim| is_path(claim)).collect();
        // A few steps beside others that were not understood are a part of them.
        let unread = paths.iter().any(|claim| matches!(claim.what, What::Unread));
        let stands = |claim: &Claim| match &claim.what {
            What::Unread => false,
            What::Solution(path) => !unread || path_length(path, &self.puzzle.start) > 3,
            _ => true,
        };
        // Steps a line each that go on beside them are a part of a list that was not understood.
        let is_part = |claim: &Claim| match &claim.what {
            What::Solution(path) => {
                let steps = path_length(path, &self.puzzle.start);
                let from = (claim.line + 1).saturating_sub(steps as usize);
                let line_each = (from..=claim.line).all(|line| {
                    self.columns
                        .is_step(&self.scanner.text.lines[line], true, 9)
                });
                let line_each = line_each && self.columns.directions_in(claim.line) < 2;
                let torn = self.columns.is_torn(&self.scanner.text.lines[claim.line]);
                torn || line_each && self.columns.goes_on(from, claim.line)
            }
            _ => false,
        };
        let alone = |claim: &Claim| match claim.strong {
            true => !is_part(claim),
            false => claim.line == last && stands(claim) && !is_part(claim),
        };
        let strong = paths.iter().rev().find(|claim| alone(claim));
        let weak = || {
            let is_read = |what: &What| matches!(what, What::Solution(_) | What::Wrong(_));
            let read = paths.iter().rev().find(|claim| is_read(&claim.what));
            let is_whole = |claim: &Claim| stands(claim) && !is_part(claim);
            read.filter(|claim| matches!(claim.what, What::Solution(_)) && is_whole(claim))
        };
        let decisive = strong.or_else(weak);
        let ends = |claim: &&&Claim| {
            matches!(
                claim.what,
                What::GaveUp
                    | What::Unsolvable
                    | What::Length(_, Rank::Labelled | Rank::Sentence | Rank::Depth)
                    | What::Solution(_)
            )
        };
        let withdrawn = claims
            .iter()
            .rev()
            .find(ends)
            .is_some_and(|claim| matches!(claim.what, What::GaveUp));
        let line = decisive.map_or(0, |claim| claim.line);
        let denied =
            none.is_some_and(|none| none.line > line && (none.strong || decisive.is_none()));
        if withdrawn {
            return None;
        }
        let solvable = self.puzzle.start.is_solvable_to(&self.puzzle.goal);
        if none.is_some_and(|none| none.strong)
            && !solvable
            && paths.iter().all(|claim| !claim.strong)
        {
            return Some(Answer::none());
        }
        if let Some(claim) = decisive.filter(|_| !denied) {
            match &claim.what {
                What::Solution(path) => {
                    let answer = self.checked(path, claim, &mut lengths())?;
                    let paths = answer.candidates.iter();
                    let candidates = paths.map(|path| self.in_directions(claims, path));
                    return Some(Answer {
                        candidates: candidates.collect(),
                        ..answer
                    });
                }
                What::Wrong(path) => {
                    let answer = Answer {
                        candidates: vec![path.clone()],
                        ..Answer::default()
                    };
                    return answer.written_as(self.puzzle.only);
                }
                What::Lone(number) => return self.lone(*number),
                _ => {}
            }
        }
        let best = lengths().map(|length| length.1.max(Rank::Sentence)).min();
        let length = lengths().rfind(|length| Some(length.1.max(Rank::Sentence)) == best);
        let after =
            |line: usize, length: u64| none.is_none_or(|none| none.line < line && length > 0);
        if self.puzzle.start == self.puzzle.goal && none.is_none() && paths.is_empty() {
            return self.solved(claims);
        }
        let empty = claims.iter().any(|claim| matches!(claim.what, What::Empty));
        let blocked = !paths.is_empty() || empty || self.broken;
        if let Some((length, rank, line)) = length.filter(|length| after(length.2, length.0)) {
            let shown = self.between > 0 && self.between as u64 <= length.saturating_add(3);
            if blocked
                || shown
                || self.columns.has_records(length)
                || !self.counts((length, rank, line), &mut lengths())
            {
                return None;
            }
            return Some(Answer::of_length(length));
        }
        let unread = paths.iter().any(|claim| claim.strong) && !denied;
        (none.is_some() && !unread).then(Answer::none)
    }

    /// The same solution in directions, if boards show it and directions name it, together or one by one.
    fn in_directions(&self, claims: &[&Claim], path: &Path) -> Path {
        let moves = path_length(path, &self.puzzle.start) as usize;
        let directions = |claim: &&Claim| match &claim.what {
            What::Solution(Path::Directions(steps)) | What::Wrong(Path::Directions(steps)) => {
                Some(steps.clone())
            }
            _ => None,
        };
        let told: Vec<Vec<Move>> = claims.iter().filter_map(directions).collect();
        let mut whole = told.iter().rev().cloned().chain([told.concat()]);
        let named = whole.find_map(|steps| {
            (steps.len() == moves)
                .then(|| self.puzzle.directions(&steps))
                .flatten()
        });
        named
            .filter(|_| matches!(path, Path::Boards(_)))
            .unwrap_or_else(|| path.clone())
    }

    /// A path and the length beside it.
    fn checked(
        &self,
        path: &Path,
        claim: &Claim,
        lengths: &mut dyn Iterator<Item = (u64, Rank, usize)>,
    ) -> Option<Answer> {
        let moves = path_length(path, &self.puzzle.start);
        let told: Vec<(u64, Rank, usize)> = lengths
            .filter(|length| length.1 <= Rank::Sentence)
            .collect();
        let counted = moves + u64::from(matches!(path, Path::Boards(_)));
        let agrees =
            told.is_empty() || told.iter().any(|told| told.0 == moves || told.0 == counted);
        // Where several are named, they are those of a trace.
        let labelled = told.iter().rev().find(|told| told.1 == Rank::Labelled);
        let labelled =
            labelled.filter(|last| told.iter().all(|told| told.1 != last.1 || told.0 == last.0));
        let length = match (agrees, labelled) {
            (true, _) => (!told.is_empty()).then_some(moves),
            (false, Some(told)) if claim.strong => Some(told.0),
            (false, _) if claim.strong => None,
            (false, _) => return told.last().map(|told| Answer::of_length(told.0)),
        };
        Some(Answer {
            length,
            candidates: vec![path.clone()],
            ..Answer::default()
        })
    }

    /// A number in the place of a path: the tile that slides if that solves the board, or else a length.
    fn lone(&self, number: u64) -> Option<Answer> {
        let tile = u32::try_from(number).ok()?;
        let tile = self
            .puzzle
            .numbering
            .tile(self.puzzle.start.shape(), tile)
            .filter(|&tile| tile != 0);
        let path = tile.map(|tile| Path::Tiles(vec![tile]));
        let mut answer = Answer::of_length(number);
        if let Some(path) = path {
            answer.candidates = vec![path];
            answer.length_or_tile = true;
        }
        (number != 1).then_some(answer)
    }

    /// The answer to a board that is the goal.
    fn solved(&self, claims: &[&Claim]) -> Option<Answer> {
        let empty = claims.iter().any(|claim| matches!(claim.what, What::Empty));
        let mut lengths = claims.iter().filter_map(|claim| match claim.what {
            What::Length(length, _) => Some(length),
            _ => None,
        });
        let zero = lengths.clone().any(|length| length == 0);
        let other = lengths.any(|length| length > 0);
        let shown = !self.scanner.placed.is_empty() && self.scanner.words == 0
            || self.scanner.said.has(Roles::SOLVED) && self.between == 0;
        ((empty || zero || shown) && (zero || !other)).then(|| Answer::of_moves(&[]))
    }

    /// Whether a length of this rank counts.
    fn counts(
        &self,
        (length, rank, line): (u64, Rank, usize),
        lengths: &mut dyn Iterator<Item = (u64, Rank, usize)>,
    ) -> bool {
        let same = lengths
            .filter(|other| other.1 == rank)
            .all(|other| other.0 == length);
        let said = self.scanner.said;
        match rank {
            Rank::Labelled | Rank::Sentence => true,
            Rank::Depth => same && said.has(Roles::SOLVED) && !said.has(Roles::UNDECIDED),
            Rank::Bare => same && line == self.scanner.last_line && self.scanner.placed.len() < 2,
        }
    }
}

/// Moves of a path that is legal from `board`.
fn path_length(path: &Path, board: &Board) -> u64 {
    let moves = match path {
        Path::Directions(moves) => moves.len(),
        Path::Tiles(tiles) => tiles.len(),
        Path::Boards(boards) => boards.len() - usize::from(boards.first() == Some(board)),
    };
    moves as u64
}

//! What a text claims, in the order of its lines.

use crate::judge::Path;
use crate::puzzle::{Board, Move};

use super::boards::Placed;
use super::columns::gap;
use super::labels::{Roles, role, roles, words};
use super::lengths::{Clause, Rank, gives_up, is_false, is_nothing, says_none};
use super::lex::Text;
use super::steps::{Item, Puzzle, Steps, is_misprint, is_nearly_letters, is_nearly_moves, item};

/// A claim, its line, the algorithm that made it, and whether it stands as an answer.
#[derive(Clone, Debug)]
pub struct Claim {
    pub line: usize,
    pub record: usize,
    pub strong: bool,
    pub what: What,
}

#[derive(Clone, Debug)]
pub enum What {
    /// Steps that solve the board.
    Solution(Path),
    /// Directions read whole that do not.
    Wrong(Path),
    /// Steps that were not understood.
    Unread,
    /// A list of no steps.
    Empty,
    /// A number in the place of a path.
    Lone(u64),
    Length(u64, Rank),
    Unsolvable,
    /// The search ended without an answer.
    GaveUp,
}

pub struct Scanner<'a, 't> {
    pub text: &'a Text<'t>,
    pub puzzle: &'a Puzzle,
    pub placed: &'a [Placed],
    /// Whether an atom belongs to a board.
    pub taken: Vec<bool>,
    pub claims: Vec<Claim>,
    /// What stands before each board.
    pub contexts: Vec<(Roles, usize, bool)>,
    pub names: Vec<String>,
    record: usize,
    heading: Roles,
    /// Whether the last words are about a search.
    of_search: bool,
    /// Whether the last lines are those of a traceback.
    traced: bool,
    /// What the whole text says.
    pub said: Roles,
    pub last_line: usize,
    pub words: usize,
    /// Lines of numbers that look like rows of a board that was not read.
    pub broken_rows: Vec<usize>,
}

/// A heading has no more words.
const LONGEST_HEADING: usize = 14;
/// Algorithms in a text.
const MOST_NAMES: usize = 64;
/// Words of a longer line are not looked at for statements.
const LONGEST_SENTENCE: usize = 4000;

impl<'a, 't> Scanner<'a, 't> {
    pub fn new(text: &'a Text<'t>, puzzle: &'a Puzzle, placed: &'a [Placed]) -> Self {
        let mut taken = vec![false; text.atoms.len()];
        for board in placed {
            taken[board.first..=board.last].fill(true);
        }
        Scanner {
            text,
            puzzle,
            placed,
            taken,
            claims: Vec::new(),
            contexts: Vec::new(),
            names: vec![String::new()],
            record: 0,
            heading: Roles::default(),
            of_search: false,
            traced: false,
            said: Roles::default(),
            last_line: 0,
            words: 0,
            broken_rows: Vec::new(),
        }
    }

    /// Reads a line with those that its lists go over; returns the next.
    pub fn line(&mut self, line: usize) -> usize {
        let joined = self.text.lines[line].joined;
        let atoms: Vec<usize> =
            (self.text.lines[line].atoms.start..self.text.lines[joined].atoms.end).collect();
        let raw =
            &self.text.text[self.text.lines[line].bytes.start..self.text.lines[joined].bytes.end];
        if atoms.is_empty() {
            if ["[]", "()", "\"\""].contains(&raw.trim()) {
                self.claim(joined, true, What::Empty);
                self.last_line = joined;
            }
            return joined + 1;
        }
        self.last_line = joined;
        if atoms.iter().all(|&atom| self.taken[atom]) {
            let fresh = std::mem::take(&mut self.of_search);
            self.give_context(atoms[0], self.heading, fresh);
            self.give_context(*atoms.last().unwrap_or(&0), self.heading, false);
            return joined + 1;
        }
        self.words += 1;
        // Below the head of a traceback its lines are those of a program.
        self.traced = raw.starts_with("Traceback") || self.traced && raw.starts_with([' ', '\t']);
        if self.traced {
            return joined + 1;
        }
        let sentence = raw.len() <= LONGEST_SENTENCE;
        let said = atoms
            .iter()
            .fold(Roles::default(), |all, &atom| all | self.text.role(atom));
        if sentence {
            self.said = self.said | said;
            let first = raw.trim().trim_end_matches(['.', '!']);
            if gives_up(raw) {
                self.claim(joined, true, What::GaveUp);
            }
            let nothing = joined == line && is_nothing(first);
            if nothing && self.puzzle.start == self.puzzle.goal {
                self.claim(joined, true, What::Empty);
            } else if nothing
                || (said.has(Roles::NO | Roles::UNSOLVABLE) || raw.starts_with('0'))
                    && says_none(raw)
            {
                self.claim(joined, !nothing, What::Unsolvable);
            }
        }
        let before = self.claims.len();
        let cuts = self.cut(&atoms);
        let fields = cuts.iter().any(|cut| cut.2);
        if sentence && !raw.trim_start().starts_with(['{', '[']) {
            self.name(
                raw,
                cuts.iter()
                    .find(|cut| cut.2 && cut.1 < atoms.len())
                    .map(|cut| cut.1),
                &atoms,
            );
        }
        for (i, &(from, value, is_field)) in cuts.iter().enumerate() {
            let to = cuts.get(i + 1).map_or(atoms.len(), |next| next.0);
            self.clause(
                joined,
                &atoms[from..to],
                (value - from, is_field),
                i == 0 && to == atoms.len(),
            );
        }
        let lists = self.claims[before..]
            .iter()
            .any(|claim| !matches!(claim.what, What::Length(..)));
        let said = if sentence { said } else { Roles::default() };
        self.of_search = said.has(Roles::OTHER_COUNT | Roles::NOT_ANSWER)
            && !said.has(Roles::ANSWER | Roles::MOVES);
        let open = cuts.last().is_some_and(|cut| cut.1 == atoms.len());
        if sentence && !lists && (open || !fields) && atoms.len() <= LONGEST_HEADING {
            let labels = open || atoms.len() < 4;
            self.heading = if labels {
                said
            } else {
                said.without(Roles::NOT_ANSWER)
            };
        } else if !lists {
            self.heading = Roles::default();
        }
        joined + 1
    }

    pub fn claim(&mut self, line: usize, strong: bool, what: What) {
        self.claims.push(Claim {
            line,
            record: self.record,
            strong,
            what,
        });
    }

    /// Notes what stands before the boards up to an atom.
    pub fn give_context(&mut self, atom: usize, said: Roles, own: bool) {
        while self
            .placed
            .get(self.contexts.len())
            .is_some_and(|board| board.first <= atom)
        {
            self.contexts.push((said, self.record, own));
        }
    }

    /// Notes the algorithm that a heading or a label names.
    fn name(&mut self, raw: &str, value: Option<usize>, atoms: &[usize]) {
        let moves = |&atom: &usize| self.taken[atom] || self.text.item(atom) == Item::Moves;
        let list = atoms.iter().position(moves).filter(|&at| at > 0);
        let label = match list.or(value) {
            Some(to) => {
                let start = self.text.atoms[atoms[0]].start as usize;
                &self.text.text[start..self.text.atoms[atoms[to - 1]].end as usize]
            }
            None => raw,
        };
        let said = roles(label);
        let heading =
            (value.is_none() || list.is_some()) && list.unwrap_or(atoms.len()) <= LONGEST_HEADING;
        let labels =
            value.is_some() && !said.has(Roles::LENGTH | Roles::DEPTH | Roles::OTHER_COUNT);
        if !(said.has(Roles::ALGORITHM) || label.contains("A*")) || !(heading || labels) {
            return;
        }
        let other =
            Roles::ANSWER | Roles::MOVES | Roles::LENGTH | Roles::SOLVED | Roles::OTHER_COUNT;
        let kept = words(label)
            .filter(|word| !role(word).has(other) && item(word) == Item::Word && word.is_ascii());
        let name = kept.take(6).collect::<Vec<_>>().join(" ").to_lowercase();
        self.enter(name);
    }

    /// Begins the record of an algorithm.
    pub fn enter(&mut self, name: String) {
        self.record = self
            .names
            .iter()
            .position(|known| *known == name)
            .unwrap_or_else(|| {
                if self.names.len() < MOST_NAMES {
                    self.names.push(name);
                }
                self.names.len() - 1
            });
    }

    /// Cuts a line into clauses: where each begins, where its value begins, and whether its label ends with a colon.
    fn cut(&self, atoms: &[usize]) -> Vec<(usize, usize, bool)> {
        let mut cuts: Vec<(usize, usize, bool)> = Vec::new();
        let (mut value, mut depth, mut label_depth) = (0, 0i32, 0);
        let number = |at: usize| matches!(self.text.item(atoms[at]), Item::Number(_));
        let moves = |at: usize| self.text.item(atoms[at]).is_moves();
        for k in 0..atoms.len() {
            for byte in self.text.before(atoms[k]).bytes() {
                depth += i32::from(byte == b'[') - i32::from(byte == b']');
            }
            if self.taken[atoms[k]] {
                continue;
            }
            let gap = self.text.before(atoms[k] + 1);
            let gap = gap.split('\n').next().unwrap_or("");
            let word = self.text.at(atoms[k]);
            let opens = gap.starts_with('>') && self.text.before(atoms[k]).ends_with('<');
            let arrow =
                (gap.contains("->") || opens) && self.text.role(atoms[k]).has(Roles::ANSWER);
            let symbol = gap.len() > 1
                && gap.ends_with([':', '='])
                && !gap.starts_with([':', '=', '"', '\'']);
            let counts =
                |&atom: &usize| self.text.at(atom).bytes().all(|byte| byte.is_ascii_digit());
            let dash = atoms
                .get(k + 1)
                .is_some_and(|&atom| self.text.at(atom) == "-");
            let dashed = k + 1 + usize::from(dash);
            let ruled = atoms.get(dashed).is_some_and(counts)
                && self
                    .text
                    .role(atoms[k])
                    .has(Roles::LENGTH | Roles::MOVES | Roles::ANSWER)
                && (dash
                    || ["->", "–", "—"].contains(&gap.trim())
                    || ["..", "|", "│", "\t", "  "]
                        .iter()
                        .any(|rule| gap.contains(rule)));
            if !(gap.contains(':') || gap.contains('=') && !gap.contains("==") || arrow || ruled)
                || symbol
            {
                continue;
            }
            let mut j = k;
            let equals = !gap.contains(':') && !cuts.is_empty();
            while j > value.max(k.saturating_sub(LONGEST_HEADING))
                && !equals
                && !self.taken[atoms[j - 1]]
                && !self.begins_label(atoms[j], !cuts.is_empty())
            {
                let aside = self.text.before(atoms[j]).contains('(');
                if (!cuts.is_empty() || aside) && (number(j - 1) || moves(j - 1)) {
                    break;
                }
                j -= 1;
            }
            let step = number(k) && (j..k).any(moves);
            let answers = cuts
                .last()
                .is_some_and(|cut| cut.2 && self.is_answer(atoms[cut.1 - 1]));
            let nested = answers && depth > label_depth && self.text.item(atoms[k]) == Item::Filler;
            let opens = self.text.before(atoms[j]).contains(['<', '[', ',']);
            let next = atoms.get(k + 1).map(|&atom| self.text.item(atom));
            let one = matches!(next, Some(Item::Move(_)));
            let listed = (gap == ":" || opens || answers || one) && moves(k)
                || is_misprint(word) && self.text.item(atoms[k]) == Item::Word;
            let quotes = ['\'', '"'];
            let quoted = gap.starts_with(':')
                && !gap.starts_with(": ")
                && self.text.before(atoms[j]).ends_with(quotes);
            if step
                || quoted
                || nested
                || listed
                || (j..=k).all(|at| !self.text.at(atoms[at]).contains(char::is_alphabetic))
            {
                continue;
            }
            label_depth = depth;
            value = if ruled { dashed } else { k + 1 };
            cuts.push((j, value, true));
        }
        if cuts.first().is_none_or(|first| first.0 > 0) {
            cuts.insert(0, (0, 0, false));
        }
        cuts
    }

    fn is_answer(&self, atom: usize) -> bool {
        self.text.role(atom).has(Roles::ANSWER | Roles::MOVES)
    }

    fn begins_label(&self, atom: usize, inner: bool) -> bool {
        let gap = self.text.before(atom);
        gap.contains([',', ';', '{', '[', '!', '?', '\n', '|'])
            || inner && gap.contains("->")
            || gap.starts_with(". ")
            || inner && gap.contains('(')
    }

    fn clause(
        &mut self,
        line: usize,
        atoms: &[usize],
        (value, is_field): (usize, bool),
        whole: bool,
    ) {
        let label = match value {
            0 => "",
            _ => {
                let (from, to) = (
                    &self.text.atoms[atoms[0]],
                    &self.text.atoms[atoms[value - 1]],
                );
                &self.text.text[from.start as usize..to.end as usize]
            }
        };
        let clause = Clause {
            text: self.text,
            line,
            label,
            is_field,
            atoms,
            value,
        };
        let head = label
            .split('(')
            .next()
            .filter(|head| !head.is_empty())
            .unwrap_or(label);
        let said =
            roles(head) | roles(label).only(Roles::NOT_ANSWER | Roles::BACKWARD | Roles::UNDECIDED);
        let backward = said.has(Roles::BACKWARD);
        let vetoed = said.has(Roles::NOT_ANSWER | Roles::UNDECIDED) && !backward;
        let rest: Vec<usize> = atoms[value..].to_vec();
        let raw = rest.first().map_or("", |&first| {
            let end = self.text.atoms[atoms[atoms.len() - 1]].end as usize;
            &self.text.text[self.text.atoms[first].start as usize..end]
        });
        if is_field
            && !vetoed
            && said.has(Roles::ANSWER | Roles::SOLVED | Roles::LENGTH | Roles::MOVES)
        {
            let solves =
                said.has(Roles::SOLVED | Roles::ANSWER) && !said.has(Roles::NO | Roles::UNSOLVABLE);
            if is_nothing(raw) && clause.gap(value).trim_end() != "-" || solves && is_false(raw) {
                self.claim(line, true, What::Unsolvable);
                return;
            }
        }
        let free: Vec<usize> = atoms
            .iter()
            .copied()
            .filter(|&atom| !self.taken[atom])
            .collect();
        let shifted = value.min(free.len());

        let lengths = Clause {
            atoms: &free,
            value: shifted,
            ..clause
        }
        .lengths();

        for (length, rank) in lengths {
            self.claim(line, true, What::Length(length, rank));
        }
        let context = if label.is_empty() { self.heading } else { said };
        let own = !context.has(Roles::ANSWER | Roles::MOVES);
        let runs: Vec<&[usize]> = rest.split(|&atom| self.taken[atom]).collect();
        for run in runs {
            if let Some(&first) = run.first() {
                self.give_context(first, context, own);
            }
            // The board itself may stand before what is claimed of it.
            let begins = run.len() == free.len()
                && self.taken[atoms[0]]
                && self.board_at(atoms[0]) == Some(self.puzzle.start);
            let whole = whole && (run.len() == atoms.len() || begins);
            self.value(&clause, run, whole, context);
        }
        if let Some(&last) = atoms.last() {
            self.give_context(last, context, own);
        }
        if rest.is_empty() && is_field && said.has(Roles::ANSWER | Roles::MOVES) && !vetoed {
            let gap = clause.gap(atoms.len());
            if ["[]", "()", "\"\"", "''"]
                .iter()
                .any(|empty| gap.contains(empty))
            {
                self.claim(line, true, What::Empty);
            } else if gap.contains(['[', '{']) {
                self.claim(line, true, What::Unread);
            }
        }
    }

    /// The board that an atom belongs to.
    fn board_at(&self, atom: usize) -> Option<Board> {
        let at = self.placed.partition_point(|board| board.last < atom);
        self.placed.get(at).map(|placed| placed.board)
    }

    /// Reads the steps in a value.
    fn value(&mut self, clause: &Clause<'_, 't>, run: &[usize], whole: bool, context: Roles) {
        let line = clause.line;
        let (from, to) = self.list(run);
        let list = &run[from..to];
        let mut steps = Steps::default();
        let arrow = |atom: &&usize| [">", "→", "⇒", "➜", "➔"].contains(&self.text.at(**atom));
        let arrows = list.iter().filter(arrow).count();
        let separate = arrows > 0
            && 2 * arrows + 1 == list.len()
            && list.iter().skip(1).step_by(2).all(|atom| arrow(&atom));
        let shown = list.iter().filter(|atom| !(separate && arrow(atom)));
        shown.for_each(|&atom| steps.push(self.text, atom));
        let backward = context.has(Roles::BACKWARD);
        let vetoed = context.has(Roles::NOT_ANSWER) && !backward;
        let answer = context.has(Roles::ANSWER | Roles::MOVES | Roles::ALGORITHM)
            && !context.has(Roles::OTHER_COUNT);
        let named = !vetoed && answer && (clause.is_field || clause.label.is_empty() && whole);
        if vetoed || steps.is_empty() {
            let torn = |&atom: &usize| self.text.before(atom + 1).contains("->");
            let bracket = run
                .first()
                .is_some_and(|&atom| self.text.before(atom).contains('['));
            if named && (list.iter().any(torn) || bracket && to < run.len()) {
                self.claim(line, true, What::Unread);
            }
            return;
        }
        let listed = clause.is_field || whole;
        let mut gaps = list.iter().skip(1).map(|&atom| self.text.atoms[atom].gap);
        let commas = |&next: &usize| self.text.before(next).contains([',', '>', ';', '|', '/']);
        let first = gaps.next();
        let apart = separate
            || list.get(1).is_some_and(commas) && gaps.all(|gap| Some(gap) == first)
            || self.text.before(list[0]).contains(['[', '(']);
        let numbers = steps.unknown == 0 && steps.moves.is_empty();
        let after = clause.gap(clause.atoms.len());
        let cut_off = |gap: &str| gap.contains("..") || gap.contains('…');
        let first = self.text.atoms[list[0]].start as usize - self.text.before(list[0]).len();
        let last = clause.atoms[clause.atoms.len() - 1];
        let end = self.text.atoms[last].end as usize + self.text.before(last + 1).len();
        let end = end.min(self.text.lines[line].bytes.end);
        let open = self.text.text[first..end].bytes().fold(0i64, |open, byte| {
            open + i64::from(byte == b'[') - i64::from(byte == b']')
        });
        let closed = open > 0;
        if named
            && !steps.moves.is_empty()
            && (list
                .iter()
                .skip(1)
                .any(|&atom| cut_off(self.text.before(atom)) || cut_off(self.text.at(atom)))
                || cut_off(after)
                || closed)
        {
            return self.claim(line, true, What::Unread);
        }
        if numbers && steps.numbers.len() == 1 {
            let counted = clause.is_field
                && clause.label.contains(" (")
                && clause.gap(clause.value).contains(')');
            let bracket = counted || self.text.before(list[0]).contains('[');
            let digits = (steps.words[0].len() > 2 || bracket) && listed;
            if whole
                && (steps.words[0].len() + 1).abs_diff(self.puzzle.start.shape().cells() + 1) < 2
            {
                return self.claim(line, false, What::Unread);
            }
            let found = digits
                .then(|| steps.solution(self.puzzle, named, false))
                .flatten();
            if let Some(path) = found {
                self.claim(line, named, What::Solution(path));
            } else if named && bracket {
                self.claim(line, true, What::Unread);
            } else if named
                && context.has(Roles::ANSWER)
                && !context.has(Roles::LENGTH | Roles::MOVES | Roles::DEPTH)
                && to == run.len()
                && from == 0
            {
                self.claim(line, true, What::Lone(steps.numbers[0].0.into()));
            }
            return;
        }
        if whole && numbers && self.is_row_of_broken(line, list) {
            self.broken_rows.push(line);
            return self.claim(line, false, What::Unread);
        }
        let between = |pair: &[usize]| {
            let steps = pair.iter().all(|&atom| self.text.item(atom).is_moves());
            (steps && pair[1] == pair[0] + 1).then(|| gap(self.text.before(pair[1])))
        };
        let mut gaps = list.windows(2).filter_map(between);
        let first = gaps.next();
        let colon = |&atom: &usize| {
            let gap = self.text.before(atom).trim();
            gap.len() > 1 && gap.contains(':') && self.text.item(atom).is_moves()
        };
        if named && (gaps.any(|gap| Some(gap) != first) || list.iter().skip(1).any(colon)) {
            return self.claim(line, true, What::Unread);
        }
        if (listed || apart)
            && let Some(path) = steps.solution(self.puzzle, named || apart, backward)
        {
            return self.claim(line, named || apart && whole, What::Solution(path));
        }
        if listed && steps.is_directions() {
            let once =
                steps.moves.len() == 4 && Move::ALL.iter().all(|mv| steps.moves.contains(mv));
            match once && !named {
                true => self.claim(line, false, What::Unread),
                false => self.claim(line, named, wrong(steps)),
            }
            return;
        }
        let near = list.iter().all(|&atom| {
            let word = self.text.at(atom);
            self.text.item(atom) != Item::Word || is_nearly_moves(word)
        });
        let bracket = self.text.before(list[0]).contains(['[', '(']);
        let has_digit = |atom: &&usize| {
            let word = self.text.at(**atom);
            word.contains(|c: char| c.is_ascii_digit()) && !word.contains('.')
        };
        let digits = list.iter().filter(has_digit).count();
        let symbols = named
            && steps.words.len() + 4 * usize::from(steps.words.len() == 1) > 4
            && steps.is_symbols();
        let unread = match () {
            () if symbols => true,
            () if numbers => named || whole && (bracket || self.is_row(list)),
            () if named && clause.is_field && 2 * digits >= list.len() => true,
            () if named => !steps.moves.is_empty() || near || bracket && clause.is_field,
            () => {
                whole
                    && near
                    && (to == run.len()
                        || !self.text.at(run[to]).contains(char::is_alphabetic)
                        || self.text.before(run[to]).contains('('))
            }
        };
        if unread && listed {
            self.claim(line, named, What::Unread);
        } else if !numbers || to < run.len() {
            self.sentence(clause, line, run);
        }
    }

    /// Whether numbers look like a row of a board that was not read.
    fn is_row(&self, list: &[usize]) -> bool {
        let shape = self.puzzle.start.shape();
        let tile = |&atom: &usize| {
            self.text
                .at(atom)
                .parse::<usize>()
                .is_ok_and(|number| number <= shape.cells())
        };
        list.len() + 1 >= shape.cols() && list.iter().all(tile)
    }

    /// Whether numbers stand over or under as many other cells: a board that was not read.
    fn is_row_of_broken(&self, line: usize, list: &[usize]) -> bool {
        let cols = self.puzzle.start.shape().cols();
        let like = |line: usize| {
            let atoms = self
                .text
                .lines
                .get(line)
                .map_or(0..0, |line| line.atoms.clone());
            atoms.len() == cols && !self.taken[atoms.start]
        };
        self.is_row(list) && list.len() <= cols && (line > 0 && like(line - 1) || like(line + 1))
    }

    /// The part of a value that is its list: without a count before it and remarks behind it.
    fn list(&self, run: &[usize]) -> (usize, usize) {
        let word = |at: usize| run.get(at).map_or("", |&atom| self.text.at(atom));
        let gap = |at: usize| run.get(at).map_or("", |&atom| self.text.before(atom));
        let is_number = |at: usize| {
            let item = run.get(at).map(|&atom| self.text.item(atom));
            matches!(item, Some(Item::Number(_)))
        };
        let said = |at: usize| {
            run.get(at)
                .map_or(Roles::default(), |&atom| self.text.role(atom))
        };
        let is_unit = |at: usize| said(at).has(Roles::MOVES);
        let mut from = 0;
        if is_number(0) && run.len() > 1 && (gap(1).contains(['(', '[']) || is_unit(1)) {
            from = 1 + usize::from(is_unit(1));
        }
        let ends = |at: usize| {
            let known = self.text.item(run[at]);
            let remark = said(at).has(
                Roles::LENGTH
                    | Roles::OTHER_COUNT
                    | Roles::SOLVED
                    | Roles::DEPTH
                    | Roles::NOT_ANSWER,
            ) || ["in", "with", "after", "for"].contains(&word(at));
            let counts = is_number(at) && is_unit(at + 1) && gap(at + 1).trim().is_empty();
            let aside = gap(at).contains('(')
                && !gap(at).contains(',')
                && (counts || known == Item::Word || is_number(at) && gap(at + 1).is_empty());
            let sentence = gap(at).contains(['!', '\n']) && !gap(at).contains([',', '[', ']'])
                || gap(at).contains(". ") && !gap(at).contains("->");
            matches!(known, Item::Word) && remark && word(at).len() > 1 && !is_misprint(word(at))
                || counts
                || aside
                || at > from && sentence && !is_number(at - 1)
        };
        let to = (from + 1..run.len())
            .find(|&at| ends(at))
            .unwrap_or(run.len());
        (from, to)
    }

    /// Reads the runs of moves in a sentence.
    fn sentence(&mut self, clause: &Clause<'_, 't>, line: usize, run: &[usize]) {
        let label = if clause.is_field {
            roles(clause.label)
        } else {
            Roles::default()
        };
        let (mut said, mut at) = (label, 0);
        let mut directions = 0;
        while at < run.len() {
            let mut steps = Steps::default();
            let begun = at;
            let mut capitals = true;
            while at < run.len() {
                let word = self.text.at(run[at]);
                match self.text.item(run[at]) {
                    item @ (Item::Move(_) | Item::Moves) => {
                        capitals &= item == Item::Moves
                            && word.bytes().all(|byte| byte.is_ascii_uppercase())
                            || !word.is_ascii();
                        steps.push(self.text, run[at]);
                    }
                    Item::Filler if !steps.is_empty() => {}
                    _ => break,
                }
                at += 1;
            }
            if steps.is_empty() {
                let word = self.text.at(run[begun]);
                let role = self.text.role(run[begun]);
                let before = at.checked_sub(1).map_or("", |at| self.text.at(run[at]));
                let counted = before.starts_with(|c: char| c.is_ascii_digit());
                let listed = run
                    .get(at + 1)
                    .is_none_or(|&next| self.text.item(next).is_moves());
                let near = is_nearly_letters(word) || listed && is_nearly_moves(word) && !counted;
                if near && said.has(Roles::ANSWER | Roles::MOVES) {
                    return self.claim(line, true, What::Unread);
                }
                let comma = self.text.before(run[begun]).contains([',', ';', '.']);
                said = if comma && begun > 0 {
                    role
                } else {
                    said | role
                };
                at = begun + 1;
                continue;
            }
            directions += usize::from(!capitals);
            let answer =
                said.has(Roles::ANSWER | Roles::SOLVED) && !said.has(Roles::NOT_ANSWER | Roles::NO);
            let misprint = run.get(at).map_or("", |&next| self.text.at(next));
            let torn = run.get(at).is_some_and(|&next| {
                !self.text.before(next).contains(char::is_whitespace)
                    && self.text.item(next) == Item::Word
            });
            if answer && (torn || misprint != "a" && is_nearly_moves(misprint)) {
                return self.claim(line, true, What::Unread);
            }
            let long = steps.moves.len() > 2 || capitals && steps.moves.len() > 1;
            let found = if long || answer {
                steps.solution(self.puzzle, answer, false)
            } else {
                None
            };
            match found {
                Some(path) if !said.has(Roles::NOT_ANSWER) => {
                    self.claim(line, answer, What::Solution(path))
                }
                None if answer && long => self.claim(line, true, wrong(steps)),
                None if answer && (at == run.len() || is_nearly_moves(self.text.at(run[at]))) => {
                    self.claim(line, true, What::Unread)
                }
                _ => {}
            }
            said = Roles::default();
        }
        if directions > 1 {
            self.claim(line, false, What::Unread);
        }
    }
}

/// Directions that do not solve the board.
fn wrong(steps: Steps<'_>) -> What {
    What::Wrong(Path::Directions(steps.moves))
}

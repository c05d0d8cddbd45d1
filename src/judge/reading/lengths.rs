//! Lengths, and the statement that there is no solution.

use super::lex::{Token, count_work, lex};
use super::words::Sense;

/// Numbers from here on are no lengths.
pub(super) const MOST_MOVES: u64 = 1_000_000;

/// Labels that count the steps of a list rather than name its length,
const SINGULAR: [&str; 6] = ["step", "move", "action", "paso", "passo", "schritt"];

/// The last length that a clause claims, and whether a label names a length. `solved`: the text says before it that the
/// goal was reached.
pub(super) fn length(clause: &[Token<'_>], solved: bool) -> Option<(u64, bool)> {
    let (mut found, mut from) = (None, 0);
    for (i, token) in clause.iter().enumerate() {
        if let Some(number) = token.number().filter(|&number| number < MOST_MOVES) {
            let labelled = is_length(clause, from, i, solved);
            found = labelled.map(|labelled| (number, labelled)).or(found);
        }
        if token.is(",;") || token.number().is_some() {
            // The word behind a number is its unit.
            let unit = !token.is(",;") && clause.get(i + 1).is_some_and(Token::is_word);
            from = i + 1 + usize::from(unit);
        }
    }
    found
}

/// Whether a label names the length at `i`, if it is one; the words from `from` on are about it.
fn is_length(clause: &[Token<'_>], from: usize, i: usize, solved: bool) -> Option<bool> {
    let (before, after) = (clause.get(from..i)?, &clause[i + 1..]);
    let is = |at: usize, symbols: &str| clause.get(at).is_some_and(|token| token.is(symbols));
    let (last, next) = (i.wrapping_sub(1), i + 1);
    let arrow = is(last, ">") && is(last.wrapping_sub(1), "-=");
    let bound =
        is(last, "<>~+#%/≥≤≈$^@") && !arrow || is(last, "=") && is(last.wrapping_sub(1), "<>!~");
    let tight = after
        .get(1)
        .is_some_and(|after| after.number().is_some() && !after.apart);
    let part = is(next, ",.:") && tight || is(last, "-") && !clause[i].apart;
    let doubt = Sense::COUNT | Sense::OTHER | Sense::TRACE;
    let unit = after.first();
    let doubted = |token: &Token<'_>| token.sense.has(doubt) || token.step.is_some();
    if bound || part || is(next, "%/+~^=") || before.iter().chain(unit).any(doubted) {
        return None;
    }
    if unit.is_some_and(|unit| unit.sense.has(Sense::MOVES) && unit.is_word()) {
        let given_up = sense(before).has(Sense::NO | Sense::GAVE_UP | Sense::LIMIT);
        return (!given_up).then_some(false);
    }
    let counts = Sense::LENGTH | Sense::MOVES | Sense::DEPTH;
    let place = before.iter().rposition(|token| token.sense.has(counts))?;
    let label = &before[place];
    let solved = solved || sense(clause).has(Sense::ANSWER | Sense::SOLVED);
    let named = match label.sense {
        sense if sense.has(Sense::MOVES) => !SINGULAR.contains(&&*label.text.to_lowercase()),
        sense => sense.has(Sense::LENGTH) || solved,
    };
    named.then(|| label.sense.has(Sense::LENGTH))
}

/// What all words of a clause say.
pub(super) fn sense(clause: &[Token<'_>]) -> Sense {
    count_work(clause);
    clause
        .iter()
        .fold(Sense::default(), |all, token| all | token.sense)
}

/// Whether a clause says that there is no solution; `None` if the search was given up. `line` is what its line says.
pub(super) fn says_none(clause: &[Token<'_>], line: Sense) -> Option<bool> {
    let said = sense(clause);
    let no = said.has(Sense::NO) && said.has(Sense::ANSWER | Sense::SOLVED);
    let asked = clause.last().is_some_and(|last| last.is("?"));
    let none = no != said.has(Sense::UNSOLVABLE) && !asked && !said.has(Sense::COMPARING);
    let given_up = said.has(Sense::GAVE_UP) || none && line.has(Sense::LIMIT | Sense::GAVE_UP);
    (!given_up).then_some(none)
}

/// What all words of a text say.
pub(in crate::judge) fn sense_of(text: &str) -> Sense {
    sense(&lex(text))
}

/// Whether a text of one clause says that there is no solution.
pub(in crate::judge) fn is_unsolvable(text: &str) -> bool {
    let tokens = lex(text);
    says_none(&tokens, sense(&tokens)) == Some(true)
}

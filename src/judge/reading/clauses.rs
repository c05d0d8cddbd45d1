//! Clauses of a line: labels and their values.

use super::lengths::sense;
use super::lex::Token;
use super::words::Sense;

/// Tokens of a label.
const LONGEST_LABEL: usize = 24;

/// The clauses of a line, each as its label, which may be empty, and its value. A clause ends with a sentence, or before
/// the next label.
pub(super) fn clauses<'a, 't>(tokens: &'a [Token<'t>]) -> Vec<[&'a [Token<'t>]; 2]> {
    let mut clauses = Vec::new();
    // Where the clause begins, and where its value does.
    let (mut from, mut value) = (0, 0);
    for i in 0..=tokens.len() {
        let last = tokens.get(i + 1).is_none_or(|next| next.apart);
        let ends = |token: &Token<'_>| token.is("。") || token.is(".!?") && last;
        let (to, next) = match tokens.get(i) {
            None => (i, i),
            Some(token) if ends(token) => (i + 1, i + 1),
            Some(_) => match label(tokens, from, value, i) {
                Some(label) => (label, i + 1),
                None => continue,
            },
        };
        if from < to {
            clauses.push([&tokens[from..value], &tokens[value..to]]);
        }
        (from, value) = (to, next);
    }
    clauses
}

/// Where the label begins that ends with the token at `i`: a colon or an equals sign.
fn label(tokens: &[Token<'_>], from: usize, value: usize, i: usize) -> Option<usize> {
    let (token, next) = (&tokens[i], tokens.get(i + 1));
    let before = &tokens[i.checked_sub(1)?];
    if !token.is(":=：") || before.is("<>!~") || i <= value {
        return None;
    }
    let begin = from;
    let is_value = from < value || i > value + LONGEST_LABEL;
    let from = value.max(i.saturating_sub(LONGEST_LABEL));
    let cuts = |token: &Token<'_>| token.is(",;[{|");
    let cut = tokens[from..i].iter().rposition(cuts);
    let start = cut.map_or(if is_value { i - 1 } else { from }, |at| from + at + 1);
    let label = &tokens[start..i];
    let said = sense(label);
    let steps = label.iter().any(|token| token.step.is_some()) && !said.has(Sense::ANSWER);
    let first = start == begin && next.is_none_or(|next| next.apart);
    let known = said.has_other(Sense::FILLER | Sense::BLANK | Sense::NO | Sense::KNOWN);
    (label.iter().any(Token::is_word) && !steps && (known || first)).then_some(start)
}

//! Lengths, and the statement that there is no solution.

use super::lex::{Kind, Token, has, lex};
use super::words::Sense;

/// How surely a number is the length of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Firmness {
    /// A number of moves, and nothing more.
    Bare,
    /// A sentence or a label says that it is that of an answer.
    Named,
    /// A label names a length or a cost.
    Labelled,
}

/// Labels that count the steps of a list rather than name its length.
const SINGULAR: [&str; 6] = ["step", "move", "action", "paso", "passo", "schritt"];

/// Words that compare a solution with others.
const COMPARING: [&str; 7] = [
    "optimal", "better", "shorter", "shortest", "minimal", "other", "another",
];

/// The length that a clause claims. `solved`: the text says before it that the goal was reached.
pub(super) fn length(clause: &[Token<'_>], solved: bool) -> Option<(u64, Firmness)> {
    let (all, words) = (sense(clause), words(clause));
    let (mut found, mut from) = (None, 0);
    for (i, token) in clause.iter().enumerate() {
        match token.kind {
            Kind::Number(number) if number < 1_000_000 => {
                if let Some(firmness) = firmness(clause, from, i, (all, words, solved)) {
                    found = Some((number, firmness));
                }
            }
            Kind::Number(_) | Kind::Fraction => {}
            Kind::Symbol(',' | ';') => {
                from = i + 1;
                continue;
            }
            _ => continue,
        }
        // The word behind a number is its unit.
        from = i + 1 + usize::from(clause.get(i + 1).is_some_and(Token::is_word));
    }
    found
}

/// How surely the number at `i` is a length; the words from `from` on are about it.
fn firmness(
    clause: &[Token<'_>],
    from: usize,
    i: usize,
    (all, words, solved): (Sense, usize, bool),
) -> Option<Firmness> {
    let before = clause.get(from..i)?;
    let said = sense(before);
    let is =
        |token: Option<&Token<'_>>, symbols: &str| token.is_some_and(|token| token.is_any(symbols));
    let (last, next) = (before.last(), clause.get(i + 1));
    let behind = |symbols: &str| i > 1 && clause[i - 2].is_any(symbols) && !clause[i - 1].apart;
    let follows = clause
        .get(i + 2)
        .is_some_and(|after| after.number().is_some() && !after.apart);
    let part = is(next, ",.:") && follows || is(last, "-") && !clause[i].apart;
    let bound = is(last, ">") && !behind("-=") || is(last, "=") && behind("<>!~");
    if part || bound || is(last, "<~+#%/≥≤≈$^@") || is(next, "%/+~^") {
        return None;
    }
    let doubt = Sense::COUNT | Sense::OTHER | Sense::TRACE;
    let decor = |token: &&Token<'_>| !token.is_any("*\"'`");
    let mut rest = clause[i + 1..].iter().filter(decor);
    let (unit, after) = (rest.next(), rest.next());
    let out_of = unit.is_some_and(|unit| ["of", "or", "out"].contains(&unit.text));
    if said.has(doubt) || out_of || before.iter().any(|token| token.step.is_some()) {
        return None;
    }
    let about = Sense::ANSWER | Sense::SOLVED | Sense::ALGORITHM;
    if unit.is_some_and(|unit| unit.sense.has(Sense::MOVES) && unit.is_word()) {
        let doubted = |after: &Token<'_>| {
            after.sense.has(doubt) || after.step.is_some() || after.text == "or"
        };
        let doubted =
            after.is_some_and(doubted) || said.has(Sense::NO | Sense::GAVE_UP | Sense::LIMIT);
        let firmness = if all.has(about) || words > 2 {
            Firmness::Named
        } else {
            Firmness::Bare
        };
        return (!doubted).then_some(firmness);
    }
    let other =
        |unit: &Token<'_>| unit.step.is_some() || unit.sense.has(doubt) || unit.is_any(":=");
    let counts = Sense::LENGTH | Sense::MOVES | Sense::DEPTH;
    let place = before.iter().rposition(|token| token.sense.has(counts))?;
    let (label, rest) = (&before[place], &before[place + 1..]);
    let joins =
        |token: &Token<'_>| !token.is_word() || token.sense.has(Sense::IS) || token.text == "of";
    let named = rest.iter().any(joins) || !label.sense.has(Sense::MOVES);
    let singular = SINGULAR
        .iter()
        .any(|word| label.text.eq_ignore_ascii_case(word));
    if unit.is_some_and(other) || has(rest, "<≥≤~±") || singular || !named {
        return None;
    }
    match label.sense {
        sense if sense.has(Sense::LENGTH) => Some(Firmness::Labelled),
        sense if sense.has(Sense::MOVES) => Some(Firmness::Named),
        _ if solved || all.has(Sense::ANSWER | Sense::SOLVED) => Some(Firmness::Named),
        _ => None,
    }
}

/// Number of words; what stands together with nothing but a sign between is one.
pub(super) fn words(tokens: &[Token<'_>]) -> usize {
    let word = |token: &Token<'_>| token.kind == Kind::Word;
    let joined = |&i: &usize| {
        let sign = i > 1 && !word(&tokens[i - 1]) && word(&tokens[i - 2]) && !tokens[i - 1].apart;
        let part = i > 0 && word(&tokens[i - 1]) && tokens[i].text.is_ascii();
        word(&tokens[i]) && !(!tokens[i].apart && (sign || part))
    };
    (0..tokens.len()).filter(joined).count()
}

/// What all words of a clause say.
pub(super) fn sense(clause: &[Token<'_>]) -> Sense {
    clause
        .iter()
        .fold(Sense::default(), |all, token| all | token.sense)
}

/// What a clause says of whether there is a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::judge) enum Statement {
    Unsolvable,
    GaveUp,
}

/// The statement of a clause; `line` is what its whole line says.
pub(super) fn statement(clause: &[Token<'_>], line: Sense) -> Option<Statement> {
    let said = sense(clause);
    if said.has(Sense::GAVE_UP) {
        return Some(Statement::GaveUp);
    }
    let question = clause.last().is_some_and(|last| last.is('?'));
    let no = said.has(Sense::NO) && said.has(Sense::ANSWER | Sense::SOLVED);
    let words = clause
        .iter()
        .filter(|token| token.kind == Kind::Word)
        .count();
    let alone = words < 3
        && clause
            .iter()
            .any(|token| token.text.eq_ignore_ascii_case("impossible"));
    let minus = matches!(clause, [.., minus, one] if minus.is('-') && one.kind == Kind::Number(1) && !one.apart);
    let minus = minus && said.has(Sense::LENGTH | Sense::MOVES | Sense::ANSWER);
    let unsolvable = no != said.has(Sense::UNSOLVABLE) || alone || minus;
    let compared = clause.iter().any(|token| {
        COMPARING
            .iter()
            .any(|word| token.text.eq_ignore_ascii_case(word))
    });
    match unsolvable && !question && !compared {
        true if line.has(Sense::LIMIT | Sense::GAVE_UP) => Some(Statement::GaveUp),
        true => Some(Statement::Unsolvable),
        false => None,
    }
}

/// What all words of a text say.
pub(in crate::judge) fn sense_of(text: &str) -> Sense {
    let mut tokens = Vec::new();
    lex(text, &mut tokens);
    sense(&tokens)
}

/// The statement of a text that is one clause.
pub(in crate::judge) fn statement_of(text: &str) -> Option<Statement> {
    let mut tokens = Vec::new();
    lex(text, &mut tokens);
    statement(&tokens, sense(&tokens))
}

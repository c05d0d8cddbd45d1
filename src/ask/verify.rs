//! Other solvers' answers, judged: which of them are shortest solutions.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::refusal::{Refusal, RefusalCode};
use super::run::{Oracles, Run};
use super::text::goal_of;
use crate::judge::records::{Claim, ClaimError, Format, Reader};
use crate::judge::{ClaimRecord, Judgement, OtherReading, ReadAs, Reading, Tally, TallyRecord};
use crate::oracle::{Oracle, QueryError};
use crate::puzzle::{Board, Numbering, Shape, UsualGoal, parse_board};

/// How moves that are read are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Moves {
    /// As the blank's directions, and if that fails as the tile's
    #[default]
    Auto,
    /// The blank's directions
    Blank,
    /// The tile's directions
    Tile,
    /// The numbers of the tiles
    Numbers,
}

impl Moves {
    /// Returns the only reading; `None` for the first that fits.
    pub fn only(self) -> Option<Reading> {
        match self {
            Moves::Auto => None,
            Moves::Blank => Some(Reading::Blank),
            Moves::Tile => Some(Reading::Tile),
            Moves::Numbers => Some(Reading::Numbers),
        }
    }
}

/// What claims in a text are about, and how they are written.
///
/// ```
/// use puzzledb::ask::{Library, Run, Verify};
///
/// let record = Verify::default().answer(b"704851632 19\n704851632 21", &Library::new(None), &Run::default())?;
/// assert_eq!((record.summary.claims, record.summary.right), (2, 1));
/// assert_eq!(record.records[1].verdict, "suboptimal +2");
/// # Ok::<(), puzzledb::ask::Refusal>(())
/// ```
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct Verify {
    /// The board at distance 0 for claims that name none: a board, or last, first or spiral
    pub goal: Option<String>,
    /// Rows x columns, for boards that are not square
    pub shape: Option<Shape>,
    /// How moves are written [default: auto]
    #[serde(default)]
    #[cfg_attr(feature = "schema", param(inline))]
    pub moves: Moves,
    /// The board that a text is about, such as one run's output
    pub board: Option<String>,
    /// The kind of claim that a text for people is held to [default: the one beyond doubt]
    #[cfg_attr(feature = "schema", param(inline))]
    pub read: Option<ReadAs>,
    /// Add an optimal solution to each claim that is wrong [default: false]
    #[serde(default)]
    pub fix: bool,
}

/// A judgement for each claim, and all of them summed up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Verified {
    /// The claims.
    pub records: Vec<ClaimRecord>,
    /// The records that cannot be read.
    pub errors: Vec<Unreadable>,
    /// All of them summed up.
    pub summary: TallyRecord,
}

/// A record that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Unreadable {
    /// The line on which it begins, from 1.
    pub line: u64,
    /// What is wrong.
    pub error: String,
    /// Its kind, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<RefusalCode>,
    /// The best readings of the first text in which no answer is beyond doubt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<OtherReading>,
}

impl Verify {
    /// Judges all claims in a text.
    ///
    /// # Errors
    /// [`Refusal`]
    pub fn answer<L: Oracles<Error = Refusal>>(
        &self,
        text: &[u8],
        library: &L,
        run: &Run,
    ) -> Result<Verified, Refusal> {
        let (mut records, mut errors) = (Vec::new(), Vec::new());
        let summary = self.judge_each(text, library, run, |judged| {
            match judged {
                Ok(record) => records.push(record),
                Err((unreadable, refusal)) => errors.push(Unreadable {
                    code: Some(refusal.code),
                    ..unreadable
                }),
            }
            Ok(run.cancel.check().map_err(QueryError::from)?)
        })?;
        Ok(Verified {
            records,
            errors,
            summary,
        })
    }

    /// Returns the goal of claims that name none.
    ///
    /// # Errors
    /// [`Refusal`]
    pub fn goal(&self) -> Result<Board, Refusal> {
        let shape = self.board()?.map(|board| board.shape()).or(self.shape);
        goal_of(shape, self.goal.as_deref())
    }

    fn board(&self) -> Result<Option<Board>, Refusal> {
        let board = self.board.as_deref();
        let board = board.map(|board| parse_board(board.as_bytes(), self.shape));
        Ok(board.transpose()?)
    }

    /// Judges the claims in a text one by one, until a judgement is not taken. A record that cannot be read has its error
    /// beside it, for its code.
    ///
    /// # Errors
    /// [`Refusal`], why the library has no oracle, or why a judgement was not taken.
    pub fn judge_each<L: Oracles>(
        &self,
        text: &[u8],
        library: &L,
        run: &Run,
        mut take: impl FnMut(Result<ClaimRecord, (Unreadable, L::Error)>) -> Result<(), L::Error>,
    ) -> Result<TallyRecord, L::Error> {
        let board = self.board()?;
        let goal = self.goal()?;
        let reader = Reader {
            numbering: Numbering {
                shape: self.shape,
                blank: 0,
            },
            only: self.moves.only(),
            read: self.read,
            goal: Some(goal),
            cancel: run.cancel.within(run.reading_time.unwrap_or(Duration::MAX)),
        };
        let (format, begin) = match (self.read, board) {
            (None, None) => Format::of_text(text, &reader),
            _ => (Format::Text, 0),
        };
        let header = text[..begin].iter().filter(|&&byte| byte == b'\n').count() as u64;
        let mut judge = Judge {
            format: &format,
            reader: &reader,
            board: board.as_ref(),
            goal: self.goal.as_deref(),
            fix: self.fix,
            library,
            run,
            last: None,
        };
        let (mut tally, mut unreadable) = (Tally::default(), 0);
        judge.each(
            &text[begin..],
            header + 1,
            |judge, line, claim, readings| {
                let claim = claim.map_err(|error| Refusal::from(error).into());
                take(match claim.and_then(|claim| judge.judge(line, &claim)) {
                    Ok((judgement, record)) => {
                        tally.add(&judgement);
                        Ok(record)
                    }
                    Err(error) => {
                        unreadable += 1;
                        let record = Unreadable {
                            line,
                            error: error.to_string(),
                            code: None,
                            readings,
                        };
                        Err((record, error))
                    }
                })
            },
        )?;
        let record = tally.record(unreadable);
        if record.claims + record.unreadable == 0 {
            let sentence = "there is no claim in this input";
            return Err(Refusal::new(RefusalCode::BadOption, sentence).into());
        }
        Ok(record)
    }
}

/// Judge of claims as they were sent.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Judge<'a, L: Oracles> {
    /// Their form.
    pub format: &'a Format,
    /// Reader of their notation.
    pub reader: &'a Reader,
    /// The board of a text that does not name its own.
    pub board: Option<&'a Board>,
    /// The goal of claims that name none, as text.
    pub goal: Option<&'a str>,
    /// Whether a wrong claim gets an optimal solution.
    pub fix: bool,
    /// Source of oracles.
    pub library: &'a L,
    /// Limits of the work.
    pub run: &'a Run,
    /// The oracle of the last claim's goal.
    pub last: Option<Oracle>,
}

impl<L: Oracles> Judge<'_, L> {
    /// Reads the claims in a text without its header, whose first line has this number, one by one, until one is not
    /// taken. With the first that cannot be read, `take` gets the best readings.
    ///
    /// # Errors
    /// Why a claim was not taken.
    pub fn each(
        &mut self,
        text: &[u8],
        first_line: u64,
        mut take: impl FnMut(
            &mut Self,
            u64,
            Result<Claim, ClaimError>,
            Vec<OtherReading>,
        ) -> Result<(), L::Error>,
    ) -> Result<(), L::Error> {
        let (mut is_first, mut taken) = (true, Ok(()));
        if text.trim_ascii().is_empty() {
            return taken;
        }
        let (format, reader, board) = (self.format, self.reader, self.board);
        format.read(text, reader, board, |line, claim| {
            if taken.is_err() {
                return;
            }
            let readings = match &claim {
                Err(error) if std::mem::take(&mut is_first) => self.readings(error),
                _ => None,
            };
            taken = take(self, first_line + line, claim, readings.unwrap_or_default());
        });
        taken
    }

    /// Judges a claim that begins on a line.
    ///
    /// # Errors
    /// [`Refusal`], or why the library has no oracle.
    pub fn judge(
        &mut self,
        line: u64,
        claim: &Claim,
    ) -> Result<(Judgement, ClaimRecord), L::Error> {
        let (reader, fix) = (self.reader, self.fix);
        let (shape, numbering) = (claim.board.shape(), reader.numbering);
        let goal = match (claim.goal, self.goal) {
            (Some(goal), _) => goal,
            (None, Some(text)) => numbering.goal(text, shape).map_err(Refusal::from)?,
            (None, None) => UsualGoal::Last.board(shape),
        };
        let (library, only) = (self.library, reader.only);
        let oracle = self.oracle(&goal)?;
        library.turn(oracle.table().is_none())?;
        let judgement = oracle.judge(&claim.board, &claim.answer, only);
        let judgement = judgement.map_err(Refusal::from)?;
        let record = ClaimRecord::new(line, claim, &judgement, oracle, fix);
        Ok((judgement, record.map_err(Refusal::from)?))
    }

    /// Judges the best readings of a text in which no answer is beyond doubt.
    fn readings(&mut self, error: &ClaimError) -> Option<Vec<OtherReading>> {
        let ClaimError::NoAnswer { ends, readings, .. } = error else {
            return None;
        };
        let ([board, goal], library, only) = (ends, self.library, self.reader.only);
        let oracle = self.oracle(goal).ok()?;
        library.turn(oracle.table().is_none()).ok()?;
        let optimum = oracle.optimum(board).ok()?;
        OtherReading::best(readings, board, oracle, optimum, only).ok()
    }

    /// Returns the oracle for a goal: the last one, if it is for that goal.
    ///
    /// # Errors
    /// Why the library has none.
    pub fn oracle(&mut self, goal: &Board) -> Result<&Oracle, L::Error> {
        if self.last.as_ref().is_none_or(|last| last.goal() != goal) {
            let oracle = self.library.oracle(goal)?;
            self.last = Some(oracle.with_cancel(&self.run.cancel));
        }
        Ok(self.last.as_ref().expect("it was just set"))
    }
}

//! Runs of words that moves carry from slab to slab in a step of a level.
//!
//! Sender and receiver go through the same runs in the same order, so a message is their codes, one
//! after the other: nothing, sparse or raw, block by block.

use std::io;
use std::ops::Range;

use super::coding::{Coder, split_code};
use super::colour_planes::ColourPlanes;
use super::layout::Colour;
use super::pull::{Pull, Pulls};
use super::shares::Shares;
use super::step::Step;
use super::workers::Workers;

/// Words that a move carries from the plane of one cell to another slab of another cell's plane.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// First word at the target.
    to: usize,
    /// Cell of the source.
    pub source: usize,
    /// First word at the source.
    pub from: usize,
    pub len: usize,
}

/// The runs that a pull carries to these words.
fn runs_of(pulls: &Pulls, pull: &Pull, words: Range<usize>) -> impl Iterator<Item = Run> {
    let run = pull.run().expect("words that cross are whole");
    let len = run.min(pulls.layout().slab_words());
    words.step_by(len).map(move |to| Run {
        to,
        source: pull.source,
        from: pull.source_word(to),
        len,
    })
}

/// The runs that are carried to these words of the planes of a colour.
fn runs(pulls: &Pulls, colour: Colour, words: Range<usize>) -> impl Iterator<Item = Run> {
    let crossing = pulls
        .layout()
        .cells(colour)
        .flat_map(|cell| pulls.crossing(cell));
    crossing.flat_map(move |pull| runs_of(pulls, pull, words.clone()))
}

/// Bytes that cross from rank to rank at a level, before they are coded.
pub fn uncoded(pulls: &Pulls, shares: Shares) -> u64 {
    let runs = runs(pulls, Colour::Odd, 0..pulls.layout().words());
    let crossing = runs.filter(|run| shares.owner(run.from) != shares.owner(run.to));
    crossing.map(|run| run.len as u64 * 8).sum()
}

impl Run {
    /// Pieces that are coded one by one: offset in the run, and number of words.
    pub fn pieces(&self, pulls: &Pulls) -> impl Iterator<Item = (usize, usize)> + use<> {
        let len = self.len.min(pulls.layout().block());
        (0..self.len).step_by(len).map(move |first| (first, len))
    }
}

impl Step<'_> {
    /// The runs to send, each with the number of its receiver: those of this rank's share that a rank needs in
    /// this step, without those that this rank has in memory for itself.
    pub fn outgoing(&self) -> Vec<(usize, Run)> {
        let (shares, taken) = (self.shares, self.words());
        let to = |receiver| {
            let runs = runs(
                self.pulls,
                self.colour(),
                shares.part(receiver, self.number),
            );
            runs.map(move |run| (receiver, run))
        };
        let runs = (0..shares.ranks()).flat_map(to);
        let is_sent = |(receiver, run): &(usize, Run)| {
            shares.owner(run.from) == self.rank
                && !(*receiver == self.rank && taken.contains(&run.from))
        };
        runs.filter(is_sent).collect()
    }

    /// The codes of [`Step::outgoing`] as a message for each rank.
    pub fn messages(&self, runs: &[(usize, Run)], codes: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let mut messages = vec![Vec::new(); self.shares.ranks()];
        for ((receiver, _), code) in runs.iter().zip(codes) {
            messages[*receiver].extend(code);
        }
        messages
    }

    /// Copies the runs of these messages, by sender, and those of `source` itself into `source.crossing`.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidData`] or [`io::ErrorKind::UnexpectedEof`] if a message is not the code of the
    /// expected runs.
    pub fn arrive(
        &self,
        source: &mut ColourPlanes,
        messages: &[Vec<u8>],
        workers: &Workers,
    ) -> io::Result<()> {
        let (pulls, own) = (self.pulls, self.words());
        let mut messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
        for cell in pulls.layout().cells(self.colour()) {
            let crossing = &mut source.crossing[cell];
            crossing.clear();
            for pull in pulls.crossing(cell) {
                crossing.resize(own.len(), 0);
                let len = runs_of(pulls, pull, own.clone())
                    .next()
                    .map_or(1, |run| run.len);
                let mut arrived = Vec::with_capacity(own.len() / len);
                let out = crossing.chunks_mut(len);
                for (run, out) in runs_of(pulls, pull, own.clone()).zip(out) {
                    let code = if own.contains(&run.from) {
                        None
                    } else {
                        let message = &mut messages[self.shares.owner(run.from)];
                        let count = run.pieces(pulls).count();
                        Some(split_code(message, count)?)
                    };
                    arrived.push((run, code, out));
                }
                let frontier = &source.frontier;
                let put = |(run, code, out): &mut (Run, Option<&[u8]>, &mut [u64])| {
                    let (mut coder, mut words) = (Coder::default(), Vec::new());
                    for (first, len) in run.pieces(pulls) {
                        let words = match code {
                            None => frontier.piece(run.source, run.from + first, len),
                            Some(code) => {
                                words.resize(len, 0);
                                coder.read(code, &mut words)?;
                                &words
                            }
                        };
                        let out = out[first..first + len].iter_mut();
                        out.zip(words).for_each(|(out, word)| *out |= word);
                    }
                    Ok(())
                };
                (workers.each(arrived, put).into_iter()).collect::<io::Result<()>>()?;
            }
        }
        Ok(())
    }
}

//! Runs of words that moves carry from slab to slab in a step of a level.
//!
//! Sender and receiver go through the same runs in the same order, so a message is their codes, one
//! after the other: nothing, sparse or raw, block by block.

use std::io;
use std::ops::Range;

use super::super::checkpoint::coding::{Coder, split_code};
use super::super::engine::colour::ColourPlanes;
use super::super::engine::layout::Layout;
use super::super::engine::planes::{Planes, or_into};
use super::super::engine::pulls::{Pull, Pulls};
use super::super::engine::step::Step;

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

/// A run that this rank sends, behind the number of its receiver.
pub type Sent = (usize, Run);

/// The words of each run that a pull carries from slab to slab.
fn run_length(pulls: &Pulls, pull: &Pull) -> usize {
    pull.run.min(pulls.layout.slab_words())
}

/// The runs that a pull carries to these words.
fn runs_of(pulls: &Pulls, pull: &Pull, words: Range<usize>) -> impl Iterator<Item = Run> {
    let len = run_length(pulls, pull);
    words.step_by(len).map(move |to| Run {
        to,
        source: pull.source,
        from: pull.source_word(to),
        len,
    })
}

/// The runs that are carried to these words of the planes of a colour.
fn runs(pulls: &Pulls, colour: usize, words: Range<usize>) -> impl Iterator<Item = Run> {
    let cells = pulls.layout.cells(colour);
    let crossing = cells.flat_map(|cell| &pulls.crossing[cell]);
    crossing.flat_map(move |pull| runs_of(pulls, pull, words.clone()))
}

impl Layout {
    /// Bytes that cross from rank to rank at each level before they are coded: the words of one plane that other ranks
    /// need, and a little more where slabs share several digits.
    pub fn crossing(&self) -> u64 {
        let pulls = Pulls::new(self);
        let runs = runs(&pulls, 1, 0..self.words);
        let crossing = runs.filter(|run| self.owner(run.from) != self.owner(run.to));
        crossing.map(|run| run.len as u64 * 8).sum()
    }
}

impl Run {
    /// Pieces that are coded one by one: offset in the run, and number of words.
    pub fn pieces(&self, pulls: &Pulls) -> impl Iterator<Item = (usize, usize)> + use<> {
        let len = self.len.min(pulls.layout.block);
        (0..self.len).step_by(len).map(move |first| (first, len))
    }
}

impl Step {
    /// The runs to send: those of this rank's share that a rank needs in this step, without those that this rank
    /// has in memory for itself.
    pub fn outgoing(&self) -> Vec<Sent> {
        let (setup, own, taken) = (&*self.setup, self.rank(), self.words());
        let to = |rank| {
            let runs = runs(&setup.pulls, self.colour(), self.words_of(rank));
            runs.map(move |run| (rank, run))
        };
        let is_sent = |(rank, run): &Sent| {
            setup.layout().owner(run.from) == own && !(*rank == own && taken.contains(&run.from))
        };
        let receivers = (0..setup.layout().ranks).filter(|_| self.crosses());
        receivers.flat_map(to).filter(is_sent).collect()
    }

    /// The words of a frontier in memory that other ranks need for theirs, by receiver.
    pub fn messages(&self, frontier: &Planes) -> Vec<Vec<u8>> {
        let mut messages = vec![Vec::new(); self.setup.layout().ranks];
        let codes = self.setup.each(self.outgoing(), |(rank, run)| {
            let (mut code, mut coder) = (Vec::new(), Coder::default());
            for (first, len) in run.pieces(&self.setup.pulls) {
                let words = frontier.piece(run.source, run.from + first, len);
                coder.append(words, &mut code);
            }
            (rank, code)
        });
        (codes.into_iter()).for_each(|(rank, code)| messages[rank].extend(code));
        messages
    }

    /// Bytes of the messages to other ranks.
    pub fn sent(&self, messages: &[Vec<u8>]) -> u64 {
        let all: usize = messages.iter().map(Vec::len).sum();
        (all - messages.get(self.rank()).map_or(0, Vec::len)) as u64
    }

    /// Copies the runs of these messages, by sender, and those of `source` itself into `source.crossing`.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidData`] or [`io::ErrorKind::UnexpectedEof`] if a message is not the code of the
    /// expected runs.
    pub fn arrive(&self, source: &mut ColourPlanes, messages: &[Vec<u8>]) -> io::Result<()> {
        let (pulls, own) = (&self.setup.pulls, self.words());
        let mut messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
        for cell in pulls.layout.cells(self.colour()) {
            let crossing = &mut source.crossing[cell];
            crossing.clear();
            for pull in &pulls.crossing[cell] {
                crossing.resize(own.len(), 0);
                let out = crossing.chunks_mut(run_length(pulls, pull));
                let mut arrived = Vec::with_capacity(out.len());
                for (run, out) in runs_of(pulls, pull, own.clone()).zip(out) {
                    let mut code = None;
                    if !own.contains(&run.from) {
                        let message = &mut messages[pulls.layout.owner(run.from)];
                        code = Some(split_code(message, run.pieces(pulls).count())?);
                    }
                    arrived.push((run, code, out));
                }
                let frontier = &source.frontier;
                let put = |(run, mut code, out): (Run, Option<&[u8]>, &mut [u64])| {
                    let (mut coder, mut words) = (Coder::default(), Vec::new());
                    for (first, len) in run.pieces(pulls) {
                        let words = match &mut code {
                            None => frontier.piece(run.source, run.from + first, len),
                            Some(code) => {
                                words.resize(len, 0);
                                coder.read(code, &mut words)?;
                                &words
                            }
                        };
                        or_into(&mut out[first..first + len], words);
                    }
                    Ok(())
                };
                (self.setup.each(arrived, put).into_iter()).collect::<io::Result<()>>()?;
            }
        }
        Ok(())
    }
}

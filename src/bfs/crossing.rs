//! What crosses from rank to rank at a level: the runs of words that moves carry to other slabs.
//!
//! Sender and receiver go through the same runs in the same order, so a message is their codes, one
//! after the other: nothing, sparse or raw, block by block.

use std::ops::Range;

use super::coding::Coder;
use super::colour_planes::ColourPlanes;
use super::layout::Colour;
use super::pull::Pulls;
use super::shares::Shares;
use super::workers::Workers;

/// Words that a move carries from the plane of one cell to another slab of another's.
struct Run {
    /// The cell that it is carried to.
    cell: usize,
    /// Its first word there.
    to: usize,
    /// The cell that it comes from.
    source: usize,
    /// Its first word there.
    from: usize,
    len: usize,
}

/// The runs that are carried to these words of the planes of a colour.
fn runs(pulls: &Pulls, colour: Colour, words: Range<usize>) -> impl Iterator<Item = Run> {
    let layout = pulls.layout();
    layout.cells(colour).flat_map(move |cell| {
        let words = words.clone();
        pulls.crossing(cell).iter().flat_map(move |pull| {
            let run = pull.run().expect("words that cross are whole");
            let len = run.min(layout.slab_words());
            words.clone().step_by(len).map(move |to| Run {
                cell,
                to,
                source: pull.source,
                from: pull.source_word(to),
                len,
            })
        })
    })
}

/// Bytes that cross from rank to rank at a level, before they are coded.
pub fn uncoded(pulls: &Pulls, shares: Shares) -> u64 {
    let runs = runs(pulls, Colour::Odd, 0..pulls.layout().words());
    let crossing = runs.filter(|run| shares.owner(run.from) != shares.owner(run.to));
    crossing.map(|run| run.len as u64 * 8).sum()
}

/// The runs that other ranks need of the planes that are here, as a message for each rank.
pub fn outgoing(
    pulls: &Pulls,
    colour: Colour,
    source: &ColourPlanes,
    shares: Shares,
    rank: usize,
    workers: &Workers,
) -> Vec<Vec<u8>> {
    let code = |receiver: &mut usize| {
        let (mut message, mut coder) = (Vec::new(), Coder::default());
        if *receiver == rank {
            return message;
        }
        for run in runs(pulls, colour, shares.of(*receiver)) {
            if shares.owner(run.from) == rank {
                for (from, len) in pieces(&run, pulls) {
                    let words = source.frontier.piece(run.source, run.from + from, len);
                    coder.append(words, &mut message);
                }
            }
        }
        message
    };
    workers.each((0..shares.ranks()).collect(), code)
}

/// Where the pieces of a run that are coded begin in it, and their words.
fn pieces(run: &Run, pulls: &Pulls) -> impl Iterator<Item = (usize, usize)> + use<> {
    let len = run.len.min(pulls.layout().block());
    (0..run.len).step_by(len).map(move |from| (from, len))
}

/// Puts the runs of these messages, by sender, and those of the planes that are here where the
/// states of `colour` find them.
///
/// # Panics
/// If a message is not what [`outgoing`] of its sender makes.
pub fn arrive(
    pulls: &Pulls,
    colour: Colour,
    source: &mut ColourPlanes,
    shares: Shares,
    rank: usize,
    messages: &[Vec<u8>],
) {
    let mut messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    let (own, mut coder) = (shares.of(rank), Coder::default());
    let mut words = vec![0; pulls.layout().block()];
    for run in runs(pulls, colour, own.clone()) {
        let crossing = &mut source.crossing[run.cell];
        if crossing.is_empty() {
            crossing.resize(own.len(), 0);
        }
        let sender = shares.owner(run.from);
        for (from, len) in pieces(&run, pulls) {
            let words = match sender == rank {
                true => source.frontier.piece(run.source, run.from + from, len),
                false => {
                    let words = &mut words[..len];
                    let read = coder.read(&mut messages[sender], words);
                    read.expect("ranks send what they have coded");
                    words
                }
            };
            let to = run.to - own.start + from;
            let out = &mut crossing[to..to + len];
            out.iter_mut()
                .zip(words)
                .for_each(|(out, word)| *out |= word);
        }
    }
}

//! Ranks that own the slabs, and the steps of a level that take them.

use std::ops::Range;

use crate::space::GoalClass;

use super::super::engine::layout::Layout;

/// Slabs for each rank, at least, where they can be that small: the largest share is at most a
/// quarter larger than the average then.
const SLABS_FOR_EACH: usize = 4;

impl Layout {
    /// Builds the layout of a class for `ranks` ranks, in slabs as large as possible; each share is taken in one step.
    pub fn for_ranks(class: GoalClass, ranks: usize) -> Layout {
        let wanted = if ranks == 1 {
            1
        } else {
            ranks * SLABS_FOR_EACH
        };
        let mut layout = Layout::new(class);
        layout.ranks = ranks;
        while layout.slabs < wanted
            && let Some(smaller) = layout.clone().in_slabs(layout.digits + 1)
        {
            layout = smaller;
        }
        layout
    }

    /// The layout for `ranks` ranks that take a slab in each step.
    pub fn slab_by_slab(self, ranks: usize) -> Layout {
        let step = self.slab_words();
        Layout {
            ranks,
            step,
            ..self
        }
    }

    /// Number of steps of a level, as many as the largest share takes.
    pub fn steps(&self) -> usize {
        (self.slabs.div_ceil(self.ranks) * self.slab_words()).div_ceil(self.step)
    }

    /// The words of each plane that a rank takes in a step; none if it has fewer slabs than others.
    pub fn part(&self, rank: usize, step: usize) -> Range<usize> {
        let share = self.share(rank);
        let first = share.end.min(share.start + step * self.step);
        first..share.end.min(first + self.step)
    }

    /// The words of each plane that a rank owns.
    pub fn share(&self, rank: usize) -> Range<usize> {
        let first = |rank: usize| (rank * self.slabs).div_ceil(self.ranks) * self.slab_words();
        first(rank)..first(rank + 1)
    }

    /// The rank that owns a word.
    pub fn owner(&self, word: usize) -> usize {
        word / self.slab_words() * self.ranks / self.slabs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Shape;

    #[test]
    fn every_word_has_one_owner_and_the_shares_are_alike() {
        for (rows, cols) in [(2, 2), (3, 3), (5, 2), (6, 2), (4, 3), (7, 2), (4, 4)] {
            let class = GoalClass::all(Shape::new(rows, cols).unwrap()).unwrap()[0];
            for ranks in [1, 2, 3, 4, 7, 16, 64] {
                let layout = Layout::for_ranks(class, ranks);
                let mut end = 0;
                for rank in 0..ranks {
                    let share = layout.share(rank);
                    assert_eq!(share.start, end);
                    end = share.end;
                    for word in share.clone().step_by(layout.slab_words()) {
                        assert_eq!(layout.owner(word), rank);
                    }
                    if layout.slabs >= SLABS_FOR_EACH * ranks {
                        assert!(share.len() * ranks * 4 <= layout.words * 5);
                    }
                }
                assert_eq!(end, layout.words);
                let (slabs, slab) = (layout.clone().slab_by_slab(ranks), layout.slab_words());
                for (layout, len) in [(&layout, layout.words), (&slabs, slab)] {
                    for rank in 0..ranks {
                        let mut end = layout.share(rank).start;
                        for step in 0..layout.steps() {
                            let part = layout.part(rank, step);
                            assert!(part.start == end && part.len() <= len);
                            end = part.end;
                        }
                        assert_eq!(end, layout.share(rank).end);
                    }
                }
            }
        }
    }
}

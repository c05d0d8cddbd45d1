//! Bidirectional search: from the start and from the goal.

use crate::puzzle::Move;

use super::best_first::{ByPriority, Ties, weighted};
use super::effort::GoalTest;
use super::frontier::{Duplicates, Frontier, InOrder, Open};
use super::nodes::NodeId;
use super::problem::{Heuristic, Problem, Zero};
use super::run::{Engine, Failure, Run, Solution, Step};
use super::sliding::{Packed, Sliding};

/// The nodes of a state on both sides, the start's side first.
type Meeting = [NodeId; 2];

/// Two searches, one from the start and one from the goal.
pub(super) struct Bidirectional<'a, W: Packed, H, O> {
    sides: [Frontier<'a, Sliding<W>, H, O>; 2],
    /// The nodes that the sides expand next.
    next: [Option<NodeId>; 2],
    /// The cost of the cheapest solution so far, and its state's nodes.
    best: Option<(u64, Meeting)>,
    /// In breadth-first search: the side that expands its last level, and the nodes of the level that are left.
    level: Option<(usize, u64)>,
}

/// Prepares a bidirectional breadth-first search: the side with the smaller last level expands it next.
///
/// The first state that both sides have generated lies on a solution with the fewest actions, as
/// the levels before were finished without a common state.
pub(super) fn breadth_first_from_both<W: Packed>(
    problem: &Sliding<W>,
) -> Bidirectional<'_, W, Zero, InOrder> {
    let open = |_| InOrder::default();
    let mut search = Bidirectional::new(problem, [&Zero; 2], Duplicates::Drop, open);
    search.level = Some((0, 0));
    search
}

/// Prepares a front-to-end bidirectional A*: one A* from the start by a heuristic for the distance to the
/// goal, one from the goal by a heuristic for the distance to the start; the one with fewer waiting
/// states expands next (Pohl, 1971).
///
/// It ends when the cheapest solution so far costs no more than the larger of the two least `f`
/// that wait. With admissible heuristics the solution is optimal. `g`, `h` and depth of an
/// expansion are those of the side that expands.
pub(super) fn a_star_from_both<'a, W: Packed, H: Heuristic<Sliding<W>>>(
    problem: &'a Sliding<W>,
    heuristics: [&'a H; 2],
) -> Bidirectional<'a, W, H, ByPriority<impl Fn(u32, u32) -> u64>> {
    let f = |side: usize| weighted([heuristics[side].unit().into(), 1]);
    let open = |side| ByPriority::new(f(side), Ties::Lifo, 0);
    Bidirectional::new(problem, heuristics, Duplicates::Reopen, open)
}

impl<'a, W: Packed, H: Heuristic<Sliding<W>>, O: Open<Sliding<W>>> Bidirectional<'a, W, H, O> {
    fn new(
        problem: &'a Sliding<W>,
        heuristics: [&'a H; 2],
        duplicates: Duplicates,
        open: impl Fn(usize) -> O,
    ) -> Self {
        let (start, goal) = (problem.start(), problem.goal());
        let best = (start == goal).then_some((0, [0, 0]));
        let rules = (duplicates, GoalTest::Late);
        let side = |root, i| Frontier::new(problem, root, heuristics[i], rules, open(i));
        Bidirectional {
            sides: [side(start, 0), side(goal, 1)],
            next: [None, None],
            best,
            level: None,
        }
    }

    /// Returns the side that expands next: 0 from the start, 1 from the goal.
    fn side(&mut self) -> usize {
        let fewer = usize::from(self.sides[1].waiting < self.sides[0].waiting);
        let Some((side, left)) = &mut self.level else {
            return fewer;
        };
        if *left == 0 {
            // Between levels only those of the last level wait.
            (*side, *left) = (fewer, self.sides[fewer].waiting);
        }
        *left -= 1;
        *side
    }

    /// Returns the least cost of a solution that is not found yet.
    fn bound(&self, next: [NodeId; 2]) -> u64 {
        if self.level.is_some() {
            return u64::MAX; // the first solution is a shortest one
        }
        let f = |side: usize| {
            let its = &self.sides[side];
            let place = &its.nodes.get(next[side]).place;
            u64::from(place.g) + u64::from(place.h.div_ceil(its.heuristic.unit()))
        };
        f(0).max(f(1))
    }

    /// Returns the path from the start to a state that is on both sides, and on to the goal.
    fn join(&self, (_, [start_side, goal_side]): (u64, Meeting)) -> Solution<Move> {
        let mut solution = self.sides[0].nodes.solution(start_side);
        let rest = self.sides[1].nodes.solution(goal_side);
        let back = rest.actions.into_iter().rev();
        solution.actions.extend(back.map(Move::opposite));
        solution.cost += rest.cost;
        solution
    }
}

impl<W: Packed, H: Heuristic<Sliding<W>>, O: Open<Sliding<W>>> Engine<Sliding<W>>
    for Bidirectional<'_, W, H, O>
{
    fn step(&mut self, run: &mut Run<'_, W>) -> Step<Move> {
        for (side, next) in self.sides.iter_mut().zip(&mut self.next) {
            *next = next.or_else(|| side.next().ok());
        }
        let next = self.next[0].zip(self.next[1]).map(<[_; 2]>::from);
        let least = next.map_or(u64::MAX, |next| self.bound(next));
        if let Some(best) = self.best.filter(|&(cost, _)| cost <= least) {
            return Ok(Some(self.join(best)));
        }
        let next = next.ok_or(Failure::Exhausted)?;
        let side = self.side();
        self.next[side] = None;
        let (best, is_first) = (&mut self.best, self.level.is_some());
        let sides = self.sides.get_disjoint_mut([side, 1 - side]);
        let [this, other] = sides.expect("they differ");
        this.expand(next[side], Some(other), run, |new, nodes| {
            let place = &nodes.get(new).place;
            let Some(opposite) = other.nodes.find(&place.state) else {
                return false;
            };
            let cost = u64::from(place.g) + u64::from(other.nodes.get(opposite).place.g);
            if best.is_none_or(|(least, _)| cost < least) {
                let mut meeting = [new, opposite];
                meeting.rotate_left(side);
                *best = Some((cost, meeting));
            }
            is_first
        })?;
        Ok(None)
    }

    fn memory(&self) -> usize {
        self.sides.iter().map(Engine::memory).sum()
    }
}

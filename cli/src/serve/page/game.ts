// The model of one game: start, goal, the moves made, and the plan that `Solve` and `Step` follow.
// It dispatches an event at every change and draws nothing.

import { type Board, MOVES, type Move, OPPOSITE, SHAPES, USUAL_GOALS, parse, randomBoard, replay, same, slide, solvable, tileOf, word } from "./board.js";
import type { Found, Oracle } from "./oracle.js";

// A change of a game: of what, and for "move" the tile and the move.
export type Change = { what: "boards" | "scrub" | "hint" | "answer" } | { what: "move"; tile: number; move: Move; back?: boolean };

// A shortest solution that is followed: the solutions of the board where it began, the chosen one, and how many of its moves were
// made.
interface Plan {
  solutions: Found;
  from: Board;
  pick: number;
  done: number;
}

export interface Game {
  addEventListener(type: "change", listener: (event: CustomEvent<Change>) => void, options?: AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: AddEventListenerOptions | boolean): void;
}

export class Game extends EventTarget {
  start = parse("536407182", SHAPES["3x3"]);
  goal = USUAL_GOALS.last(SHAPES["3x3"]);
  moves = ""; // all moves made, including those taken back
  at = 0; // how many of them are in effect; the others were taken back
  oracle: Oracle | null | undefined; // for the goal; null if there is none, undefined while that is being found out
  hinted: Move | null = null; // the move that a hint shows, until the next change
  helped = false; // did the page make a move, or show one?
  said = ""; // why a tile cannot slide, until the next change
  #path = [this.start];
  #plan: Plan | null = null;
  #wanted: { pick: number; from: number } | null = null; // the plan of an address, as long as its solutions are not known

  // Dispatches a change: "move" (with the tile and the move), "boards", "scrub" to another position of the path, "hint",
  // or "answer", by which more is known of the same boards.
  #announce(detail: Change) {
    this.dispatchEvent(new CustomEvent("change", { detail }));
  }

  #changed(detail: Change) {
    this.hinted = null;
    this.said = "";
    this.#wanted = null;
    this.#announce(detail);
  }

  get shape() {
    return this.goal.shape;
  }

  get board() {
    return this.#path[this.at];
  }

  get solvable() {
    return solvable(this.start, this.goal);
  }

  get solved() {
    return same(this.board, this.goal);
  }

  // Is the distance known? An oracle has answered, and the board can be solved.
  get known() {
    return this.distance !== null;
  }

  get distance() {
    return this.#can ? this.oracle!.known(this.board) : null;
  }

  // The distance of the start and after each move in effect; null where it is not known.
  get distances() {
    const can = this.#can;
    return this.#path.slice(0, this.at + 1).map((board) => (can ? this.oracle!.known(board) : null));
  }

  // The distance and what each move leads to, or null.
  get probe() {
    return this.#can ? this.oracle!.probe(this.board) : null;
  }

  get #can() {
    return Boolean(this.oracle) && this.solvable;
  }

  // Sets start and goal, of one shape, and, if given, the moves made.
  set({ start = this.start, goal = this.goal, moves = "", at = Infinity }: { start?: Board; goal?: Board; moves?: string; at?: number }) {
    if (!same(goal, this.goal) || goal.shape !== this.shape) this.oracle = undefined;
    [this.start, this.goal] = [start, goal];
    this.#path = replay(start, moves);
    this.moves = moves.slice(0, this.#path.length - 1);
    this.at = Math.min(at, this.moves.length);
    this.#plan = null;
    this.helped = false;
    this.#changed({ what: "boards" });
  }

  // Takes the oracle for the goal, or null.
  setOracle(oracle: Oracle | null) {
    this.oracle = oracle;
    oracle?.addEventListener("answer", () => {
      if (oracle !== this.oracle) return;
      this.#restore();
      this.#announce({ what: "answer" });
    });
    this.#plan = null;
    this.#changed({ what: "answer" });
  }

  // Makes a move; returns false if it is not legal.
  move(move: Move) {
    const [before, next] = [this.board, slide(this.board, move)];
    if (!next) return false;
    if (this.moves[this.at] !== move) {
      this.moves = this.moves.slice(0, this.at) + move;
      this.#path = [...this.#path.slice(0, this.at + 1), next];
    }
    this.#followPlan(move, next);
    this.at++;
    this.#changed({ what: "move", tile: tileOf(before, move)!, move });
    return true;
  }

  // Takes the last move back; returns false at the start.
  back() {
    if (this.at === 0) return false;
    const undone = OPPOSITE[this.moves[this.at - 1] as Move];
    const tile = tileOf(this.board, undone)!;
    this.#followPlan(undone, this.#path[this.at - 1]);
    this.at--;
    this.#changed({ what: "move", tile, move: undone, back: true });
    return true;
  }

  restart() {
    this.set({ moves: this.moves, at: 0 });
  }

  // The whole path: the moves made, also those taken back; at their end, what is left of the plan, too.
  get track() {
    const { plan } = this;
    return this.moves + (plan && this.at === this.moves.length ? plan.solutions[plan.pick].slice(plan.done) : "");
  }

  // Goes to the position after so many moves of the path.
  go(at: number) {
    const { track } = this;
    const to = Math.max(0, Math.min(at, track.length));
    if (to > this.moves.length) [this.moves, this.#path] = [track, replay(this.start, track)];
    this.#walk(to);
    this.#changed({ what: "scrub" });
  }

  #walk(to: number) {
    for (; this.at < to; this.at++) this.#followPlan(this.moves[this.at] as Move, this.#path[this.at + 1]);
    for (; this.at > to; this.at--) this.#followPlan(OPPOSITE[this.moves[this.at - 1] as Move], this.#path[this.at - 1]);
  }

  // The plan: all shortest solutions of the board where it began, `pick` (the chosen one), and `done` (how many
  // of its moves were made). A move that leaves the plan discards it, and the next use begins another. Null until the
  // solutions are known.
  get plan() {
    const solutions = this.#plan || !this.#can ? null : this.oracle!.solutions(this.board);
    if (solutions) this.#plan = { solutions, from: this.board, pick: 0, done: 0 };
    return this.#plan;
  }

  // Follows the plan with a move that leads to `next`, forwards or back, or discards it.
  #followPlan(move: Move, next: Board) {
    const plan = this.#plan;
    if (!plan) return;
    const chosen = plan.solutions[plan.pick];
    if (chosen[plan.done] === move) plan.done++;
    else if (plan.done > 0 && same(replay(plan.from, chosen)[plan.done - 1], next)) plan.done--;
    else this.#plan = null;
  }

  // Chooses another shortest solution and goes back to where the plan began, if that is still on the path.
  choose(pick: number) {
    const { plan } = this;
    if (!plan) return;
    const count = plan.solutions.length;
    const at = this.at - plan.done;
    const whole = at >= 0 && same(this.#path[at], plan.from);
    if (whole) this.at = at;
    plan.pick = (pick + count) % count;
    if (whole) plan.done = 0;
    this.#changed({ what: "boards" });
  }

  // The chosen solution and after how many moves the plan began, for an address; "0" for the first.
  get picked() {
    const { pick, from } = this.#wanted ?? { pick: this.plan?.pick ?? 0, from: this.at - (this.plan?.done ?? 0) };
    return pick > 0 ? `${pick}.${from}` : "0";
  }

  // Restores a plan from an address: it began after `from` moves and was followed by the moves since. If its solutions
  // are not known it waits for them, unless something else is done first.
  restorePlan(pick: number, from: number) {
    this.#wanted = { pick, from };
    this.#restore();
    this.#announce({ what: "answer" });
  }

  #restore() {
    const { at } = this;
    const { pick, from } = this.#wanted ?? { pick: 0, from: Infinity };
    if (from > at) return;
    this.at = from;
    this.#plan = null;
    if (this.plan) {
      this.plan.pick = Math.min(pick, this.plan.solutions.length - 1);
      this.#wanted = null;
      this.#walk(at);
    }
    this.at = at;
  }

  // The next move of the plan, or else a best one; null if there is none, or it is not known.
  get best(): Move | null {
    const { plan } = this;
    if (plan) return (plan.solutions[plan.pick][plan.done] as Move | undefined) ?? null;
    const first = this.probe?.moves[0];
    return first && first.distance < this.distance! ? first.move : null;
  }

  // Makes a best move; returns false if there is none.
  step() {
    const { best } = this;
    if (!best) return false;
    this.helped = true;
    return this.move(best);
  }

  hint() {
    const best = this.best;
    if (!best) return null;
    this.hinted = best;
    this.helped = true;
    this.#announce({ what: "hint" });
    return best;
  }

  // Another start at an exact distance, each board equally likely. It may take a while, and fail.
  async shuffleTo(distance: number) {
    const { oracle } = this;
    const start = await oracle!.boardAt(distance);
    if (oracle === this.oracle) this.set({ start });
  }

  // Any other start that can be solved.
  shuffleAny() {
    this.set({ start: randomBoard(this.goal) });
  }

  // Another start, by random moves from the goal, none of which undoes the one before.
  shuffleBy(count: number) {
    let [board, back]: [Board, Move | null] = [this.goal, null];
    for (let i = 0; i < count; i++) {
      const moves = MOVES.filter((move) => move !== back && slide(board, move));
      const move = moves[Math.floor(Math.random() * moves.length)];
      board = slide(board, move)!;
      back = OPPOSITE[move];
    }
    this.set({ start: board });
  }

  // The board and the goal in words, for screen readers.
  inWords() {
    const { rows: count, cols } = this.shape;
    const rows = Array.from({ length: count }, (_, i) => this.board.slice(i * cols, (i + 1) * cols).map((t) => t || "blank").join(" "));
    return `${rows.join(", ")}. Goal ${word(this.goal)}.`;
  }
}

// The model of one game: start, goal, the moves made, and the plan that `Solve` and `Step` follow.
// It dispatches an event at every change and draws nothing.

import { MOVES, OPPOSITE, parse, replay, same, slide, solvable, tileOf, word } from "./board.js";

export class Game extends EventTarget {
  start = parse("704851632");
  goal = parse("123456780");
  moves = ""; // all moves made, including those taken back
  at = 0; // how many of them are in effect; the others were taken back
  oracle = null; // for the goal; null until its table is loaded
  hinted = null; // the move that a hint shows, until the next change
  #path = [this.start];
  #pathDistances = [];
  #plan = null;

  // Dispatches a change: "move" (with the tile and the move), "boards" or "hint".
  #tell(what, detail = {}) {
    this.dispatchEvent(new CustomEvent("change", { detail: { what, ...detail } }));
  }

  #changed(what, detail) {
    this.hinted = null;
    this.#tell(what, detail);
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

  // Are distances known? The table is loaded and the board can be solved.
  get known() {
    return this.oracle !== null && this.solvable;
  }

  get distance() {
    return this.known ? this.distances[this.at] : null;
  }

  // The distance of the start and after each move in effect.
  get distances() {
    for (let i = this.#pathDistances.length; i <= this.at; i++) this.#pathDistances.push(this.oracle.distance(this.#path[i]));
    return this.#pathDistances.slice(0, this.at + 1);
  }

  // Sets start and goal and, if given, the moves made.
  set({ start = this.start, goal = this.goal, moves = "", at = Infinity }) {
    if (!same(goal, this.goal)) this.oracle = null;
    [this.start, this.goal] = [start, goal];
    this.#path = replay(start, moves);
    this.moves = moves.slice(0, this.#path.length - 1);
    this.at = Math.min(at, this.moves.length);
    this.#pathDistances = [];
    this.#plan = null;
    this.#changed("boards");
  }

  setOracle(oracle) {
    if (!same(oracle.goal, this.goal)) return;
    this.oracle = oracle;
    this.#pathDistances = [];
    this.#plan = null;
    this.#changed("boards");
  }

  // Makes a move; returns false if it is not legal.
  move(move) {
    const [before, next] = [this.board, slide(this.board, move)];
    if (!next) return false;
    if (this.moves[this.at] !== move) {
      this.moves = this.moves.slice(0, this.at) + move;
      this.#path = [...this.#path.slice(0, this.at + 1), next];
      this.#pathDistances.length = Math.min(this.#pathDistances.length, this.at + 1);
    }
    this.#followPlan(move, next);
    this.at++;
    this.#changed("move", { tile: tileOf(before, move), move });
    return true;
  }

  // Takes the last move back; returns false at the start.
  back() {
    if (this.at === 0) return false;
    const undone = OPPOSITE[this.moves[this.at - 1]];
    const tile = tileOf(this.board, undone);
    this.#followPlan(undone, this.#path[this.at - 1]);
    this.at--;
    this.#changed("move", { tile, move: undone, back: true });
    return true;
  }

  restart() {
    this.set({ moves: this.moves, at: 0 });
  }

  // The plan: all shortest solutions of the board where it began, `pick` (the chosen one), and `done` (how many
  // of its moves were made). A move that leaves the plan discards it, and the next use begins another.
  get plan() {
    if (!this.known) return null;
    this.#plan ??= { solutions: this.oracle.solutions(this.board), from: this.board, pick: 0, done: 0 };
    return this.#plan;
  }

  // Follows the plan with a move that leads to `next`, forwards or back, or discards it.
  #followPlan(move, next) {
    const plan = this.#plan;
    if (!plan) return;
    const chosen = plan.solutions[plan.pick];
    if (chosen[plan.done] === move) plan.done++;
    else if (plan.done > 0 && same(replay(plan.from, chosen)[plan.done - 1], next)) plan.done--;
    else this.#plan = null;
  }

  // Chooses another shortest solution and goes back to where the plan began, if that is still on the path.
  choose(pick) {
    const plan = this.plan;
    const count = plan.solutions.length;
    const at = this.at - plan.done;
    const whole = at >= 0 && same(this.#path[at], plan.from);
    if (whole) this.at = at;
    plan.pick = (pick + count) % count;
    if (whole) plan.done = 0;
    this.#changed("boards");
  }

  // Restores a plan from an address: it began after `from` moves and was followed by the moves since.
  restorePlan(pick, from) {
    const at = this.at;
    if (!this.known || from > at) return;
    this.at = from;
    this.#plan = null;
    this.plan.pick = Math.min(pick, this.plan.solutions.length - 1);
    for (; this.at < at; this.at++) this.#followPlan(this.moves[this.at], this.#path[this.at + 1]);
    this.#changed("boards");
  }

  // The next move of the plan, or null.
  get best() {
    const plan = this.plan;
    return plan?.solutions[plan.pick][plan.done] ?? null;
  }

  hint() {
    const best = this.best;
    if (!best) return null;
    this.hinted = best;
    this.#tell("hint");
    return best;
  }

  // Another start at an exact distance, each board equally likely.
  shuffleTo(distance) {
    const boards = this.oracle.boardsAt(distance);
    this.set({ start: boards.at(Math.floor(Math.random() * boards.count)) });
  }

  // Another start, by random moves from the goal, none of which undoes the one before.
  shuffleBy(count) {
    let [board, last] = [this.goal, null];
    for (let i = 0; i < count; i++) {
      const moves = MOVES.filter((move) => move !== OPPOSITE[last] && slide(board, move));
      last = moves[Math.floor(Math.random() * moves.length)];
      board = slide(board, last);
    }
    this.set({ start: board });
  }

  // The board and the goal in words, for screen readers.
  inWords() {
    const rows = [0, 3, 6].map((row) => this.board.slice(row, row + 3).map((t) => t || "blank").join(" "));
    return `${rows.join(", ")}. Goal ${word(this.goal)}.`;
  }
}

// What the page asks about optimal distances to a goal. An oracle answers with what it knows now; where it must ask the
// server first, the answer is null, and the event "answer" says that there is more.
//
//   goal              the board at distance 0
//   known(board)      its distance, if that is known without asking
//   probe(board)      {distance, moves}: the board's distance, and of each move {move, distance}, best first
//   solutions(board)  the shortest solutions, at most 1,000, as letters; {count} says how many there are,
//                     or null: they were not counted
//   boardAt(distance) a promise of a board at that distance, each equally likely
//   levels            how many boards there are at each distance; null where nobody knows
//   hardest           the boards at the largest distance, if they are known: at least the first dozen
//   trouble(board)    why there is no answer for a board, as a sentence; empty if it may come
//
// Boards are solvable ones. This class answers everything at once, given the moves that lead closer.

import { MOVES, same, slide, word } from "./board.js";

const MOST = 1000; // solutions

// Where all boards of a shape are so many at most, they are all visited in a few milliseconds.
const SMALL = 20160;
export const isSmall = (shape) => shape.states <= SMALL;

export class Oracle extends EventTarget {
  #known = new Map();

  constructor(goal) {
    super();
    this.goal = goal;
  }

  get longest() {
    return this.levels.length - 1;
  }

  // A shortest solution.
  solve(board) {
    let moves = "";
    for (let now = board; !same(now, this.goal); ) {
      const move = this.closer(now)[0];
      if (!move || moves.length > this.longest) throw new Error("the database is wrong");
      now = slide(now, move);
      moves += move;
    }
    return moves;
  }

  known(board) {
    const id = word(board);
    if (!this.#known.has(id)) this.#known.set(id, this.solve(board).length);
    return this.#known.get(id);
  }

  probe(board) {
    const moves = MOVES.flatMap((move) => {
      const next = slide(board, move);
      return next ? [{ move, distance: this.known(next) }] : [];
    });
    return { distance: this.known(board), moves: moves.sort((a, b) => a.distance - b.distance) };
  }

  solutions(board) {
    const found = [];
    const follow = (now, moves) => {
      if (found.length >= MOST) return;
      if (same(now, this.goal)) found.push(moves);
      else for (const move of this.closer(now)) follow(slide(now, move), moves + move);
    };
    follow(board, "");
    return Object.assign(found, { count: found.length });
  }

  async boardAt(distance) {
    const { count, at } = this.boardsAt(distance);
    return at(Math.floor(Math.random() * count));
  }

  get hardest() {
    const { count, at } = this.boardsAt(this.longest);
    return Array.from({ length: Math.min(count, 13) }, (_, i) => at(i));
  }

  trouble() {
    return "";
  }
}

// The oracle of a small shape: the page visits all boards itself, breadth first from the goal.
export class SmallOracle extends Oracle {
  #distances = new Map();
  #boards = [];

  constructor(goal) {
    super(goal);
    for (let level = [goal]; level.length > 0; ) {
      const fresh = level.filter((board) => {
        const id = word(board);
        return !this.#distances.has(id) && this.#distances.set(id, this.#boards.length);
      });
      if (fresh.length > 0) this.#boards.push(fresh);
      level = fresh.flatMap((board) => MOVES.map((move) => slide(board, move)).filter(Boolean));
    }
  }

  get levels() {
    return this.#boards.map((boards) => boards.length);
  }

  get longest() {
    return this.#boards.length - 1;
  }

  known(board) {
    return this.#distances.get(word(board));
  }

  closer(board) {
    const distance = this.known(board);
    return MOVES.filter((move) => {
      const next = slide(board, move);
      return next && this.known(next) < distance;
    });
  }

  boardsAt(distance) {
    const boards = this.#boards[distance];
    return { count: boards.length, at: (i) => boards[i] };
  }
}

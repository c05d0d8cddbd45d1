// All boards of a small shape by their distance from a goal: a breadth-first search from the goal, done in slices.
// A state is the number of a board in the order of the search: those at distance 0 first.

import { type Board, MOVES, boardOf } from "./board.js";

export const MOST_CELLS = 9; // a shape of more has too many boards for a picture

const SLICE = 10; // milliseconds of work between two pauses
const UNSEEN = -1;

function factorials(cells: number) {
  const all = [1];
  for (let n = 1; n <= cells; n++) all.push(all[n - 1] * n);
  return all;
}

function bitCounts(cells: number) {
  const counts = new Uint8Array(1 << cells);
  for (let bits = 1; bits < counts.length; bits++) counts[bits] = counts[bits >> 1] + (bits & 1);
  return counts;
}

export class States {
  readonly isLevels = false;
  count: number;
  tiles: Uint8Array; // the boards, one after the other
  levels: Uint8Array; // their distances
  first = [0]; // the first state at each distance; after the search the number of all follows
  turns: Float32Array; // places on their ring, from 0 to 1
  longest = 0;
  #cells: number;
  #factorials: number[];
  #bits: Uint8Array;
  #byRank: Int32Array; // the state of each permutation of the cells
  #steps: number[][]; // by the blank's cell, the cells next to it

  constructor(public goal: Board) {
    const { shape } = goal;
    this.count = shape.states;
    this.#cells = shape.cells;
    this.#factorials = factorials(shape.cells);
    this.#bits = bitCounts(shape.cells);
    this.#steps = shape.steps.map((steps) => MOVES.map((move) => steps[move]).filter((cell) => cell !== undefined));
    this.#byRank = new Int32Array(this.#factorials[shape.cells]).fill(UNSEEN);
    this.tiles = new Uint8Array(this.count * shape.cells);
    this.levels = new Uint8Array(this.count);
    this.turns = new Float32Array(this.count);
  }

  // Fills in all boards, with pauses in which the browser draws.
  async grow(pause: () => Promise<unknown>) {
    this.tiles.set(this.goal);
    this.#byRank[this.#rank(this.tiles, 0)] = 0;
    let [end, begun] = [1, performance.now()];
    for (let level = 0; this.first[level] < end; level++) {
      this.first.push(end);
      for (let state = this.first[level]; state < this.first[level + 1]; state++) {
        end = this.#expand(state, level + 1, end);
        if (state % 256 === 0 && performance.now() - begun > SLICE) {
          await pause();
          begun = performance.now();
        }
      }
      this.#arrange(level + 1, end);
    }
    this.longest = this.first.length - 2;
    return this;
  }

  // Adds the boards one move from a state that were not met before; returns the number of all.
  #expand(state: number, level: number, end: number) {
    const { tiles } = this;
    const [cells, from] = [this.#cells, state * this.#cells];
    const blank = tiles.indexOf(0, from) - from;
    for (const cell of this.#steps[blank]) {
      const to = end * cells;
      if (to === tiles.length) return end;
      tiles.copyWithin(to, from, from + cells);
      [tiles[to + blank], tiles[to + cell]] = [tiles[to + cell], 0];
      const rank = this.#rank(tiles, to);
      if (this.#byRank[rank] !== UNSEEN) continue;
      this.#byRank[rank] = end;
      this.levels[end] = level;
      end++;
    }
    return end;
  }

  // The number of a permutation: digit i counts the later cells with a smaller tile.
  #rank(tiles: ArrayLike<number>, from: number) {
    const cells = this.#cells;
    let [rank, left] = [0, (1 << cells) - 1];
    for (let i = 0; i < cells; i++) {
      const bit = 1 << tiles[from + i];
      rank += this.#bits[left & (bit - 1)] * this.#factorials[cells - 1 - i];
      left ^= bit;
    }
    return rank;
  }

  // Gives the states of a level their places on its ring, in the order of the mean direction of their parents, so that boards a
  // move apart are near each other.
  #arrange(level: number, end: number) {
    const first = this.first[level];
    const keys = new Float64Array(end - first);
    for (let state = first; state < end; state++) {
      let [x, y] = [0, 0];
      for (const parent of this.around(state)) {
        if (parent >= first) continue;
        const angle = 2 * Math.PI * this.turns[parent];
        x += Math.cos(angle);
        y += Math.sin(angle);
      }
      const turn = (Math.atan2(y, x) / (2 * Math.PI) + 1) % 1;
      keys[state - first] = Math.floor(turn * 2 ** 24) * 2 ** 20 + (state - first);
    }
    keys.sort();
    keys.forEach((key, place) => (this.turns[first + (key % 2 ** 20)] = (place + 0.5) / keys.length));
  }

  // The states one move from a state that have been met.
  around(state: number) {
    const { tiles } = this;
    const from = state * this.#cells;
    const board = tiles.slice(from, from + this.#cells);
    const blank = board.indexOf(0);
    return this.#steps[blank].map((cell) => {
      [board[blank], board[cell]] = [board[cell], 0];
      const found = this.#byRank[this.#rank(board, 0)];
      [board[cell], board[blank]] = [board[blank], 0];
      return found;
    }).filter((found) => found !== UNSEEN);
  }

  // The state of a board; -1 if the goal cannot be reached from it.
  of(board: ArrayLike<number>) {
    return this.#byRank[this.#rank(board, 0)];
  }

  board(state: number) {
    return boardOf([...this.tiles.subarray(state * this.#cells, (state + 1) * this.#cells)], this.goal.shape);
  }

  // All states on shortest solutions of a state, itself among them.
  region(state: number) {
    const region = new Set([state]);
    for (const one of region) {
      for (const next of this.around(one)) if (this.levels[next] < this.levels[one]) region.add(next);
    }
    return region;
  }
}

// What a picture shows.
export type Picture = States | Levels;

// In place of the boards of a large shape its levels alone, each as one state.
export class Levels {
  readonly isLevels = true;
  count: number;
  first: number[];
  levels: Uint8Array;
  turns: Float32Array;

  constructor(public goal: Board, public longest: number) {
    this.count = longest + 1;
    this.first = Array.from({ length: longest + 2 }, (_, level) => level);
    this.levels = Uint8Array.from(this.first.slice(0, -1));
    this.turns = Float32Array.from(this.levels, (level) => (level * 0.045) % 1);
  }
}

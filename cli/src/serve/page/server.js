// The oracle of a shape whose distances only the server knows. What it has answered is kept by board, so that an answer
// that comes late is never taken for another board's.

import { MOVES, parse, slide, word } from "./board.js";
import { Dropped, GONE, Gone, Refused, net } from "./net.js";
import { Oracle } from "./oracle.js";

const MOST = 1000; // solutions
const PAUSE = 60; // milliseconds that a board has to stay before the server is asked about it
const AGAIN = 10000; // milliseconds after which a refused question may be asked again

export class ServerOracle extends Oracle {
  #far = new Map(); // distances by board
  #whole = new Set(); // boards whose moves are all known: those that lead closer are in #far, the others lead away
  #solutions = new Map();
  #trouble = new Map();
  #asked = null; // the question that is under way: {id, stop}
  levels = null;
  hardest = null;
  longest = 60; // to be asked for; the server says if a board is too hard to find

  constructor(goal, hasDatabase) {
    super(goal);
    this.#learn(goal, [""], 1);
    if (hasDatabase) this.#count().catch(() => null);
  }

  #question(board) {
    return { board: word(board), goal: word(this.goal) };
  }

  // Where all boards are in a database, their numbers.
  async #count() {
    const { histogram, hardest } = await net.ask(`${this.goal.shape.name}/stats`, { goal: word(this.goal) });
    this.levels = histogram.map((row) => row.states);
    this.longest = this.levels.length - 1;
    this.hardest = hardest?.map((board) => parse(board, this.goal.shape));
    this.dispatchEvent(new Event("answer"));
  }

  // Takes a board's solutions, of which there are `count`, or null if nobody has counted them: each board on the way is
  // known then, too. Tells whether these are all.
  #learn(board, solutions, count) {
    const whole = count !== null && count <= solutions.length;
    for (const moves of solutions) {
      let [now, left] = [board, moves.length];
      for (const move of [...moves, ""]) {
        this.#far.set(word(now), left--);
        if (whole) this.#whole.add(word(now));
        now = move && slide(now, move);
      }
    }
    this.#solutions.set(word(board), Object.assign(solutions, { count }));
    return whole;
  }

  // Asks about a board, unless that was done. A question about another board is given up.
  #ask(board) {
    const id = word(board);
    if (net.online === false || this.#trouble.has(id) || this.#asked?.id === id) return;
    this.#asked?.stop.abort();
    const stop = new AbortController();
    this.#asked = { id, stop };
    setTimeout(() => stop.signal.aborted || this.#answer(board, stop.signal), PAUSE);
  }

  async #answer(board, signal) {
    const { name } = this.goal.shape;
    try {
      const { moves, solutions } = await net.ask(`${name}/solutions`, { ...this.#question(board), limit: MOST }, { signal });
      if (!this.#learn(board, moves, solutions)) {
        const probed = await net.ask(`${name}/probe`, this.#question(board), { signal });
        for (const { move, distance } of probed.moves) this.#far.set(word(slide(board, move)), distance);
        this.#whole.add(word(board));
      }
    } catch (error) {
      if (error instanceof Dropped) return;
      if (error instanceof Refused) {
        this.#trouble.set(word(board), error.message);
        setTimeout(() => this.#trouble.delete(word(board)), AGAIN);
      } else if (!(error instanceof Gone)) throw error;
    }
    this.#asked = null;
    this.dispatchEvent(new Event("answer"));
  }

  known(board) {
    return this.#far.get(word(board)) ?? null;
  }

  probe(board) {
    if (!this.#whole.has(word(board))) return this.#ask(board), null;
    const distance = this.known(board);
    const moves = MOVES.flatMap((move) => {
      const next = slide(board, move);
      return next ? [{ move, distance: this.known(next) === distance - 1 ? distance - 1 : distance + 1 }] : [];
    });
    return { distance, moves: moves.sort((a, b) => a.distance - b.distance) };
  }

  solutions(board) {
    const found = this.#solutions.get(word(board));
    if (!found) this.#ask(board);
    return found ?? null;
  }

  async boardAt(distance) {
    const { board } = await net.ask(`${this.goal.shape.name}/random`, { distance, goal: word(this.goal) });
    return parse(board, this.goal.shape);
  }

  trouble(board) {
    return this.#trouble.get(word(board)) ?? (net.online === false ? GONE : "");
  }
}

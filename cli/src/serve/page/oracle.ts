// What the page knows about the distances to a goal. It asks the library or the server, and keeps the answers by board: where
// one is not there yet it is null, and the event "answer" says that more is known. Boards are solvable ones. Each has a distance or
// bounds.

import { type Board, MOVES, type Move, leastMoves, parse, replay, slide, word } from "./board.js";
import { ask, type Init, isHere, isSmall, library } from "./library.js";
import { Dropped, GONE, Gone, type Query, Refused, net } from "./net.js";
import type { BadBoard, Bounds, Probe, Solution } from "./puzzledb.js";

const MOST = 1000; // solutions
const PAUSE = 60; // milliseconds that a board has to stay before a search for it begins
const LATE = 3000; // milliseconds after which the library is asked too
const LATER = 1000; // milliseconds after which the library is loaded
const AGAIN = 10000; // milliseconds after which a refused question may be asked again

// Solutions of a board, with the number of all, or null if they were not counted, and what is proved of their length.
export type Found = string[] & { count: number | null; at_least?: number };

// What is known of a board, and of each of its moves.
export interface Worth {
  distance: number;
  moves: { move: Move; distance: number }[];
}

export class Oracle extends EventTarget {
  #far = new Map<string, number>(); // distances by board
  #whole = new Set<string>(); // boards whose moves are all known: those that lead closer are in #far, the others lead away
  #solutions = new Map<string, Found>();
  #trouble = new Map<string, string>();
  #bounds = new Map<string, { at_least: number; at_most: number | null }>(); // what is proved of boards whose distance no search finds
  #wanted = new Set<string>(); // boards whose distance is to be asked for
  #asked: { id: string; stop: AbortController } | null = null; // the question that is under way
  #small: boolean;
  #init: Init;
  levels: number[] | null = null; // how many boards there are at each distance
  hardest: Board[] | undefined; // boards at the largest distance

  // `here`: the library alone is asked. `hasTable`: all boards are in a table.
  constructor(public goal: Board, { here, hasTable }: { here: boolean; hasTable: boolean }) {
    super();
    this.#small = isSmall(goal.shape);
    this.#init = { here };
    this.#learn(goal, [""], 1);
    if (this.#small) this.#countLater();
    else if (hasTable) this.#count().catch(() => null);
  }

  // The largest distance, or what to ask for at most as long as it is not known.
  get longest() {
    return this.levels ? this.levels.length - 1 : this.#small ? 31 : this.goal.shape.name === "4x4" ? 80 : this.goal.shape.cells > 16 ? 160 : 60;
  }

  #ask<N extends Parameters<typeof ask>[1]>(name: N, query: Query = {}, init: Init = {}) {
    return ask(this.goal.shape, name, { goal: word(this.goal), ...query }, { ...this.#init, ...init });
  }

  #announce() {
    this.dispatchEvent(new Event("answer"));
  }

  async #count() {
    const { histogram, hardest } = await this.#ask("stats");
    this.levels = histogram.map((row) => row.states);
    this.hardest = hardest?.map((board) => parse(board, this.goal.shape));
    this.#announce();
  }

  // The first distance is shown before the library is loaded, if one is asked for.
  #countLater() {
    let counting: Promise<void> | null = null;
    const again = () => void setTimeout(() => this.#countLater(), AGAIN);
    const count = () => (counting ??= library.load().then(() => this.#count()).catch(again));
    if (library.isLoaded) return count();
    this.addEventListener("answer", () => setTimeout(count), { once: true });
    setTimeout(count, LATER);
  }

  // Takes a board's solutions, of which there are `count`, or null if they were not counted: each board on the way is
  // known then, too. Returns whether these are all.
  #learn(board: Board, solutions: string[], count: number | null) {
    const whole = count !== null && count <= solutions.length;
    for (const moves of solutions) {
      let [now, left]: [Board, number] = [board, moves.length];
      for (const move of [...moves, ""]) {
        this.#far.set(word(now), left--);
        if (whole) this.#whole.add(word(now));
        if (move) now = slide(now, move as Move)!;
      }
    }
    this.#solutions.set(word(board), Object.assign(solutions, { count }));
    return whole;
  }

  // Takes a board's distance and those after its moves.
  #learnProbe({ board, distance, steps }: Probe) {
    this.#far.set(board, distance);
    for (const after of steps) this.#far.set(after.board, after.distance);
    this.#whole.add(board);
  }

  // Asks about a board, unless that was done. A question about another board is given up.
  #begin(board: Board) {
    const id = word(board);
    if (this.#trouble.has(id) || this.#bounds.has(id) || this.#asked?.id === id) return;
    this.#asked?.stop.abort();
    const stop = new AbortController();
    this.#asked = { id, stop };
    const answer = () => stop.signal.aborted || this.#answer(board, stop.signal);
    if (this.#small) answer();
    else setTimeout(answer, PAUSE);
  }

  async #answer(board: Board, signal: AbortSignal) {
    try {
      await (this.#small || this.#init.here ? this.#solve(board, signal) : this.#race(board, signal));
    } catch (error) {
      if (error instanceof Dropped) return;
      if (!(error instanceof Refused || error instanceof Gone)) throw error;
      this.#trouble.set(word(board), error instanceof Gone ? GONE : error.message);
      setTimeout(() => this.#trouble.delete(word(board)), AGAIN);
    }
    if (signal.aborted) return;
    this.#asked = null;
    this.#announce();
  }

  // Asks the server; and the library too if that takes long or refuses. The first answer is taken.
  async #race(board: Board, signal: AbortSignal) {
    const stop = new AbortController();
    const both = AbortSignal.any([signal, stop.signal]);
    const server = this.#solve(board, both);
    const late = new Promise((done) => {
      setTimeout(done, LATE);
      server.catch(done);
    });
    const here = late.then(() => (both.aborted ? Promise.reject(new Dropped()) : this.#bound(board, both)));
    try {
      await Promise.any([server, here]);
    } catch (all) {
      const { errors } = all as AggregateError;
      throw errors.find((error) => !(error instanceof Dropped)) ?? errors[0];
    } finally {
      stop.abort();
    }
  }

  // Asks for all solutions, or where they are too many to be found for one.
  async #solve(board: Board, signal: AbortSignal) {
    if (!isHere(this.goal.shape)) return this.#bound(board, signal);
    try {
      const answer = await this.#ask("solutions", { board: word(board), limit: MOST }, { signal });
      if (answer.solutions === undefined) return this.#learnBounds(board, answer);
      if (!this.#learn(board, answer.solutions, answer.solution_count)) this.#learnProbe(await this.#ask("probe", { board: word(board) }, { signal }));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await this.#bound(board, signal);
    }
  }

  // Asks the library for the best solution in the time that there is, and for what is proved of the distance.
  async #bound(board: Board, signal: AbortSignal) {
    const proved = await ask(this.goal.shape, "solution", { goal: word(this.goal), board: word(board) }, { signal, here: true });
    this.#learnBounds(board, proved);
  }

  // Takes a solution that may not be the shortest, with its bounds, for each board on it.
  #learnBounds(board: Board, { at_least, at_most, moves }: Solution | Bounds) {
    const boards = replay(board, moves);
    boards.forEach((one, i) => {
      if (this.#whole.has(word(one))) return;
      const least = Math.max(at_least - i, leastMoves(one, this.goal));
      this.#bounds.set(word(one), { at_least: least, at_most: at_most - i });
      if (least === at_most - i) this.#far.set(word(one), least);
      this.#solutions.set(word(one), Object.assign([moves.slice(i)], { count: null, at_least: least }));
    });
  }

  // What is proved of a board's distance; `at_most` is null as long as no solution is known.
  bounds(board: Board) {
    return this.#bounds.get(word(board)) ?? { at_least: leastMoves(board, this.goal), at_most: null };
  }

  // A board's distance. Where a table has it, it is asked for, with all others that are wanted now.
  known(board: Board) {
    const far = this.#far.get(word(board)) ?? null;
    if (far === null && this.#small && this.#wanted.add(word(board)).size === 1) setTimeout(() => this.#answerWanted());
    return far;
  }

  async #answerWanted() {
    const boards = [...this.#wanted].filter((id) => !this.#far.has(id) && id !== this.#asked?.id);
    this.#wanted.clear();
    if (boards.length === 0) return;
    const { probes } = await this.#askMany(boards).catch(() => ({ probes: [] as (Probe | BadBoard)[] }));
    const known = probes.filter((probe): probe is Probe => "steps" in probe);
    known.forEach((probe) => this.#learnProbe(probe));
    if (known.length > 0) this.#announce();
  }

  // Asks for the distances of many boards by one question.
  #askMany(boards: string[]) {
    return this.#ask("probe", {}, { body: JSON.stringify({ boards }) }) as Promise<unknown> as Promise<{ probes: (Probe | BadBoard)[] }>;
  }

  // The board's distance, and of each move {move, distance}, best first.
  probe(board: Board): Worth | null {
    if (!this.#whole.has(word(board))) return this.#begin(board), null;
    const distance = this.known(board)!;
    const moves = MOVES.flatMap((move) => {
      const next = slide(board, move);
      return next ? [{ move, distance: this.#far.get(word(next)) === distance - 1 ? distance - 1 : distance + 1 }] : [];
    });
    return { distance, moves: moves.sort((a, b) => a.distance - b.distance) };
  }

  // The shortest solutions, at most 1,000, as letters; {count} is the number of all, or null if they were not counted.
  solutions(board: Board) {
    const found = this.#solutions.get(word(board));
    if (!found) this.#begin(board);
    return found ?? null;
  }

  // A board at a distance, each equally likely.
  async boardAt(distance: number) {
    const seed = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
    const { board } = await this.#ask("random", { distance, seed });
    return parse(board, this.goal.shape);
  }

  // Asks about a board once more.
  askAgain(board: Board) {
    this.#trouble.delete(word(board));
    this.#begin(board);
    this.#announce();
  }

  // Why there is no answer for a board, in words; empty if it may come.
  trouble(board: Board) {
    return this.#trouble.get(word(board)) ?? "";
  }
}

// The oracle for a goal.
export async function oracleFor(goal: Board) {
  const { shape } = goal;
  if (isSmall(shape)) return new Oracle(goal, { here: shape.name !== "3x3", hasTable: true });
  if (!isHere(shape)) return new Oracle(goal, { here: true, hasTable: false });
  const { shapes }: { shapes: { shape: string; database: boolean }[] } = await net.ask("", {}, { cache: "no-cache" }).catch(() => ({ shapes: [] })); // another server may have been started since
  const turned = `${shape.cols}x${shape.rows}`;
  const served = shapes.find((one) => one.shape === shape.name || one.shape === turned);
  return new Oracle(goal, served ? { here: false, hasTable: served.database } : { here: true, hasTable: false });
}

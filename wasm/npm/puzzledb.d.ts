/** A board row by row, 0 for the blank, letters from a = 10: "704851632". */
export type Board = string;
/** The way in which the blank goes. */
export type Move = "U" | "D" | "L" | "R";

export interface Options {
  /** The board at distance 0, or "last", "first" or "spiral". */
  goal?: Board;
  /** Rows x columns, for boards that are not square: "2x5". */
  shape?: string;
}

export interface Probe {
  board: Board;
  goal: Board;
  /** Length of a shortest solution. */
  distance: number;
  /** Number of shortest solutions; null if they were not counted. */
  solution_count: number | null;
  /** Every legal move, best first. */
  steps: { move: Move; tile: number; board: Board; distance: number }[];
}

export interface Solution {
  board: Board;
  goal: Board;
  /** Length of a shortest solution; null where it is not proved. */
  distance: number | null;
  /** Proved: no solution has fewer moves. */
  at_least: number;
  /** Length of `moves`. */
  at_most: number;
  /** A letter for each move of the shortest solution that was found. */
  moves: string;
  /** The tile that slides in each move. */
  tiles: number[];
  solution_count: number | null;
}

export interface Solutions {
  board: Board;
  goal: Board;
  distance: number;
  solution_count: number | null;
  solutions: string[];
}

export interface Drawn {
  board: Board;
  goal: Board;
  /** null if it is not known soon. */
  distance: number | null;
  seed: number;
}

export interface Stats {
  shape: string;
  goal: Board;
  states: number;
  max_distance: number;
  mean_distance: number;
  median_distance: number;
  histogram: { distance: number; states: number; solutions: number | null }[];
  hardest: Board[] | null;
}

export type Algorithm =
  | "bfs" | "dfs" | "ids" | "ucs" | "greedy" | "best-first-depth" | "astar" | "weighted-astar" | "idastar" | "rbfs"
  | "bidirectional" | "bidirectional-astar" | "beam" | "hill-climbing" | "hill-climbing-first-choice"
  | "hill-climbing-restarts" | "annealing" | "genetic" | "random-walk" | "random-frontier";

export type Heuristic =
  | "zero" | "misplaced" | "misplaced-with-blank" | "manhattan" | "euclidean" | "linear-conflict" | "linear-conflict-naive"
  | "walking-distance" | "gaschnig" | "rows-columns" | "inversion" | "manhattan-plus-misplaced" | "perfect"
  | `pattern:${string}` | `patterns:${string}`;

export interface SearchOptions extends Options {
  algorithm?: Algorithm;
  heuristic?: Heuristic;
  /** Of weighted A*. */
  weight?: number;
  seed?: number;
  /** Boards of each level that beam search keeps. */
  width?: number;
  ties?: "deep" | "shallow" | "lifo" | "fifo" | "random";
  /** The order in which the blank's moves are tried: "UDLR". */
  order?: string;
  /** Give up after so many expansions, a million at most. */
  limit?: number;
  /** Keep the first so many expansions, 10,000 at most. */
  trace?: number;
}

export interface Search {
  board: Board;
  goal: Board;
  algorithm: Algorithm;
  heuristic: string | null;
  solved: boolean;
  failure: string | null;
  length: number | null;
  /** Length of a shortest solution; null if nothing tells. */
  distance: number | null;
  gap: number | null;
  moves: string | null;
  expansions: number;
  generated: number;
  reexpansions: number;
  max_queue: number;
  closed: number;
  depth: number;
  seconds: number;
  trace?: { board: Board; parent: Board | null; g: number; h: number; f: number; queue: number }[];
}

export interface Effort {
  board: Board;
  algorithm: Algorithm;
  heuristic: string;
  distance: number;
  /** The fewest and the most expansions of a correct search. */
  least: number;
  most: number;
}

export interface Estimates {
  board: Board;
  goal: Board;
  distance: number | null;
  values: { heuristic: Heuristic; value: number }[];
}

export interface Verified {
  records: {
    line: number;
    board: Board;
    goal: Board;
    right: boolean;
    verdict: string;
    distance: number | null;
    claimed: number | null;
    claims_unsolvable: boolean;
    reading: "blank" | "tile" | "numbers" | "boards" | null;
    /** The move that is illegal or the first to lose ground, from 1. */
    move: number | null;
    fix?: string;
    /** The moves that were read, as far as they are legal. */
    moves: string | null;
  }[];
  errors: { line: number; error: string }[];
  summary: { claims: number; right: number; unreadable: number };
}

/** A question is refused; the message says why. */
export class Refused extends Error {}

export class Puzzledb {
  /** Loads the module: the file beside the script, or from a URL or bytes. */
  static load(source?: URL | BufferSource | WebAssembly.Module): Promise<Puzzledb>;
  /** Asks a question of the HTTP API: its path, the parameters of its query, the text of its body. */
  ask(path: string, query?: object, body?: string): unknown;
  distance(board: Board, options?: Options): number;
  probe(board: Board, options?: Options): Probe;
  solution(board: Board, options?: Options): Solution;
  solutions(board: Board, options?: Options & { limit?: number }): Solutions;
  random(options?: Options & { distance?: number; seed?: number }): Drawn;
  stats(options?: Options): Stats;
  search(board: Board, options?: SearchOptions): Search;
  effort(board: Board, options?: Options & { algorithm?: "bfs" | "ucs" | "astar" | "idastar"; heuristic?: Heuristic; goal_test?: "early" | "late" | "visit"; expanded?: number }): Effort;
  heuristics(board: Board, options?: Options): Estimates;
  /** Judges the claims in a text: about `board`, or about the boards that it names. */
  verify(text: string, options?: Options & { board?: Board; moves?: "auto" | "blank" | "tile" | "numbers"; fix?: boolean }): Verified;
}

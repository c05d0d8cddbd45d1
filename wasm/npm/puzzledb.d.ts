/** A board row by row, 0 for the blank, letters from a = 10: "704851632". */
export type Board = string;
/** A board as it may be given: as text, as a number, or as rows of numbers. */
export type AnyBoard = string | number | readonly number[] | readonly (readonly number[])[];
/** The way in which the blank goes. */
export type Move = "U" | "D" | "L" | "R";

export interface Options {
  /** The board at distance 0, or "last", "first" or "spiral". */
  goal?: AnyBoard;
  /** Rows x columns, for boards that are not square: "2x5". */
  shape?: string;
}

/** What ends a question to a worker. */
export interface Limits {
  /** Cancels the question: an AbortSignal. */
  signal?: Signal;
  /** Seconds. */
  timeout?: number;
}

/** What is needed of an AbortSignal. */
export interface Signal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

export interface ProbeStep {
  move: Move;
  /** The tile that slides. */
  tile: number;
  /** The board after the move. */
  board: Board;
  distance: number;
}

export interface Probe {
  board: Board;
  goal: Board;
  /** Length of a shortest solution. */
  distance: number;
  /** Number of shortest solutions; null if they were not counted. */
  solution_count: number | null;
  /** Every legal move, best first. */
  steps: ProbeStep[];
}

/** A board of many that is refused. */
export interface BadBoard {
  board: AnyBoard;
  error: string;
  code: RefusalCode;
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

/** What a probe or all solutions are answered with where the distance is not proved: a solution, and bounds. */
export interface Bounds extends Solution {
  steps?: undefined;
  solutions?: undefined;
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
  /** With `rate`: how many shortest solutions there are, if a table has the boards. */
  solution_count?: number;
  /** Moves of a shortest solution that seem to lead away: (distance - Manhattan distance) / 2. */
  detours?: number;
  /** Moves on the way that seem to lead closer and do not. */
  traps?: number;
  /** distance + detours */
  difficulty?: number;
}

export interface DistanceRow {
  distance: number;
  states: number;
  /** The sum of the numbers of shortest solutions of these states, and the smallest and the largest of one of them. */
  solutions: number | null;
  min_solutions: number | null;
  max_solutions: number | null;
  /** How many of them have the blank in each cell, row by row. */
  blank_cells: number[] | null;
}

export interface Stats {
  shape: string;
  goal: Board;
  states: number;
  max_distance: number;
  mean_distance: number;
  median_distance: number;
  histogram: DistanceRow[];
  /** Numbers of shortest solutions of all states but the goal. */
  optimal_solutions: { total: number; min: number; max: number } | null;
  hardest: Board[] | null;
}

export type Algorithm =
  | "bfs" | "dfs" | "ids" | "ucs" | "greedy" | "best-first-depth" | "astar" | "weighted-astar" | "idastar" | "rbfs"
  | "bidirectional" | "bidirectional-astar" | "beam" | "hill-climbing" | "hill-climbing-first-choice"
  | "hill-climbing-restarts" | "annealing" | "genetic" | "random-walk" | "random-frontier";

export type Heuristic =
  | "zero" | "misplaced" | "misplaced-with-blank" | "manhattan" | "euclidean" | "linear-conflict" | "linear-conflict-naive"
  | "walking-distance" | "gaschnig" | "rows-columns" | "inversion" | "manhattan-plus-misplaced" | "sequence" | "perfect"
  | `pattern:${string}` | `patterns:${string}` | `max(${string})` | `${string}+${string}` | `${string}*${string}`;

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

export type Failure =
  | "exhausted" | "depth-limit" | "narrow" | "expansions" | "time" | "memory" | "cancelled" | "stopped" | "stuck";

export interface TraceStep {
  board: Board;
  parent: Board | null;
  g: number;
  h: number;
  f: number;
  queue: number;
}

/** A search, and the boards that it expanded. */
export interface Expansions extends Omit<Search, "trace"> {
  /** A byte a cell, one board after the other: at most 200,000 boards. */
  expanded: Uint8Array;
}

export interface Search {
  board: Board;
  goal: Board;
  algorithm: Algorithm;
  heuristic: Heuristic | null;
  solved: boolean;
  failure: Failure | null;
  length: number | null;
  /** Length of a shortest solution; null if nothing tells. */
  distance: number | null;
  /** Moves beyond the optimum. */
  gap: number | null;
  moves: string | null;
  expansions: number;
  generated: number;
  reexpansions: number;
  max_queue: number;
  closed: number;
  depth: number;
  replaced: number;
  loops_avoided: number;
  attempted_reexpansions: number;
  /** Bytes. */
  memory: number;
  seconds: number;
  trace?: TraceStep[];
}

export type GoalTest = "early" | "late";

export interface EffortOptions extends Options {
  algorithm?: "bfs" | "ucs" | "astar" | "idastar";
  heuristic?: Heuristic;
  goal_test?: GoalTest;
  /** The number of expansions that is to be judged. */
  expanded?: number;
}

export interface Effort {
  board: Board;
  algorithm: Algorithm;
  heuristic: Heuristic;
  distance: number;
  /** States that there are. */
  states: number;
  /** Expansions that every order of ties makes. */
  certain: number;
  /** The fewest and the most expansions of a correct search. */
  least: number;
  most: number;
  goal_test: GoalTest;
  expanded: number | null;
  possible: boolean | null;
  why: string | null;
}

export interface Estimates {
  board: Board;
  goal: Board;
  distance: number | null;
  values: Estimate[];
}

export interface Estimate {
  heuristic: Heuristic;
  value: number;
}

export type ReadAs = "boards" | "lines" | "last" | "length" | "label";

export interface VerifyOptions extends Options {
  /** The board that the text is about. */
  board?: AnyBoard;
  moves?: "auto" | "blank" | "tile" | "numbers";
  /** The kind of claim that a text for people is held to. */
  read?: ReadAs;
  /** Add an optimal solution to each claim that is wrong. */
  fix?: boolean;
}

export interface Claim {
  line: number;
  board: Board;
  goal: Board;
  right: boolean;
  verdict: string;
  distance: number | null;
  /** Proved of a distance that is not known. */
  at_least?: number;
  claimed: number | null;
  claims_unsolvable: boolean;
  reading: "blank" | "tile" | "numbers" | "boards" | null;
  /** The move that is illegal or the first to lose ground, from 1. */
  move: number | null;
  /** The moves that were read, as far as they are legal. */
  moves: string | null;
  fix?: string;
}

export interface Unreadable {
  line: number;
  error: string;
  code?: RefusalCode;
  /** The best readings of the first text in which no answer is beyond doubt. */
  readings?: OtherReading[];
}

export interface OtherReading {
  read: ReadAs;
  claimed: number | null;
  verdict: string;
  right: boolean;
  /** Whether it is a path to the goal. */
  solves: boolean;
}

export interface Summary {
  claims: number;
  right: number;
  /** Claims whose optimum is not known. */
  undecided: number;
  unreadable: number;
  /** How many claims got each verdict. */
  verdicts: { [verdict: string]: number };
  /** How many paths were read in each way. */
  readings: { [reading: string]: number };
  mixed_directions: boolean;
  /** The claims by distance. */
  distances: TallyRow[];
}

export interface TallyRow {
  distance: number;
  claims: number;
  right: number;
  /** Solutions, or lengths, that are longer than need be, and the mean of the moves above the optimum over all solutions. */
  suboptimal: number;
  mean_excess: number;
}

export interface Verified {
  records: Claim[];
  errors: Unreadable[];
  summary: Summary;
}

export type RefusalCode =
  | "unsolvable" | "bad-board" | "bad-option" | "too-large" | "no-database" | "damaged" | "busy" | "cancelled" | "timed-out";

/** A question is refused; the message says why. */
export class Refused extends Error {
  readonly code: RefusalCode | null;
}

/** A URL, the bytes of the file, compressed or not, or a WebAssembly.Module. */
export type Source = { readonly href: string } | ArrayBufferLike | ArrayBufferView | object;

export class Puzzledb {
  /** Loads the module: the file beside the script, or another source. That of `verify` is loaded when it is first asked. */
  static load(source?: Source, verify?: Source): Promise<Puzzledb>;
  /** Starts a worker with the modules. */
  static worker(source?: Source, verify?: Source): Promise<PuzzledbWorker>;
  /** Asks a question of the HTTP API: its path, the parameters of its query, the text of its body. That of `verify` is a promise. */
  ask(path: string, query?: object, body?: string | Uint8Array): unknown;
  /** The length of a shortest solution; null where it is not proved. */
  distance(board: AnyBoard, options?: Options): number | null;
  probe(board: AnyBoard, options?: Options): Probe | Bounds;
  solution(board: AnyBoard, options?: Options): Solution;
  solutions(board: AnyBoard, options?: Options & { limit?: number }): Solutions | Bounds;
  random(options?: Options & { distance?: number; min?: number; max?: number; unique?: boolean; rate?: boolean; seed?: number }): Drawn;
  stats(options?: Options): Stats;
  search(board: AnyBoard, options?: SearchOptions): Search;
  expansions(board: AnyBoard, options?: SearchOptions): Expansions;
  effort(board: AnyBoard, options?: EffortOptions): Effort;
  heuristics(board: AnyBoard, options?: Options): Estimates;
  /** Judges the claims in a text: about `board`, or about the boards that it names. */
  verify(text: string, options?: VerifyOptions): Promise<Verified>;
  /** The distances of boards, a byte a cell in and a byte a board out; 255 where a board is none or has no known distance. */
  distances_of(boards: Uint8Array, options?: Options): Uint8Array;
}

/** The library in a worker: the questions are those of Puzzledb, and end with a signal or after a time. */
export interface PuzzledbWorker {
  ask(path: string, query?: object & Limits, body?: string | Uint8Array): Promise<unknown>;
  distance(board: AnyBoard, options?: Options & Limits): Promise<number | null>;
  probe(board: AnyBoard, options?: Options & Limits): Promise<Probe | Bounds>;
  solution(board: AnyBoard, options?: Options & Limits): Promise<Solution>;
  solutions(board: AnyBoard, options?: Options & Limits & { limit?: number }): Promise<Solutions | Bounds>;
  random(options?: Options & Limits & { distance?: number; min?: number; max?: number; unique?: boolean; rate?: boolean; seed?: number }): Promise<Drawn>;
  stats(options?: Options & Limits): Promise<Stats>;
  search(board: AnyBoard, options?: SearchOptions & Limits): Promise<Search>;
  expansions(board: AnyBoard, options?: SearchOptions & Limits): Promise<Expansions>;
  effort(board: AnyBoard, options?: EffortOptions & Limits): Promise<Effort>;
  heuristics(board: AnyBoard, options?: Options & Limits): Promise<Estimates>;
  verify(text: string, options?: VerifyOptions & Limits): Promise<Verified>;
  distances_of(boards: Uint8Array, options?: Options & Limits): Promise<Uint8Array>;
  /** Ends the worker; questions that wait are refused. */
  close(): void;
}

// Searches and heuristics: their names for people, and which settings have an effect.

import type { Algorithm, Search } from "./puzzledb.js";
import type { State } from "./share.js";

export type { Algorithm };

// One of the two searches of the page.
export type Key = "a" | "b";

export type Setting = "weight" | "width" | "ties" | "seed";

// By the API's name; those without a heuristic are `blind`, and `uses` has the other settings.
export const ALGORITHMS: Record<Algorithm, { name: string; blind?: true; uses?: Setting[] }> = {
  bfs: { name: "Breadth-first (BFS)", blind: true },
  dfs: { name: "Depth-first (DFS)", blind: true },
  ids: { name: "Iterative deepening (IDS)", blind: true },
  ucs: { name: "Uniform cost (Dijkstra)", blind: true, uses: ["ties"] },
  greedy: { name: "Greedy best-first", uses: ["ties"] },
  "best-first-depth": { name: "Best-first by depth + h", uses: ["ties"] },
  astar: { name: "A*", uses: ["ties"] },
  "weighted-astar": { name: "Weighted A*", uses: ["weight", "ties"] },
  idastar: { name: "IDA*" },
  rbfs: { name: "Recursive best-first (RBFS)" },
  bidirectional: { name: "Bidirectional BFS", blind: true },
  "bidirectional-astar": { name: "Bidirectional A*" },
  beam: { name: "Beam search", uses: ["width"] },
  "hill-climbing": { name: "Hill climbing, steepest" },
  "hill-climbing-first-choice": { name: "Hill climbing, first choice", uses: ["seed"] },
  "hill-climbing-restarts": { name: "Hill climbing, restarts", uses: ["seed"] },
  annealing: { name: "Simulated annealing", uses: ["seed"] },
  genetic: { name: "Genetic algorithm", uses: ["seed"] },
  "random-walk": { name: "Random walk", blind: true, uses: ["seed"] },
  "random-frontier": { name: "Random frontier", blind: true, uses: ["seed"] },
};

export const HEURISTICS: Record<string, string> = {
  zero: "Zero",
  misplaced: "Misplaced tiles",
  "misplaced-with-blank": "Misplaced, blank too",
  manhattan: "Manhattan",
  euclidean: "Euclidean",
  "linear-conflict": "Linear conflict",
  "linear-conflict-naive": "Linear conflict, naive",
  "walking-distance": "Walking distance",
  gaschnig: "Gaschnig",
  "rows-columns": "Rows and columns",
  inversion: "Inversion distance",
  "manhattan-plus-misplaced": "Manhattan + misplaced",
  sequence: "Sequence score",
  perfect: "Perfect",
};

export const TIES: Record<string, string> = { deep: "deepest first", shallow: "shallowest first", lifo: "last in first", fifo: "first in first", random: "at random" };

// The settings of a search in their order, each with its label, its default, and how it may be written.
export const SETTINGS: Record<Setting, { label: string; usual: string; form: RegExp; field?: Record<string, string | number> }> = {
  weight: { label: "Weight", usual: "2", form: /^\d{1,3}(\.\d{1,3})?$/, field: { type: "number", min: 0, max: 100, step: 0.1 } },
  width: { label: "Beam width", usual: "100", form: /^[1-9]\d{0,4}$/, field: { type: "number", min: 1, max: 99999 } },
  ties: { label: "Among equals", usual: "deep", form: new RegExp(`^(${Object.keys(TIES).join("|")})$`) },
  seed: { label: "Seed", usual: "1", form: /^\d{1,9}$/, field: { type: "number", min: 0, max: 999999999 } },
};

// The settings that have an effect on an algorithm, given the way of breaking ties.
export const effective = (algorithm: Algorithm, ties: string): Setting[] => {
  const uses = ALGORITHMS[algorithm].uses ?? [];
  return uses.includes("ties") && ties === "random" ? [...uses, "seed"] : uses;
};

// The search that the page's state has for lane "a" or "b", as parameters of a question.
export function searchOf(state: State, key: Key): Record<string, string> & { algorithm: Algorithm } {
  const algorithm = state[key] as Algorithm;
  const settings = effective(algorithm, state[`${key}-ties`]).map((name) => [name, state[`${key}-${name}`]]);
  return { algorithm, ...(ALGORITHMS[algorithm].blind ? {} : { heuristic: state[`${key}h`] }), ...Object.fromEntries(settings) };
}

// What came of a search, as a sentence.
export function outcome({ solved, length, gap, failure, expansions, seconds }: Search, plural: (count: number, one: string) => string) {
  const spent = plural(expansions, "expansion");
  if (solved) {
    const beside = gap === null ? "" : gap === 0 ? ", the optimum" : `, ${gap} more than the optimum`;
    return `${plural(length!, "move")}${beside}; ${spent} in ${(seconds * 1000).toFixed(1)} ms.`;
  }
  const reasons: Partial<Record<string, string>> = {
    exhausted: `No solution: everything within reach was searched, with ${spent}.`,
    "depth-limit": `No solution within the depth limit, after ${spent}.`,
    narrow: `No solution after ${spent}: the beam threw away every way to the goal. A wider one may keep it.`,
    time: `No solution in the time that is allowed, after ${spent}.`,
    memory: `No solution in the memory that is allowed, after ${spent}.`,
    stuck: `Stuck after ${spent}: no neighbour is closer by the heuristic.`,
  };
  return reasons[failure ?? ""] ?? `No solution after ${spent}.`;
}

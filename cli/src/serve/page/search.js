// The best-known search algorithms in the page itself, for when the server cannot be reached.
// The result is that of /v1/search: a record, with a trace of the first expansions.

import { MOVES, same, slide, word } from "./board.js";
import { heuristic } from "./heuristics.js";
import { ALGORITHMS } from "./names.js";

// The key by which the queue is ordered, from a node's g and h.
const ORDERS = {
  bfs: (g) => g,
  ucs: (g) => g,
  greedy: (g, h) => h,
  astar: (g, h) => g + h,
  "weighted-astar": (g, h, weight) => g + weight * h,
};

export const LOCAL = Object.keys(ORDERS);

// A binary heap of nodes: the least key first, and among equal keys the largest g.
class Heap {
  #nodes = [];

  get size() {
    return this.#nodes.length;
  }

  static #before(a, b) {
    return a.key < b.key || (a.key === b.key && a.g > b.g);
  }

  push(node) {
    const nodes = this.#nodes;
    let i = nodes.push(node) - 1;
    for (let up; i > 0 && Heap.#before(nodes[i], nodes[(up = (i - 1) >> 1)]); i = up) {
      [nodes[i], nodes[up]] = [nodes[up], nodes[i]];
    }
  }

  pop() {
    const nodes = this.#nodes;
    const top = nodes[0];
    const last = nodes.pop();
    if (nodes.length === 0) return top;
    nodes[0] = last;
    for (let i = 0; ; ) {
      let least = i;
      for (const child of [2 * i + 1, 2 * i + 2]) {
        if (child < nodes.length && Heap.#before(nodes[child], nodes[least])) least = child;
      }
      if (least === i) return top;
      [nodes[i], nodes[least]] = [nodes[least], nodes[i]];
      i = least;
    }
  }
}

const LIMIT = 200000; // expansions; all boards of 3x3 are fewer

// Searches from `start` to the game's goal, with this weight of the heuristic in weighted A*, and keeps the first `most`
// expansions as a trace.
// bfs tests for the goal when it generates a state, the others when they take it from the queue.
export function search(game, start, algorithm, name, most, weight = 2) {
  const { blind } = ALGORITHMS[algorithm];
  const estimate = blind ? () => 0 : heuristic(name, game);
  const key = ORDERS[algorithm];
  const began = performance.now();
  const queue = new Heap();
  const best = new Map([[word(start), 0]]);
  const closed = new Set();
  const trace = [];
  const figures = { expansions: 0, generated: 0, reexpansions: 0, max_queue: 0 };
  const node = (board, move, parent) => {
    const [g, h] = [parent ? parent.g + 1 : 0, estimate(board)];
    return { board, move, parent, g, h, key: key(g, h, weight) };
  };
  let goal = same(start, game.goal) ? node(start) : null;
  if (!goal) queue.push(node(start));
  while (!goal && queue.size > 0 && figures.expansions < LIMIT) {
    const now = queue.pop();
    const id = word(now.board);
    if (best.get(id) < now.g) continue; // a shorter path was found since
    if (same(now.board, game.goal)) {
      goal = now;
      break;
    }
    if (trace.length < most) {
      trace.push({
        board: id, parent: now.parent && word(now.parent.board),
        g: now.g, h: now.h, f: now.g + now.h, queue: queue.size,
      });
    }
    figures.expansions++;
    figures.reexpansions += closed.has(id) ? 1 : 0;
    figures.max_queue = Math.max(figures.max_queue, queue.size);
    closed.add(id);
    for (const move of MOVES) {
      const board = slide(now.board, move);
      if (!board) continue;
      figures.generated++;
      const other = word(board);
      const improves = now.g + 1 < (best.get(other) ?? Infinity);
      if (!improves || (algorithm === "greedy" && best.has(other))) continue;
      best.set(other, now.g + 1);
      const next = node(board, move, now);
      if (algorithm === "bfs" && same(board, game.goal)) goal ??= next;
      queue.push(next);
    }
  }
  let moves = "";
  for (let at = goal; at?.parent; at = at.parent) moves = at.move + moves;
  const optimal = game.oracle?.known(start) ?? null;
  return {
    board: word(start), goal: word(game.goal), algorithm, heuristic: blind ? null : name,
    solved: goal !== null, failure: goal ? null : "expansions", length: goal && moves.length, optimal,
    gap: goal && optimal !== null ? moves.length - optimal : null, moves,
    ...figures, closed: closed.size, seconds: (performance.now() - began) / 1000, trace,
  };
}

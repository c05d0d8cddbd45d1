// The usual heuristics: estimates of the distance to a goal.

import { CELLS, SIDE } from "./board.js";

const row = (cell) => Math.floor(cell / SIDE);
const col = (cell) => cell % SIDE;

// The sum over the tiles of a cost, given each tile's distance in rows and in columns to its goal cell.
const places = (cost) => (goal) => (board) =>
  board.reduce((sum, tile, cell) => {
    const home = goal.indexOf(tile);
    return sum + (tile === 0 ? 0 : cost(Math.abs(row(cell) - row(home)), Math.abs(col(cell) - col(home))));
  }, 0);

const misplaced = places((rows, cols) => (rows + cols > 0 ? 1 : 0));
const manhattan = places((rows, cols) => rows + cols);

// For each row and column: the goal positions along it of those tiles in it whose goal is in it too.
function lines(goal, board) {
  const all = [];
  for (const [along, across] of [[col, row], [row, col]]) {
    for (let line = 0; line < SIDE; line++) {
      const cells = board.map((_, cell) => cell).filter((cell) => across(cell) === line);
      const homes = cells.filter((cell) => board[cell] !== 0).map((cell) => goal.indexOf(board[cell]));
      all.push(homes.filter((home) => across(home) === line).map(along));
    }
  }
  return all;
}

const pairsReversed = (line) =>
  line.reduce((sum, place, i) => sum + line.slice(i + 1).filter((after) => after < place).length, 0);

function longestIncreasing(line) {
  const ends = [];
  line.forEach((place, i) => {
    ends[i] = 1 + Math.max(0, ...ends.filter((_, j) => line[j] < place));
  });
  return Math.max(0, ...ends);
}

const withLines = (extra) => (goal) => (board) =>
  manhattan(goal)(board) + 2 * lines(goal, board).reduce((sum, line) => sum + extra(line), 0);

// Gaschnig's relaxation: any tile may jump into the blank's cell. A cycle of the permutation takes one jump for
// each of its tiles, and one more if the blank is not in it.
const gaschnig = (goal) => (board) => {
  const visited = new Set();
  let jumps = 0;
  for (let first = 0; first < CELLS; first++) {
    let [length, hasBlank] = [0, false];
    for (let cell = first; !visited.has(cell); cell = goal.indexOf(board[cell])) {
      visited.add(cell);
      hasBlank ||= board[cell] === 0;
      length++;
    }
    if (length > 1) jumps += hasBlank ? length - 1 : length + 1;
  }
  return jumps;
};

// A vertical move changes the inversions in row-major order by at most 2, a horizontal one those in column-major
// order. So half of each count is a lower bound of the moves of its kind.
const inversion = (goal) => (board) => {
  const byRows = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const byColumns = [0, 3, 6, 1, 4, 7, 2, 5, 8];
  const moves = (reading) => {
    const home = reading.map((cell) => goal[cell]);
    const order = reading.map((cell) => board[cell]).filter((tile) => tile !== 0);
    return Math.ceil(pairsReversed(order.map((tile) => home.indexOf(tile))) / (SIDE - 1));
  };
  return moves(byRows) + moves(byColumns);
};

// The moves that bring the tiles into their rows, where any tile of a row may go into the blank's row beside it, plus
// those that bring them into their columns (Takahashi). A state is the goal line of each line's tiles, in order,
// with "_" for the blank.
const walking = (goal) => {
  const count = (line) => {
    const home = goal.map((_, tile) => line(goal.indexOf(tile)));
    const state = (board) =>
      [0, 1, 2].map((at) =>
        board.filter((_, cell) => line(cell) === at).map((tile) => (tile === 0 ? "_" : home[tile])).sort().join(""),
      );
    const moves = new Map([[state(goal).join(), 0]]);
    const queue = [state(goal)];
    for (const lines of queue) {
      const blank = lines.findIndex((tiles) => tiles.includes("_"));
      for (const from of [blank - 1, blank + 1].filter((at) => lines[at] !== undefined)) {
        for (const tile of lines[from]) {
          const next = [...lines];
          next[from] = [...lines[from].replace(tile, "_")].sort().join("");
          next[blank] = [...lines[blank].replace("_", tile)].sort().join("");
          if (!moves.has(next.join())) {
            moves.set(next.join(), moves.get(lines.join()) + 1);
            queue.push(next);
          }
        }
      }
    }
    return (board) => moves.get(state(board).join());
  };
  const [vertical, horizontal] = [count(row), count(col)];
  return (board) => vertical(board) + horizontal(board);
};

// By name: a function from the goal to a function from the board to its estimate. `perfect` is not among
// them: it is the distance itself, which takes an oracle.
export const HEURISTICS = {
  zero: () => () => 0,
  misplaced,
  "misplaced-with-blank": (goal) => (board) => board.filter((tile, cell) => tile !== goal[cell]).length,
  manhattan,
  euclidean: places((rows, cols) => Math.floor(Math.hypot(rows, cols) * 65536) / 65536),
  "linear-conflict": withLines((line) => line.length - longestIncreasing(line)),
  "linear-conflict-naive": withLines(pairsReversed),
  "walking-distance": walking,
  gaschnig,
  "rows-columns": places((rows, cols) => (rows > 0 ? 1 : 0) + (cols > 0 ? 1 : 0)),
  inversion,
  "manhattan-plus-misplaced": (goal) => (board) => manhattan(goal)(board) + misplaced(goal)(board),
};

export const HEURISTIC_NAMES = [...Object.keys(HEURISTICS), "perfect"];

// The heuristic of this name for the oracle's goal.
export function heuristic(name, oracle) {
  return name === "perfect" ? (board) => oracle.distance(board) : HEURISTICS[name](oracle.goal);
}

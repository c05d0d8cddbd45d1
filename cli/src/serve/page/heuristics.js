// The usual heuristics: estimates of the distance to a goal.

// The sum over the tiles of a cost, given each tile's distance in rows and in columns to its goal cell.
const places = (cost) => (goal) => (board) =>
  board.reduce((sum, tile, cell) => {
    const home = goal.indexOf(tile);
    const { shape } = goal;
    return sum + (tile === 0 ? 0 : cost(Math.abs(shape.row(cell) - shape.row(home)), Math.abs(shape.col(cell) - shape.col(home))));
  }, 0);

const misplaced = places((rows, cols) => (rows + cols > 0 ? 1 : 0));
const manhattan = places((rows, cols) => rows + cols);

// For each row and column: the goal positions along it of those tiles in it whose goal is in it too.
function lines(goal, board) {
  const all = [];
  const { shape } = goal;
  const [row, col] = [(cell) => shape.row(cell), (cell) => shape.col(cell)];
  for (const [along, across, count] of [[col, row, shape.rows], [row, col, shape.cols]]) {
    for (let line = 0; line < count; line++) {
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
  for (let first = 0; first < goal.length; first++) {
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

// A vertical move takes a tile past as many others as there are columns but one, so it changes the inversions in
// row-major order by that number, or by 2, 4, ... less; a horizontal one those in column-major order. So many moves of
// each kind there are at least; where each changes the parity, their number has that of the inversions.
const inversion = (goal) => {
  const { rows, cols, steps } = goal.shape;
  const byRows = steps.map((_, cell) => cell);
  const byColumns = steps.map((_, i) => (i % rows) * cols + Math.floor(i / rows));
  const moves = (board, reading, most) => {
    const home = reading.map((cell) => goal[cell]);
    const order = reading.map((cell) => board[cell]).filter((tile) => tile !== 0);
    const inversions = pairsReversed(order.map((tile) => home.indexOf(tile)));
    const least = Math.ceil(inversions / most);
    return least + (most % 2 && (least + inversions) % 2);
  };
  return (board) => moves(board, byRows, cols - 1) + moves(board, byColumns, rows - 1);
};

// The moves that bring the tiles into their rows, where any tile of a row may go into the blank's row beside it, plus
// those that bring them into their columns (Takahashi). A state is the goal line of each line's tiles, in order,
// with "_" for the blank.
const walking = (goal) => {
  const { shape } = goal;
  const count = (lines, line) => {
    const home = goal.map((_, tile) => line(goal.indexOf(tile)));
    const state = (board) =>
      Array.from({ length: lines }, (_, at) =>
        board.filter((_, cell) => line(cell) === at).map((tile) => (tile === 0 ? "_" : home[tile])).sort().join(""),
      );
    const moves = new Map([[state(goal).join(), 0]]);
    const queue = [state(goal)];
    for (const now of queue) {
      const blank = now.findIndex((tiles) => tiles.includes("_"));
      for (const from of [blank - 1, blank + 1].filter((at) => now[at] !== undefined)) {
        for (const tile of new Set(now[from])) {
          const next = [...now];
          next[from] = [...now[from].replace(tile, "_")].sort().join("");
          next[blank] = [...now[blank].replace("_", tile)].sort().join("");
          if (!moves.has(next.join())) {
            moves.set(next.join(), moves.get(now.join()) + 1);
            queue.push(next);
          }
        }
      }
    }
    return (board) => moves.get(state(board).join());
  };
  const [vertical, horizontal] = [count(shape.rows, (cell) => shape.row(cell)), count(shape.cols, (cell) => shape.col(cell))];
  return (board) => vertical(board) + horizontal(board);
};

// By name: a function from the goal to a function from the board to its estimate. `perfect` is not among
// them: it is the distance itself, which takes an oracle.
const ESTIMATES = {
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

// Whether the page computes this heuristic of boards of a shape: for some it would have to prepare too much.
export const isHere = (name, shape) => name !== "walking-distance" || shape.cells <= 12;

const made = new Map(); // by name, for the last goal

// The heuristic of this name for the oracle's goal.
export function heuristic(name, { goal, oracle }) {
  if (name === "perfect") return (board) => oracle.known(board);
  if (made.get(name)?.goal !== goal) made.set(name, { goal, estimate: ESTIMATES[name](goal) });
  return made.get(name).estimate;
}

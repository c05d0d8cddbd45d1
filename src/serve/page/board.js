// The 8-puzzle itself: boards, moves, parsing of boards, and parity.
// A board is a list of nine numbers, row by row, 0 for the blank. A move is the letter of the
// direction in which the blank travels: U, D, L or R.

export const SIDE = 3;
export const CELLS = SIDE * SIDE;
export const MOVES = ["U", "D", "L", "R"];
export const OPPOSITE = { U: "D", D: "U", L: "R", R: "L" };
export const WAYS = { U: "up", D: "down", L: "left", R: "right" };
export const USUAL_GOALS = { last: "123456780", first: "012345678", spiral: "123804765" };

// By the blank's cell: its cell after each move, or -1 if the move is not legal.
const STEPS = Array.from({ length: CELLS }, (_, cell) => ({
  U: cell >= SIDE ? cell - SIDE : -1,
  D: cell < CELLS - SIDE ? cell + SIDE : -1,
  L: cell % SIDE > 0 ? cell - 1 : -1,
  R: cell % SIDE < SIDE - 1 ? cell + 1 : -1,
}));

export const word = (board) => board.join("");
export const same = (a, b) => a.every((tile, cell) => tile === b[cell]);
export const blankOf = (board) => board.indexOf(0);

// The board after a move, or null if the move is not legal.
export function slide(board, move) {
  const blank = blankOf(board);
  const from = STEPS[blank][move];
  if (from === undefined || from < 0) return null;
  return exchanged(board, blank, from);
}

// The move that slides the tile in this cell, or null.
export function moveOf(board, cell) {
  const steps = STEPS[blankOf(board)];
  return MOVES.find((move) => steps[move] === cell) ?? null;
}

// The moves that slide the tile in this cell, and all tiles between it and the blank, towards the blank; none if the
// blank is in another row and column.
export function movesTo(board, cell) {
  const blank = blankOf(board);
  const [down, right] = [Math.floor(cell / SIDE) - Math.floor(blank / SIDE), (cell % SIDE) - (blank % SIDE)];
  if (down !== 0 && right !== 0) return [];
  const move = down ? (down > 0 ? "D" : "U") : right > 0 ? "R" : "L";
  return Array(Math.abs(down + right)).fill(move);
}

export function exchanged(board, a, b) {
  const next = board.slice();
  [next[a], next[b]] = [next[b], next[a]];
  return next;
}

// The start and the board after each move, up to the first illegal one.
export function replay(start, moves) {
  const path = [start];
  for (const move of moves) {
    const next = slide(path.at(-1), move);
    if (!next) break;
    path.push(next);
  }
  return path;
}

// The tile that a move slides.
export const tileOf = (board, move) => board[STEPS[blankOf(board)][move]];

const name = (tile) => (tile === 0 ? "the blank" : `tile ${tile}`);

// Reads a board as people write it: nine cells in one word, or split by spaces, commas, slashes,
// lines or brackets, with 0 _ . x * or "blank" for the blank. Throws an Error that says what is
// wrong, in the words of the command line.
export function parse(text) {
  const cells = text
    .replace(/blank/gi, "0")
    .replace(/[[\](){},;/"'\s]+/g, " ")
    .trim()
    .split(" ")
    .flatMap((token) => (/^\d{2}$/.test(token) && !/^0/.test(token) ? [token] : [...token]));
  if (cells.length === 0) {
    throw new Error("no board here: write its cells row by row, as in 704851632, with 0 for the blank");
  }
  if (cells.length === CELLS + 1 && cells[0] === String(SIDE)) cells.shift(); // the side length before it
  const board = cells.map((cell, i) => {
    if (/^[_.xX*]$/.test(cell)) return 0;
    if (/^\d+$/.test(cell)) return Number(cell);
    throw new Error(`"${cell}" in cell ${i + 1} is no tile: use numbers and 0 for the blank`);
  });
  if (board.length !== CELLS) {
    throw new Error(`${board.length} ${board.length === 1 ? "cell" : "cells"} where a 3x3 board has ${CELLS}`);
  }
  board.forEach((tile, i) => {
    if (tile >= CELLS) {
      throw new Error(`${tile} in cell ${i + 1} is no tile of a 3x3 board: its tiles are 1 to 8 and 0 is the blank`);
    }
  });
  const second = board.findIndex((tile, i) => board.indexOf(tile) < i);
  if (second >= 0) {
    const tile = board[second];
    const missing = [0, 1, 2, 3, 4, 5, 6, 7, 8].find((other) => !board.includes(other));
    throw new Error(
      `${name(tile)} is there twice (cells ${board.indexOf(tile) + 1} and ${second + 1}) and ${name(missing)} is missing`,
    );
  }
  return board;
}

// The inversions: pairs of tiles whose order is the reverse of their order in the goal, as positions in
// reading order (blank left out). A horizontal slide keeps the order; a vertical one takes a tile past
// two others. So the parity of their number never changes, and the goal has none.
export function inversions(board, goal) {
  const home = goal.filter((tile) => tile !== 0);
  const order = board.filter((tile) => tile !== 0).map((tile) => home.indexOf(tile));
  return order.flatMap((a, i) => order.flatMap((b, j) => (i < j && a > b ? [[i, j]] : [])));
}

export const solvable = (board, goal) => inversions(board, goal).length % 2 === 0;

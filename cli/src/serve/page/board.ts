// The puzzle itself: shapes, boards, moves, parsing of boards, and parity.
// A board is a list of numbers, row by row, 0 for the blank, with its shape as the property `shape`. A move is the
// letter of the direction in which the blank travels: U, D, L or R.

import type { Move } from "./puzzledb.js";

export type { Move };

// A board: its tiles row by row.
export type Board = number[] & { shape: Shape };

export const MOVES: Move[] = ["U", "D", "L", "R"];
export const OPPOSITE: Record<Move, Move> = { U: "D", D: "U", L: "R", R: "L" };
export const WAYS = { U: "up", D: "down", L: "left", R: "right" };

// Rows and columns, and by the blank's cell its cell after each legal move.
export class Shape {
  name: string;
  cells: number;
  steps: Partial<Record<Move, number>>[];

  constructor(public rows: number, public cols: number) {
    this.name = `${rows}x${cols}`;
    this.cells = rows * cols;
    this.steps = Array.from({ length: this.cells }, (_, cell) => ({
      ...(cell >= cols && { U: cell - cols }),
      ...(cell < this.cells - cols && { D: cell + cols }),
      ...(cell % cols > 0 && { L: cell - 1 }),
      ...(cell % cols < cols - 1 && { R: cell + 1 }),
    }));
  }

  row(cell: number) {
    return Math.floor(cell / this.cols);
  }

  col(cell: number) {
    return cell % this.cols;
  }

  // The boards from which a goal can be reached: half of all.
  get states() {
    let states = 1;
    for (let n = 3; n <= this.cells; n++) states *= n;
    return states;
  }

  place(cell: number) {
    return `row ${this.row(cell) + 1}, column ${this.col(cell) + 1}`;
  }
}

// Every shape that can be played, by name, from 2x2 to 5x5.
export const SHAPES: Record<string, Shape> = Object.fromEntries(
  [2, 3, 4, 5].flatMap((rows) => [2, 3, 4, 5].map((cols) => [`${rows}x${cols}`, new Shape(rows, cols)])),
);

export const boardOf = (tiles: number[], shape: Shape): Board => Object.assign(tiles, { shape });

// The cells of a board in one word, as in 704851632; letters from a = 10.
export const word = (board: Board) => board.map((tile) => tile.toString(25)).join("");
export const same = (a: number[], b: number[]) => a.length === b.length && a.every((tile, cell) => tile === b[cell]);
export const blankOf = (board: Board) => board.indexOf(0);

// The board after a move, or null if the move is not legal.
export function slide(board: Board, move: Move) {
  const blank = blankOf(board);
  const from = board.shape.steps[blank][move];
  return from === undefined ? null : exchanged(board, blank, from);
}

// The move that slides the tile in this cell, or null.
export function moveOf(board: Board, cell: number): Move | null {
  const steps = board.shape.steps[blankOf(board)];
  return MOVES.find((move) => steps[move] === cell) ?? null;
}

// The moves that slide the tile in this cell, and all tiles between it and the blank, towards the blank; none if the
// blank is in another row and column.
export function movesTo(board: Board, cell: number): Move[] {
  const { shape } = board;
  const blank = blankOf(board);
  const [down, right] = [shape.row(cell) - shape.row(blank), shape.col(cell) - shape.col(blank)];
  if (down !== 0 && right !== 0) return [];
  const move = down ? (down > 0 ? "D" : "U") : right > 0 ? "R" : "L";
  return Array(Math.abs(down + right)).fill(move);
}

export function exchanged(board: Board, a: number, b: number) {
  const next = boardOf(board.slice(), board.shape);
  [next[a], next[b]] = [next[b], next[a]];
  return next;
}

// The start and the board after each move, up to the first illegal one.
export function replay(start: Board, moves: Iterable<string>) {
  const path = [start];
  for (const move of moves) {
    const next = slide(path.at(-1)!, move as Move);
    if (!next) break;
    path.push(next);
  }
  return path;
}

// The steps of every tile to its place in the goal: no way is shorter, and every way is longer by an even number.
export function leastMoves(board: Board, goal: Board) {
  const { shape } = board;
  const steps = (tile: number, cell: number) => {
    const home = goal.indexOf(tile);
    return Math.abs(shape.row(home) - shape.row(cell)) + Math.abs(shape.col(home) - shape.col(cell));
  };
  return board.reduce((sum, tile, cell) => (tile === 0 ? sum : sum + steps(tile, cell)), 0);
}

// The tile that a move slides.
export const tileOf = (board: Board, move: Move): number | undefined => board[board.shape.steps[blankOf(board)][move] ?? -1];

// Any board from which the goal can be reached, each equally likely.
export function randomBoard(goal: Board) {
  let board = goal;
  for (let last = goal.length - 1; last > 0; last--) board = exchanged(board, last, Math.floor(Math.random() * (last + 1)));
  return solvable(board, goal) ? board : mended(board);
}

// The board with its last two tiles exchanged, which changes its parity.
export function mended(board: Board) {
  const [a, b] = board.filter((tile) => tile !== 0).slice(-2);
  return exchanged(board, board.indexOf(a), board.indexOf(b));
}

// The usual goals: the blank last, the blank first, or tiles clockwise inwards with the blank where the spiral ends.
export const USUAL_GOALS: Record<string, (shape: Shape) => Board> = {
  last: (shape: Shape) => boardOf(shape.steps.map((_, cell) => (cell + 1) % shape.cells), shape),
  first: (shape: Shape) => boardOf(shape.steps.map((_, cell) => cell), shape),
  spiral: (shape: Shape) => {
    const board = boardOf(Array(shape.cells).fill(0), shape);
    for (let [cell, way, tile] = [0, 0, 1]; tile < shape.cells; tile++) {
      board[cell] = tile;
      const next = () => shape.steps[cell]["RDLU"[way % 4] as Move];
      if (next() === undefined || board[next()!] !== 0) way++;
      cell = next()!;
    }
    return board;
  },
};

const name = (tile: number) => (tile === 0 ? "the blank" : `tile ${tile}`);

// Reads a board of a shape as people write it: its cells in one word with letters from a = 10, or split by spaces,
// commas, slashes, lines or brackets, with 0 _ . x * or "blank" for the blank. Throws an Error that says what is wrong,
// in the words of the command line. Of the `others` the first shape is taken in which the text is a board, if it is none
// of the shape itself.
export function parse(text: string, shape: Shape, others: Shape[] = []) {
  try {
    return parseAs(text, shape);
  } catch (error) {
    for (const other of others) {
      try {
        return parseAs(text, other);
      } catch {
        // the error of the shape itself says more
      }
    }
    throw error;
  }
}

function parseAs(text: string, shape: Shape) {
  const tokens = text.replace(/blank/gi, "0").replace(/[[\](){},;/"'\s]+/g, " ").trim().split(" ").filter(Boolean);
  const cells = tokens.length > shape.rows + 1 ? tokens : [...tokens.join("")];
  if (cells.length === 0) {
    throw new Error("no board here: write its cells row by row, as in 704851632, with 0 for the blank");
  }
  if (cells.length === shape.cells + 1 && Number(cells[0]) === shape.rows) cells.shift(); // the side length before it
  const board = cells.map((cell, i) => {
    if (/^[_.xX*]$/.test(cell)) return 0;
    if (/^\d+$/.test(cell)) return Number(cell);
    if (shape.cells > 10 && /^[a-o]$/i.test(cell)) return parseInt(cell, 25);
    throw new Error(`"${cell}" in cell ${i + 1} is not a tile: use numbers and 0 for the blank`);
  });
  if (board.length !== shape.cells) {
    throw new Error(`${board.length} ${board.length === 1 ? "cell" : "cells"} where a ${shape.name} board has ${shape.cells}`);
  }
  board.forEach((tile, i) => {
    if (tile >= shape.cells) {
      throw new Error(`${tile} in cell ${i + 1} is not a tile of a ${shape.name} board: its tiles are 1 to ${shape.cells - 1} and 0 is the blank`);
    }
  });
  const second = board.findIndex((tile, i) => board.indexOf(tile) < i);
  if (second >= 0) {
    const tile = board[second];
    const missing = shape.steps.findIndex((_, other) => !board.includes(other));
    throw new Error(
      `${name(tile)} is there twice (cells ${board.indexOf(tile) + 1} and ${second + 1}) and ${name(missing)} is missing`,
    );
  }
  return boardOf(board, shape);
}

// The inversions: pairs of tiles whose order is the reverse of their order in the goal, as positions in
// reading order (blank left out). A horizontal slide keeps the order; a vertical one takes a tile past all others
// between its cell and the blank's, one fewer than there are columns.
export function inversions(board: Board, goal: Board) {
  const home = goal.filter((tile) => tile !== 0);
  const order = board.filter((tile) => tile !== 0).map((tile) => home.indexOf(tile));
  return order.flatMap((a, i) => order.flatMap((b, j) => (i < j && a > b ? [[i, j] as [number, number]] : [])));
}

// The rows between the blank and its goal, where they count: if the columns are even in number, a vertical slide
// changes the parity of the inversions. The sum of both stays even or odd.
export function rowsAway(board: Board, goal: Board) {
  const { cols } = board.shape;
  return cols % 2 ? 0 : Math.abs(Math.floor(blankOf(board) / cols) - Math.floor(blankOf(goal) / cols));
}

export const solvable = (board: Board, goal: Board) => (inversions(board, goal).length + rowsAway(board, goal)) % 2 === 0;

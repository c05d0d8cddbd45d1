// Distances of 3x3 boards without a server: reads a database in the encoding `bit` and answers for any goal.
// The format of the file is described in src/table/format.rs of the project.

import { MOVES, SHAPES, blankOf, boardOf, same, slide } from "./board.js";
import { Oracle } from "./oracle.js";

const [SIDE, CELLS] = [3, 9];

const MAGIC = [0x89, 0x50, 0x5a, 0x44, 0x42, 0x0d, 0x0a, 0x1a];
const PAGE = 4096;
const CHUNK = 16384; // bytes of a section that have a checksum of their own
const ORDERS = 20160; // orders of eight tiles with one parity: 8!/2
const STATES = CELLS * ORDERS;

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? (byte >>> 1) ^ 0xedb88320 : byte >>> 1;
  return byte;
});

function crc32(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = CRC[(sum ^ byte) & 255] ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}

// One database: a bit for each state of one class of goals.
export class Table {
  #distances = null;

  constructor(buffer) {
    const view = new DataView(buffer);
    const bytes = new Uint8Array(buffer);
    const check = (right, what) => {
      if (!right) throw new Error(`the database is damaged: ${what}`);
    };
    check(bytes.length > PAGE && MAGIC.every((byte, i) => bytes[i] === byte), "it does not begin as one");
    const version = view.getUint32(8, true);
    check(version === 1 || version === 2, "its version is unknown");
    check(crc32(bytes.subarray(0, PAGE - 4)) === view.getUint32(PAGE - 4, true), "its header's checksum is wrong");
    check(bytes[16] === SIDE && bytes[17] === SIDE && bytes[20] === 2, "it is no bit table of 3x3 boards");
    this.blank = bytes[19];
    const count = Number(view.getBigUint64(21, true));
    this.levels = Array.from({ length: count }, (_, i) => Number(view.getBigUint64(29 + 8 * i, true)));
    const section = (i) => {
      const at = 29 + 8 * count + 8 + 21 * i; // where its entry begins
      const offset = Number(view.getBigUint64(at + 1, true));
      const part = bytes.subarray(offset, offset + Number(view.getBigUint64(at + 9, true)));
      return [part, view.getUint32(at + 17, true)];
    };
    const [bits, sum] = section(0);
    this.bits = bits;
    if (version === 1) {
      check(crc32(bits) === sum, "its section's checksum is wrong");
      return;
    }
    const [sums, sumOfSums] = section(1);
    check(crc32(sums) === sumOfSums, "the checksum of its checksums is wrong");
    for (let i = 0; i * CHUNK < bits.length; i++) {
      const chunk = bits.subarray(i * CHUNK, (i + 1) * CHUNK);
      check(crc32(chunk) === view.getUint32(sums.byteOffset + 4 * i, true), `the checksum of chunk ${i} is wrong`);
    }
  }

  bit(index) {
    return (this.bits[index >> 3] >> (index & 7)) & 1;
  }

  // The distance modulo 4: the checkerboard colour of the blank's cell gives the lower bit, the table the upper one.
  mod4(labels) {
    const colour = (cell) => Math.floor(cell / SIDE) + (cell % SIDE);
    const odd = (colour(blankOf(labels)) + colour(this.blank)) & 1;
    return odd + 2 * this.bit(rank(labels));
  }

  // The distances of all states by state index, found once by breadth-first search from the goal.
  get distances() {
    if (this.#distances) return this.#distances;
    const label = (_, cell) => (cell === this.blank ? 0 : cell + (cell < this.blank ? 1 : 0));
    const goal = boardOf(Array.from({ length: CELLS }, label), SHAPES["3x3"]);
    const distances = new Uint8Array(STATES).fill(255);
    distances[rank(goal)] = 0;
    for (let level = [goal], distance = 1; level.length > 0; distance++) {
      const next = [];
      for (const labels of level) {
        for (const move of MOVES) {
          const other = slide(labels, move);
          const index = other && rank(other);
          if (other && distances[index] === 255) {
            distances[index] = distance;
            next.push(other);
          }
        }
      }
      level = next;
    }
    return (this.#distances = distances);
  }
}

// The state index: the blank's cell * 8!/2 + the Lehmer rank of the tiles in reading order, halved.
function rank(labels) {
  const order = labels.filter((label) => label !== 0);
  let sum = 0;
  for (let i = 0; i < order.length; i++) {
    let digit = 0;
    for (let j = i + 1; j < order.length; j++) digit += order[j] < order[i] ? 1 : 0;
    sum = sum * (order.length - i) + digit;
  }
  return blankOf(labels) * ORDERS + (sum >> 1);
}

// The state with an index. The Lehmer digit that halving drops is the one that makes the inversions even.
function unrank(index) {
  let left = (index % ORDERS) * 2;
  const digits = [];
  for (let radix = 1; radix <= CELLS - 1; radix++) {
    digits.unshift(left % radix);
    left = Math.floor(left / radix);
  }
  if (digits.reduce((a, b) => a + b) % 2 === 1) digits[CELLS - 3] ^= 1;
  const unused = [1, 2, 3, 4, 5, 6, 7, 8];
  const labels = digits.map((digit) => unused.splice(digit, 1)[0]);
  labels.splice(Math.floor(index / ORDERS), 0, 0);
  return labels;
}

// Where a symmetry maps each cell: a transposition, then reflections, as in src/space/frame.rs.
function symmetry(code) {
  return Array.from({ length: CELLS }, (_, cell) => {
    let [row, col] = [Math.floor(cell / SIDE), cell % SIDE];
    if (code & 4) [row, col] = [col, row];
    if (code & 2) row = SIDE - 1 - row;
    if (code & 1) col = SIDE - 1 - col;
    return row * SIDE + col;
  });
}

// The symmetry that maps a blank's cell to the largest cell to which any symmetry maps it.
function canonical(blank) {
  const all = Array.from({ length: 8 }, (_, code) => symmetry(code));
  return all.reduce((best, map) => (map[blank] > best[blank] ? map : best));
}

// The cell of the blank in the class of a goal: 8 (corner), 7 (edge) or 4 (centre).
export const classOf = (goal) => canonical(blankOf(goal))[blankOf(goal)];

// A goal of each class, with which its database is requested.
export const CLASS_GOALS = { 8: "123456780", 7: "123456708", 4: "123405678" };

// Distances to one goal: tiles are renamed and the board is turned, so that the goal becomes that of the table.
export class TableOracle extends Oracle {
  #table;
  #cell;
  #label = [];

  constructor(table, goal) {
    super(goal);
    this.#table = table;
    this.#cell = canonical(blankOf(goal));
    const there = this.#toCells(goal);
    there.filter((tile) => tile !== 0).forEach((tile, i) => (this.#label[tile] = i + 1));
    this.#label[0] = 0;
  }

  #toCells(board) {
    const there = [];
    board.forEach((tile, cell) => (there[this.#cell[cell]] = tile));
    return boardOf(there, board.shape);
  }

  #labels(board) {
    return boardOf(this.#toCells(board).map((tile) => this.#label[tile]), board.shape);
  }

  #board(labels) {
    return boardOf(this.#cell.map((cell) => this.#label.indexOf(labels[cell])), this.goal.shape);
  }

  get levels() {
    return this.#table.levels;
  }

  closer(board) {
    if (same(board, this.goal)) return [];
    const wanted = (this.#table.mod4(this.#labels(board)) + 3) & 3;
    return MOVES.filter((move) => {
      const next = slide(board, move);
      return next && this.#table.mod4(this.#labels(next)) === wanted;
    });
  }

  // The boards at a distance: their number, and a function that gives the i-th.
  boardsAt(distance) {
    const { distances } = this.#table;
    const indices = [];
    for (let index = 0; index < STATES; index++) if (distances[index] === distance) indices.push(index);
    return { count: indices.length, at: (i) => this.#board(unrank(indices[i])) };
  }
}

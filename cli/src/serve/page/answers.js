// Reads and judges answers in strict forms, for when the server cannot be reached. Everything else is
// read by the server, with the reader of `puzzledb verify`.

import { MOVES, OPPOSITE, parse, replay, same, slide, solvable, tileOf, word } from "./board.js";

const LETTERS = { up: "U", down: "D", left: "L", right: "R" };

// The board in a word, or null.
function boardIn(text, shape) {
  try {
    return text.length === shape.cells && /^\w*$/.test(text) ? parse(text, shape) : null;
  } catch {
    return null;
  }
}

// Whether a text names boards of its own rather than answering for one board of this shape: a board is in it, and it is
// not merely a path of boards.
export function hasBoards(text, shape) {
  const words = text.match(/[\w.*]+/g) ?? [];
  return words.some((one) => one.length === shape.cells && /^[0-9a-o_.xX*]+$/.test(one) && /[0-9]/.test(one)) && !(read(text, shape)?.ways?.[0]?.boards);
}

// Judges a text in a strict form: an answer for `start`, or lines that each begin with a board. Null if any of it
// is in another form.
export function judged(oracle, start, text, notation) {
  const { shape } = start;
  const whole = read(text, shape);
  if (whole) return [judge(oracle, start, whole, notation)];
  const lines = text.split(/\r?\n/).filter((line) => line.trim());
  const records = lines.map((line) => {
    const [, first, rest] = /^\s*(\w+)[\s,:]+(.*)$/.exec(line) ?? [];
    const board = first && boardIn(first, shape);
    const answer = board && read(rest, shape);
    return answer ? judge(oracle, board, answer, notation) : null;
  });
  return records.every(Boolean) ? records : null;
}

// What a text says if all of it is one answer: {unsolvable}, {length}, or in `ways` each way in which its moves can be
// read. Null for anything else.
function read(text, shape) {
  const trimmed = text.trim();
  if (/^(unsolvable|no solution)\.?$/i.test(trimmed)) return { unsolvable: true, ways: [] };
  if (/^\d{1,3}$/.test(trimmed)) return { length: Number(trimmed), ways: [] };
  const tokens = trimmed.split(/(?:[\s,;'"[\](){}]|->?|=?>|→)+/).filter(Boolean);
  if (tokens.length === 0) return null;
  const boards = tokens.map((token) => boardIn(token, shape));
  if (boards.length > 1 && boards.every(Boolean)) return { ways: [{ reading: "boards", boards }] };
  if (tokens.length > 1 && tokens.every((token) => /^[1-9]\d?$/.test(token) && Number(token) < shape.cells)) return { ways: [{ reading: "numbers", tiles: tokens.map(Number) }] };
  if (tokens.every((token) => token.toLowerCase() in LETTERS)) return directions(tokens.map((token) => LETTERS[token.toLowerCase()]));
  if (tokens.every((token) => /^[UDLR]+$/i.test(token))) return directions([...tokens.join("").toUpperCase()]);
  return null;
}

const directions = (moves) => ({
  ways: [
    { reading: "blank", moves },
    { reading: "tile", moves: moves.map((move) => OPPOSITE[move]) },
  ],
});

// Replays moves as one of the `ways` reads them: the legal ones, whether all are legal, and the last board.
function follow(start, way) {
  if (way.moves) {
    const path = replay(start, way.moves);
    return { moves: way.moves.slice(0, path.length - 1), legal: path.length > way.moves.length, end: path.at(-1) };
  }
  const steps = way.tiles ?? (same(way.boards[0], start) ? way.boards.slice(1) : way.boards);
  const fits = (now, move, step) => (way.tiles ? tileOf(now, move) === step : same(slide(now, move) ?? [], step));
  const moves = [];
  let now = start;
  for (const step of steps) {
    const move = MOVES.find((move) => slide(now, move) && fits(now, move, step));
    if (!move) return { moves, legal: false, end: now };
    now = slide(now, move);
    moves.push(move);
  }
  return { moves, legal: true, end: now };
}

// Judges an answer as `puzzledb verify` does: the fields of its record, with the moves that were read.
function judge(oracle, board, answer, notation) {
  const goal = oracle.goal;
  const optimal = solvable(board, goal) ? oracle.known(board) : null;
  const record = (verdict, more = {}) => ({
    board: word(board), goal: word(goal), verdict, optimal, claimed: answer.length ?? null,
    right: verdict === "optimal" || verdict === "unsolvable (rightly said)", ...more,
  });
  if (answer.unsolvable) return record(optimal === null ? "unsolvable (rightly said)" : "wrongly said unsolvable");
  if (answer.ways.length === 0) return record(judgeLength(answer.length, optimal));
  const run = bestRun(board, goal, answer, notation);
  const path = run.moves.length;
  const told = { reading: run.reading, moves: run.moves.join(""), claimed: run.legal ? path : null };
  if (!run.legal) return record(`illegal at move ${path + 1}`, { ...told, move: path + 1 });
  if (optimal === null || !same(run.end, goal)) return record("does not reach the goal", told);
  if (path === optimal) return record("optimal", told);
  return record(`suboptimal +${path - optimal}`, { ...told, move: firstLoss(oracle, board, run.moves) });
}

// The reading of an answer's moves that reaches the goal, or else is legal, or else is legal longest.
function bestRun(board, goal, { ways }, notation) {
  const allowed = ways.filter((way) => notation === "auto" || !way.moves || way.reading === notation);
  const runs = allowed.map((way) => ({ reading: way.reading, ...follow(board, way) }));
  return runs.find((run) => run.legal && same(run.end, goal)) ?? runs.find((run) => run.legal)
    ?? runs.reduce((best, run) => (run.moves.length > best.moves.length ? run : best));
}

// The moves of a text in a strict form about `start`, in the blank's directions, to be put on the board; null if
// there are none.
export function movesIn(start, goal, text, notation) {
  const answer = read(text, start.shape);
  return answer?.ways?.length ? bestRun(start, goal, answer, notation).moves.join("") : null;
}

function judgeLength(length, optimal) {
  if (optimal === null) return "impossible: the board is unsolvable";
  if (length < optimal) return "impossible: shorter than optimal";
  if (length === optimal) return "optimal";
  return (length - optimal) % 2 ? "impossible: wrong parity" : `suboptimal +${length - optimal}`;
}

// The first move that increases the distance, counted from 1.
function firstLoss(oracle, board, moves) {
  const far = replay(board, moves).map((on) => oracle.known(on));
  return far.findIndex((distance, i) => i > 0 && distance > far[i - 1]);
}

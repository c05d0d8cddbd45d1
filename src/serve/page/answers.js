// Reads a solver's answer and judges it, without the server.

import { MOVES, OPPOSITE, parse, replay, same, slide, solvable, tileOf, word } from "./board.js";

const BOARD = /(?<![\w])[0-8](?:[\s,]*[0-8]){8}(?!\w)/g;
const BOARD_WORD = /(?<!\w)[0-8_.xX*]{9}(?!\w)/;
const WORDS = { up: "U", down: "D", left: "L", right: "R" };

// Splits a text into claims, {board, text}. A text without a board, or with nothing but the boards of a
// path, is one claim about `start`; if every line begins with a board, each is a claim. Null for other
// forms, which only the server reads.
export function claims(text, start) {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() && !line.startsWith("#"));
  const path = /^[\s\d,>[\]()-]*$/.test(text) && (text.match(BOARD) ?? []).length > 1 && !/\d{9}[\t ]+\d{1,2}\s*$/m.test(text);
  if (path || !BOARD_WORD.test(text)) return [{ board: start, text }];
  const begins = lines.map((line) => /^\s*([0-8_.xX*]{9})(?=[\s,:]|$)(.*)$/.exec(line));
  return begins.every(Boolean) ? begins.map(([, board, rest]) => ({ board: parse(board), text: rest })) : null;
}

// What an answer says: {unsolvable}, {length}, and in `ways` each way in which its moves can be read.
export function read(text) {
  if (/unsolvable|no solution|impossible|not solvable/i.test(text)) return { unsolvable: true, ways: [] };
  const boards = (text.match(BOARD) ?? []).filter((b) => new Set(b.match(/\d/g)).size === 9);
  if (boards.length > 1) return { ways: [{ reading: "boards", boards: boards.map((b) => parse(b)) }] };
  const words = text.match(/\b(?:up|down|left|right)\b/gi);
  if (words) return directions(words.map((w) => WORDS[w.toLowerCase()]));
  const numbers = text.match(/\b\d+\b/g)?.map(Number) ?? [];
  const letters = [...text.matchAll(/(?<![A-Za-z])[UDLRudlr](?:[\s,;'"]*[UDLRudlr])*(?![A-Za-z])/g)]
    .map(([run]) => run).sort((a, b) => b.length - a.length)[0];
  if (letters) {
    const length = numbers.length === 1 ? { length: numbers[0] } : {};
    return { ...directions(letters.toUpperCase().match(/[UDLR]/g)), ...length };
  }
  if (numbers.length > 1) return { ways: [{ reading: "numbers", tiles: numbers }] };
  if (numbers.length === 1) return { length: numbers[0], ways: [] };
  return { length: 0, ways: [] };
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

// Judges a claim as `puzzledb verify` does: the fields of its record, with the moves that were read.
export function judge(oracle, board, text, notation = "auto") {
  const goal = oracle.goal;
  const optimal = solvable(board, goal) ? oracle.distance(board) : null;
  const answer = read(text);
  const record = (verdict, more = {}) => ({
    board: word(board), goal: word(goal), verdict, optimal, claimed: answer.length ?? null,
    right: verdict === "optimal" || verdict === "unsolvable (rightly said)", ...more,
  });
  if (answer.unsolvable) return record(optimal === null ? "unsolvable (rightly said)" : "wrongly said unsolvable");
  const ways = answer.ways.filter((way) => notation === "auto" || !way.moves || way.reading === notation);
  if (ways.length === 0) return record(judgeLength(answer.length, optimal));
  const runs = ways.map((way) => ({ reading: way.reading, ...follow(board, way) }));
  const run = runs.find((run) => run.legal && same(run.end, goal)) ?? runs.find((run) => run.legal)
    ?? runs.reduce((best, run) => (run.moves.length > best.moves.length ? run : best));
  const path = run.moves.length;
  const told = { reading: run.reading, moves: run.moves.join(""), claimed: answer.length ?? (run.legal ? path : null) };
  if (!run.legal) return record(`illegal at move ${path + 1}`, { ...told, move: path + 1 });
  if (optimal === null || !same(run.end, goal)) return record("does not reach the goal", told);
  if (answer.length !== undefined && answer.length !== path) {
    return record(`wrong length: claims ${answer.length}, path has ${path}`, told);
  }
  if (path === optimal) return record("optimal", told);
  return record(`suboptimal +${path - optimal}`, { ...told, move: firstLoss(oracle, board, run.moves) });
}

function judgeLength(length, optimal) {
  if (optimal === null) return "impossible: the board is unsolvable";
  if (length < optimal) return "impossible: shorter than optimal";
  if (length === optimal) return "optimal";
  return (length - optimal) % 2 ? "impossible: wrong parity" : `suboptimal +${length - optimal}`;
}

// The first move that increases the distance, counted from 1.
function firstLoss(oracle, board, moves) {
  const far = replay(board, moves).map((on) => oracle.distance(on));
  return far.findIndex((distance, i) => i > 0 && distance > far[i - 1]);
}

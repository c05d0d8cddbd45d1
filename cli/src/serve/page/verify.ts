// The panel that judges a solver's answer: it reads what `puzzledb verify` reads.

import { type Board, parse, replay, type Shape, word } from "./board.js";
import { $, el, messageOf, plural, sentence } from "./dom.js";
import type { Game } from "./game.js";
import { ask, isHere } from "./library.js";
import { GONE, Gone, type Query, Refused } from "./net.js";
import type { Claim } from "./puzzledb.js";
import type { State } from "./share.js";

type Play = (start: Board, moves: string) => void;

// Sets up the panel and returns the function that draws it.
export function verifyPanel(game: Game, state: State, save: () => void, play: Play) {
  let seen = ""; // the last answer typed or judged; if the state has another, it came with an address and is judged
  const run = async () => {
    const text = $("answer").value;
    if (!text.trim()) return show("Paste an answer first.", []);
    if (!game.oracle) return show(`An answer is judged against the optimum, which is not known here for ${game.shape.name} boards.`, []);
    show("Judging …", []);
    try {
      const { records, errors } = await verify(game, text, state.notation);
      const right = records.filter((record) => record.right).length;
      const counted = records.length === 1 ? inWords(records[0]) : `${right} of ${plural(records.length, "answer")} right.`;
      const unread = errors.map(({ line, error }) => `Line ${line}: ${error}.`);
      show([...(records.length ? [counted] : []), ...unread].join("\n"), records);
    } catch (error) {
      if (!(error instanceof Gone || error instanceof Refused)) throw error;
      show(error instanceof Gone ? `Answers for these boards are judged by the server, and ${GONE}.` : sentence(messageOf(error)), []);
    }
  };
  const show = (words: string, records: Claim[]) => {
    $("verdict-words").textContent = words;
    $("verdicts").replaceChildren(...(records.length ? rows(records, game, play) : []));
  };
  $("judge").addEventListener("click", run);
  $("my-moves").addEventListener("click", () => {
    $("answer").value = game.moves.slice(0, game.at);
    $("answer").dispatchEvent(new Event("input"));
  });
  $("answer").addEventListener("input", () => {
    state.answer = seen = $("answer").value;
    save();
  });
  $("notation").addEventListener("change", () => {
    state.notation = $("notation").value;
    save();
  });
  return () => {
    $("notation").value = state.notation;
    $("answer").value = state.answer;
    if (state.answer === seen || !game.oracle) return;
    seen = state.answer;
    if (seen) run();
    else show("", []);
  };
}

// Is every claim about a board that it names? A path of boards alone answers for the first of them.
function hasBoards(text: string, { cells }: Shape) {
  const isBoard = (one: string) => one.length === cells && /^[0-9a-o_.xX*]+$/.test(one) && /[0-9]/.test(one);
  const words = text.match(/[\w.*]+/g) ?? [];
  return words.some(isBoard) && !(words.length > 1 && words.every(isBoard));
}

// Judges a text about the start, or about the boards that it names.
function verify({ shape, start, goal }: Game, text: string, moves: string) {
  const about: Query = hasBoards(text, shape) ? {} : { board: word(start) };
  return ask(shape, "verify", { goal: word(goal), moves, ...about }, { body: text, here: isHere(shape) });
}

function inWords({ verdict, distance, claimed, move, reading }: Claim) {
  const ways: Record<string, string> = { blank: "the blank's way", tile: "the tile's way" };
  const best = distance === null ? "the board has no solution" : `the optimum is ${distance}`;
  const words = [`${verdict}: ${best}`];
  if (claimed !== null && claimed !== undefined) words.push(`claimed ${claimed}`);
  if (verdict.startsWith("suboptimal") && move) words.push(`move ${move} was the first to lose ground`);
  if (reading) words.push(`read as ${ways[reading] ?? reading}`);
  return `${words.join("; ")}.`;
}

function rows(records: Claim[], game: Game, play: Play) {
  const replayed = (record: Claim) => {
    const { board, move, moves } = record;
    if (!moves || board.length !== game.shape.cells) return null;
    const start = parse(board, game.shape);
    const see = () => game.set({ start, moves, at: Math.min(move ?? replay(start, moves).length, moves.length) });
    return el("button", { type: "button", onclick: move ? see : () => play(start, moves) }, move ? `See move ${move}` : "Play");
  };
  const row = (record: Claim) => el("tr", { class: record.right ? "right" : "wrong" },
    el("td", {}, replayed(record)),
    el("td", {}, el("code", {}, record.board)),
    el("td", {}, `${record.right ? "✓" : "✗"} ${record.verdict}`),
    el("td", { class: "number" }, record.distance ?? "none"),
    el("td", { class: "number" }, record.claims_unsolvable ? "none" : record.claimed ?? ""),
    el("td", {}, record.reading ?? ""),
    el("td", {}, record.move ?? ""));
  const heads = ["board", "verdict", "optimum", "claimed", "read as", "move"];
  return [
    el("thead", {}, el("tr", {}, el("td"), ...heads.map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, ...records.map(row)),
  ];
}

// The panel that judges a solver's answer: in the page, or on the server for forms that only the server reads.

import { parse, replay, word } from "./board.js";
import { claims, judge } from "./answers.js";
import { $, el, plural } from "./dom.js";
import { Gone, Refused, net } from "./net.js";

// Sets up the panel and returns the function that draws it.
export function verifyPanel(game, state, save) {
  let seen = ""; // the last answer typed or judged; if the state has another, it came with an address and is judged
  const run = async () => {
    const text = $("answer").value;
    if (!text.trim()) return tell("Paste an answer first.", []);
    if (!game.oracle) return tell("The table is not here yet.", []);
    try {
      const records = await judged(game, text, state.notation);
      const right = records.filter((record) => record.right).length;
      tell(records.length === 1 ? inWords(records[0]) : `${right} of ${plural(records.length, "answer")} right.`, records);
    } catch (error) {
      if (!(error instanceof Gone || error instanceof Refused)) throw error;
      tell(error instanceof Gone ? "This form is read by the server, and the server is gone." : error.message, []);
    }
  };
  const tell = (words, records) => {
    $("verdict-words").textContent = words;
    $("verdicts").replaceChildren(...(records.length ? rows(records, game) : []));
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
    else tell("", []);
  };
}

async function judged(game, text, notation) {
  const list = claims(text, game.start);
  if (list) return list.map(({ board, text }) => judge(game.oracle, board, text, notation));
  const answer = await net.ask("3x3/verify", { goal: word(game.goal), ...(notation === "auto" ? {} : { moves: notation }) },
    { method: "POST", body: text, headers: { "content-type": "text/plain" } });
  return answer.records;
}

function inWords({ verdict, optimal, claimed, move, reading }) {
  const best = optimal === null ? "the board has no solution" : `the optimum is ${optimal}`;
  const words = [`${verdict}: ${best}`];
  if (claimed !== null && claimed !== undefined) words.push(`claimed ${claimed}`);
  if (verdict.startsWith("suboptimal") && move) words.push(`move ${move} was the first to lose ground`);
  if (reading) words.push(`read as ${{ blank: "the blank's way", tile: "the tile's way" }[reading] ?? reading}`);
  return `${words.join("; ")}.`;
}

function rows(records, game) {
  const replayed = (record) => {
    if (!record.moves) return "";
    const start = parse(record.board);
    const play = () => game.set({ start, moves: record.moves, at: 0 });
    const see = () => game.set({ start, moves: record.moves, at: Math.min(record.move ?? replay(start, record.moves).length, record.moves.length) });
    return [el("button", { type: "button", onclick: record.move ? see : play }, record.move ? `See move ${record.move}` : "Put on the board")];
  };
  const row = (record) => el("tr", { class: record.right ? "right" : "wrong" },
    el("td", {}, el("code", {}, record.board)),
    el("td", {}, `${record.right ? "✓" : "✗"} ${record.verdict}`),
    el("td", { class: "number" }, record.optimal ?? "none"),
    el("td", { class: "number" }, record.claims_unsolvable ? "none" : record.claimed ?? ""),
    el("td", {}, record.reading ?? ""),
    el("td", {}, record.move ?? ""),
    el("td", {}, ...[replayed(record)].flat()));
  const heads = ["board", "verdict", "optimum", "claimed", "read as", "move"];
  return [
    el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head)), el("td"))),
    el("tbody", {}, ...records.map(row)),
  ];
}

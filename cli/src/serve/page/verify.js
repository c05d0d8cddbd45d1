// The panel that judges a solver's answer: by the server, which reads what `puzzledb verify` reads; or, when the server
// cannot be reached, in the page, which reads strict forms only.

import { parse, replay, word } from "./board.js";
import { hasBoards, judged, movesIn } from "./answers.js";
import { $, el, plural, sentence } from "./dom.js";
import { GONE, Gone, Refused, net } from "./net.js";

// Sets up the panel and returns the function that draws it.
export function verifyPanel(game, state, save, play) {
  let seen = ""; // the last answer typed or judged; if the state has another, it came with an address and is judged
  const run = async () => {
    const text = $("answer").value;
    if (!text.trim()) return tell("Paste an answer first.", []);
    if (!game.oracle) return tell(`An answer is judged against the optimum, which is not known here for ${game.shape.name} boards.`, []);
    tell("Judging …", []);
    try {
      const { records, errors } = await verify(game, text, state.notation);
      const right = records.filter((record) => record.right).length;
      const counted = records.length === 1 ? inWords(records[0]) : `${right} of ${plural(records.length, "answer")} right.`;
      const unread = errors.map(({ line, error }) => `Line ${line}: ${error}.`);
      tell([...(records.length ? [counted] : []), ...unread].join("\n"), records);
    } catch (error) {
      if (!(error instanceof Gone || error instanceof Refused)) throw error;
      tell(error instanceof Gone ? `This form is read by the server, and ${GONE}.` : sentence(error.message), []);
    }
  };
  const tell = (words, records) => {
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
    else tell("", []);
  };
}

// Asks the server; without it the strict forms are judged here. Gone: this form needs the server.
async function verify(game, text, notation) {
  const parameters = { goal: word(game.goal) };
  if (notation !== "auto") parameters.moves = notation;
  const about = !hasBoards(text, game.shape);
  if (about) parameters.board = word(game.start);
  try {
    if (net.online === false) throw new Gone();
    const answer = await net.ask(`${game.shape.name}/verify`, parameters, { method: "POST", body: text, headers: { "content-type": "text/plain" } });
    const moves = about && answer.records.length === 1 ? movesIn(game.start, game.goal, text, answer.records[0].reading ?? notation) : null;
    if (moves !== null) answer.records[0].moves = moves;
    return answer;
  } catch (error) {
    const { oracle, start } = game;
    const here = oracle.closer && (error instanceof Gone || error instanceof Refused);
    const records = here ? judged(oracle, start, text, notation) : null;
    if (!records) throw error;
    return { records, errors: [] };
  }
}

function inWords({ verdict, optimal, claimed, move, reading }) {
  const best = optimal === null ? "the board has no solution" : `the optimum is ${optimal}`;
  const words = [`${verdict}: ${best}`];
  if (claimed !== null && claimed !== undefined) words.push(`claimed ${claimed}`);
  if (verdict.startsWith("suboptimal") && move) words.push(`move ${move} was the first to lose ground`);
  if (reading) words.push(`read as ${{ blank: "the blank's way", tile: "the tile's way" }[reading] ?? reading}`);
  return `${words.join("; ")}.`;
}

function rows(records, game, play) {
  const replayed = (record) => {
    if (!record.moves) return "";
    const start = parse(record.board, game.shape);
    const see = () => game.set({ start, moves: record.moves, at: Math.min(record.move ?? replay(start, record.moves).length, record.moves.length) });
    return [el("button", { type: "button", onclick: record.move ? see : () => play(start, record.moves) }, record.move ? `See move ${record.move}` : "Play on the board")];
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

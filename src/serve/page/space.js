// The panel about the whole space: boards at each distance, the hardest boards, heuristics against distances.

import { word } from "./board.js";
import { histogram } from "./charts.js";
import { $, drawn, el, grouped, miniSvg, plural } from "./dom.js";
import { HEURISTIC_NAMES, heuristic } from "./heuristics.js";

const MOST_SHOWN = 12; // hardest boards

// Sets up the panel and returns the function that draws it.
export function spacePanel(game) {
  const chart = drawn($("histogram"), (width) =>
    histogram(width, game.oracle.levels, game.distance, (distance) => game.shuffleTo(distance)));
  let listed = null;
  return () => {
    const { oracle } = game;
    if (!oracle) return;
    const { levels, longest } = oracle;
    const states = levels.reduce((a, b) => a + b);
    const mean = levels.reduce((sum, count, distance) => sum + count * distance, 0) / states;
    let place = "The current board cannot be solved, so it has no place here.";
    if (game.known) {
      const farther = levels.slice(game.distance + 1).reduce((a, b) => a + b, 0);
      const here = game.distance;
      const others = levels[here] - 1;
      place = here === 0 ? "This board is the goal."
        : `This board is ${plural(here, "move")} away, as ${plural(others, "other is", "others are")}; ` +
          `${(100 * farther / states).toFixed(1)}% are farther.`;
    }
    $("histogram-words").textContent =
      `${grouped(states)} boards by their distance from ${word(game.goal)}: mean ${mean.toFixed(2)}, largest ${longest}. ${place}`;
    chart();
    if (listed !== oracle) hardest(game);
    listed = oracle;
    heuristics(game);
  };
}

function hardest(game) {
  const { longest } = game.oracle;
  const { count, at } = game.oracle.boardsAt(longest);
  const shown = Math.min(count, MOST_SHOWN);
  $("hardest-words").textContent = `${plural(count, "board is", "boards are")} ${longest} moves away` +
    `${shown < count ? `; the first ${shown}` : ""}. Choose one to play it.`;
  $("hardest").replaceChildren(...Array.from({ length: shown }, (_, i) => {
    const board = at(i);
    const play = () => game.set({ start: board });
    return el("button", { type: "button", class: "mini-button", onclick: play },
      miniSvg(board, 66), el("span", { class: "unseen" }, "Play "), el("span", {}, word(board)));
  }));
}

function heuristics(game) {
  const { board, distance } = game;
  const table = $("heuristics");
  $("heuristics-words").textContent = game.known
    ? `What each says of this board, ${plural(distance, "move")} from the goal. More than that is too much: a search may then miss the shortest way.`
    : "Nothing to compare: the board cannot be solved.";
  if (!game.known) return table.replaceChildren();
  const values = HEURISTIC_NAMES.map((name) => [name, heuristic(name, game.oracle)(board)]);
  const most = Math.max(distance, ...values.map(([, value]) => value), 1);
  const row = ([name, value]) => {
    const bar = el("span", { class: value > distance ? "gauge over" : "gauge" });
    bar.style.setProperty("--part", value / most);
    bar.style.setProperty("--truth", distance / most);
    const verdict = value > distance ? "too much" : value === distance ? "the truth" : `${round(distance - value)} short`;
    return el("tr", { "data-heuristic": name },
      el("th", { scope: "row" }, name), el("td", { class: "number" }, round(value)), el("td", {}, bar), el("td", {}, verdict));
  };
  table.replaceChildren(
    el("thead", {}, el("tr", {}, ...["heuristic", "says", "beside the truth", ""].map((head) =>
      head ? el("th", { scope: "col" }, head) : el("td")))),
    el("tbody", {}, ...values.map(row)));
}

const round = (value) => String(Math.round(value * 100) / 100);

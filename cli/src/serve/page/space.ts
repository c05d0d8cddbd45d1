// The panel about the whole space: boards at each distance, the hardest boards, heuristics against distances.

import { word } from "./board.js";
import { histogram } from "./charts.js";
import { $, about, drawn, el, grouped, miniSvg, plural, within } from "./dom.js";
import type { Game } from "./game.js";
import { ask, isHere } from "./library.js";
import { HEURISTICS } from "./names.js";
import type { Oracle } from "./oracle.js";
import type { State } from "./share.js";

const UNUSUAL = new Set(["linear-conflict-naive", "manhattan-plus-misplaced", "misplaced-with-blank", "zero"]); // shown on request
const MOST_SHOWN = 12; // hardest boards

// Sets up the panel and returns the function that draws it. `shuffleTo` puts on a board at a distance.
export function spacePanel(game: Game, state: State, save: () => void, shuffleTo: (distance: number) => void) {
  const draw = drawn($("histogram"), (width) =>
    game.oracle?.levels ? histogram(width, game.oracle.levels, game.distance, state.log === "1", shuffleTo) : "");
  const bar = (distance: number) => $("histogram").querySelector<SVGElement>(`[data-distance="${distance}"]`);
  // Draws the chart; the bar that has the focus keeps it.
  const chart = () => {
    const focus = (document.activeElement as HTMLElement | null)?.dataset.distance;
    draw();
    if (focus) bar(Number(focus))?.focus();
  };
  $("histogram").addEventListener("keydown", (event) => {
    const at = Number(within(event, "[data-distance]")?.dataset.distance);
    const places: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: game.oracle!.longest };
    const to = places[event.key];
    const chosen = event.key === "Enter" || event.key === " ";
    if (to === undefined && !chosen) return;
    event.preventDefault();
    if (chosen) shuffleTo(at);
    else bar(to!)?.focus();
  });
  $("log").addEventListener("change", () => {
    state.log = $("log").checked ? "1" : "0";
    save();
    chart();
  });
  let listed: Oracle | null = null;
  return () => {
    heuristics(game, estimatesOf(game, heuristics));
    $("log").checked = state.log === "1";
    const { oracle } = game;
    $("all-boards").hidden = !oracle?.levels;
    $("no-levels").textContent = oracle?.levels ? "" :
      `${about(game.shape.states)} boards can be solved to ${word(game.goal)}; how many there are at each distance is not known here.`;
    if (!oracle?.levels) return;
    const { levels, longest } = oracle;
    const states = levels.reduce((a, b) => a + b);
    const mean = levels.reduce((sum, count, distance) => sum + count * distance, 0) / states;
    let place = game.solvable ? "" : "The current board cannot be solved, so it has no place here.";
    if (game.known) {
      const farther = levels.slice(game.distance! + 1).reduce((a, b) => a + b, 0);
      const here = game.distance!;
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
  };
}

function hardest(game: Game) {
  const { levels, longest, hardest: boards } = game.oracle!;
  const count = levels![longest];
  const shown = Math.min(boards?.length ?? 0, MOST_SHOWN);
  $("hardest-words").textContent = `${plural(count, "board is", "boards are")} ${longest} moves away` +
    `${!shown ? "." : `${shown < count ? `; the first ${shown}` : ""}. Choose one to play it.`}`;
  $("hardest").replaceChildren(...Array.from({ length: shown }, (_, i) => {
    const board = boards![i];
    const play = () => game.set({ start: board });
    return el("button", { type: "button", class: "mini-button", onclick: play },
      miniSvg(board, 66), el("span", { class: "unseen" }, "Play "), el("span", {}, word(board)));
  }));
}

let asked = ""; // the last board and goal of which the estimates were asked for
let estimates: [string, number][] | null = null; // those of the heuristics that need no table, by name

// The estimates of the board, or null; `draw` gets them then.
function estimatesOf(game: Game, draw: typeof heuristics) {
  const [board, goal] = [word(game.board), word(game.goal)];
  const question = `${game.shape.name}/heuristics ${board} ${goal}`;
  if (!game.solvable || question === asked) return estimates;
  [asked, estimates] = [question, null];
  const answer = ask(game.shape, "heuristics", { board, goal }, { here: isHere(game.shape) });
  answer.then(({ values }) => {
    if (question !== asked) return;
    estimates = values.filter(({ heuristic }) => heuristic !== "perfect").map(({ heuristic, value }) => [heuristic, value]);
    draw(game, estimates);
  }).catch(() => null);
  return null;
}

function heuristics(game: Game, estimates: [string, number][] | null) {
  const { distance } = game;
  const table = $("heuristics");
  $("heuristics-words").textContent = game.known
    ? `What each says of this board, ${plural(distance!, "move")} from the goal. More than that is too much: a search may then miss the shortest way.`
    : game.solvable ? "What each says of this board. The distance itself is not known." : "Nothing to compare: the board cannot be solved.";
  if (!game.solvable || !estimates) return table.replaceChildren();
  const values: [string, number][] = [...estimates, ...(distance === null ? [] : [["perfect", distance] as [string, number]])];
  const most = Math.max(distance ?? 0, ...values.map(([, value]) => value), 1);
  const row = ([name, value]: [string, number]) => {
    const isOver = distance !== null && value > distance;
    const bar = el("span", { class: `gauge${game.known ? " known" : ""}${isOver ? " over" : ""}` });
    bar.style.setProperty("--part", String(value / most));
    if (distance !== null) bar.style.setProperty("--truth", String(distance / most));
    const verdict = distance === null ? "" : isOver ? "too much" : value === distance ? "the truth" : `${round(distance - value)} short`;
    return el("tr", { "data-heuristic": name, class: UNUSUAL.has(name) ? "unusual" : null },
      el("th", { scope: "row" }, HEURISTICS[name]), el("td", { class: "number" }, round(value)), el("td", {}, bar), el("td", {}, verdict));
  };
  table.replaceChildren(
    el("thead", {}, el("tr", {}, ...["heuristic", "says", "beside the truth", ""].map((head) =>
      head ? el("th", { scope: "col" }, head) : el("td")))),
    el("tbody", {}, ...values.map(row)));
}

const round = (value: number) => String(Math.round(value * 100) / 100);

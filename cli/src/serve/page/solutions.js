// The panel of all shortest solutions of a board, and of the one that is chosen.

import { OPPOSITE, WAYS, tileOf } from "./board.js";
import { $, el, grouped, plural, say } from "./dom.js";

// Sets up the panel and returns the function that draws it. `play` makes a move.
export function solutionsPanel(game, play, truthShown) {
  const choose = (pick) => {
    game.choose(pick);
    say(`Solution ${game.plan.pick + 1} of ${game.plan.solutions.length}: ${[...game.plan.solutions[game.plan.pick]].join(" ")}`);
  };
  $("solution-before").addEventListener("click", () => choose(game.plan.pick - 1));
  $("solution-after").addEventListener("click", () => choose(game.plan.pick + 1));
  let shown = null;
  return () => {
    const { plan } = game;
    moves(game, play, truthShown());
    const list = $("solution-list");
    const one = !plan || plan.solutions.length < 2;
    $("solution-before").disabled = $("solution-after").disabled = one;
    $("solutions-words").textContent = words(game, plan);
    if (plan?.solutions !== shown) {
      list.replaceChildren(...(plan?.solutions ?? []).map((moves, i) =>
        el("li", {}, el("button", { type: "button", onclick: () => choose(i), "aria-label": `Solution ${i + 1}: ${moves}` }))));
    }
    shown = plan?.solutions;
    if (plan) [...list.querySelectorAll("button")].forEach((button, i) => {
      const chosen = i === plan.pick;
      const done = chosen ? plan.done : 0;
      const moves = plan.solutions[i];
      button.setAttribute("aria-pressed", String(chosen));
      button.replaceChildren(el("b", {}, moves.slice(0, done)), moves.slice(done));
    });
    const chosen = list.querySelector('[aria-pressed="true"]');
    if (chosen) keepInView(list, chosen);
  };
}

// The move whose button has the focus, which a table that is drawn again keeps.
let focused = null;

// Every move of the board: its tile, the distance after it, and how many of the shortest solutions begin by it.
function moves(game, play, shown) {
  const active = document.activeElement;
  if (active !== document.body) focused = $("moves").contains(active) ? active.dataset.move : null;
  const { board, distance } = game;
  const probe = shown ? game.probe : null;
  const solutions = probe && !game.solved ? game.oracle.solutions(board) : null;
  const row = ({ move, distance: after }) => {
    const begun = solutions?.filter((all) => all[0] === move).length;
    const all = solutions?.count === solutions?.length ? `${grouped(begun)} of ${grouped(solutions?.count ?? 0)}` : "";
    return el("tr", {},
      el("td", {}, el("button", { type: "button", "data-move": move, onclick: () => play(move) }, `Tile ${tileOf(board, move)} ${WAYS[OPPOSITE[move]]}`)),
      el("td", { class: after < distance ? "closer" : "farther" }, `${after < distance ? "▼" : "▲"} ${plural(after, "move")}`),
      el("td", { class: "number" }, after < distance ? all : ""));
  };
  const heads = ["move", "then", "solutions"];
  $("moves").hidden = $("moves").previousElementSibling.hidden = !probe;
  $("moves").replaceChildren(...(probe ? [
    el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, ...probe.moves.map(row)),
  ] : []));
  if (focused) ($("moves").querySelector(`[data-move="${focused}"]`) ?? $("moves").querySelector("button"))?.focus({ preventScroll: true });
}

function words(game, plan) {
  if (!game.solvable) return "There is none: this board cannot be solved.";
  if (!plan) return game.oracle === null ? "They are not known here." : "They are being looked for.";
  const [first] = plan.solutions;
  if (first.length === 0) return "The board is the goal: nothing to do.";
  const where = plan.done > 0 ? `${plan.done} of ${plural(first.length, "move")} made` : plural(first.length, "move");
  const { length, count } = plan.solutions;
  if (count === null) return `A shortest solution, ${where}; the others take too long to count.`;
  const all = length < count ? `${grouped(count)} shortest solutions, the first ${grouped(length)} below` : `${length} shortest solutions`;
  return count === 1 ? `One shortest solution, ${where}.` : `${all}, ${where}; number ${plan.pick + 1} is chosen.`;
}

// Scrolls the list until the item is visible; the page does not scroll.
function keepInView(list, item) {
  const [inner, outer] = [item.getBoundingClientRect(), list.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}

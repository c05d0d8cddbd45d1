// The panel of all shortest solutions of a board, and of the one that is chosen.

import { $, el, grouped, plural, say } from "./dom.js";

// Sets up the panel and returns the function that draws it.
export function solutionsPanel(game) {
  const choose = (pick) => {
    game.choose(pick);
    say(`Solution ${game.plan.pick + 1} of ${game.plan.solutions.length}: ${[...game.plan.solutions[game.plan.pick]].join(" ")}`);
  };
  let shown = null;
  return () => {
    const { plan } = game;
    const list = $("solution-list");
    $("solutions-words").textContent = words(game, plan);
    if (plan?.solutions !== shown) {
      list.replaceChildren(...(plan?.solutions ?? []).filter((moves) => moves !== "").map((moves, i) =>
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

function words(game, plan) {
  if (!game.solvable) return "There is none: this board cannot be solved.";
  const trouble = game.oracle?.trouble(game.board);
  if (!plan) return trouble ? `They are not known: ${trouble}.` : "They are being looked for.";
  const [first] = plan.solutions;
  if (first.length === 0) return "The board is the goal: nothing to do.";
  const where = plan.done > 0 ? `${plan.done} of ${plural(first.length, "move")} made` : plural(first.length, "move");
  const { length, count, at_least } = plan.solutions;
  if (at_least < first.length) return `The best solution that was found, ${where}; every one has ${plural(at_least, "move")} or more.`;
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

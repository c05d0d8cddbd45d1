// The panel of all shortest solutions of a board, and of the one that is chosen.

import { $, el, grouped, plural, say } from "./dom.js";
import type { Game } from "./game.js";
import type { Found } from "./oracle.js";

// Sets up the panel and returns the function that draws it.
export function solutionsPanel(game: Game) {
  const choose = (pick: number) => {
    game.choose(pick);
    const { pick: chosen, solutions } = game.plan!;
    say(`Solution ${chosen + 1} of ${solutions.length}: ${[...solutions[chosen]].join(" ")}`);
  };
  let shown: Found | null | undefined = null;
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
    const chosen = list.querySelector<HTMLElement>('[aria-pressed="true"]');
    if (chosen) keepInView(list, chosen);
  };
}

function words(game: Game, plan: Game["plan"]) {
  if (!game.solvable) return "There is none: this board cannot be solved.";
  const trouble = game.oracle?.trouble(game.board);
  if (!plan) return trouble ? `They are not known: ${trouble}.` : "They are being looked for.";
  const [first] = plan.solutions;
  if (first.length === 0) return "The board is the goal: nothing to do.";
  const where = plan.done > 0 ? `${plan.done} of ${plural(first.length, "move")} made` : plural(first.length, "move");
  const { length, count, at_least } = plan.solutions;
  if (at_least !== undefined && at_least < first.length) return `The best solution that was found, ${where}; every one has ${plural(at_least, "move")} or more.`;
  if (count === null) return `A shortest solution, ${where}; the others take too long to count.`;
  const all = length < count ? `${grouped(count)} shortest solutions, the first ${grouped(length)} below` : `${length} shortest solutions`;
  return count === 1 ? `One shortest solution, ${where}.` : `${all}, ${where}; number ${plan.pick + 1} is chosen.`;
}

// Scrolls the list until the item is visible; the page does not scroll.
function keepInView(list: HTMLElement, item: HTMLElement) {
  const [inner, outer] = [item.getBoundingClientRect(), list.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}

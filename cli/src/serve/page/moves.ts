// The moves of the board, a row each: the tile, the distance after it, and how many of the shortest solutions begin by it. The whole
// row is a button.

import { type Move, OPPOSITE, WAYS, tileOf } from "./board.js";
import { $, el, grouped } from "./dom.js";
import type { Game } from "./game.js";
import type { Found, Worth } from "./oracle.js";
import { partOf } from "./scale.js";

// Sets up the rows and returns the function that draws them. `play` makes a move.
export function movesView(game: Game, play: (move: Move) => void, truthShown: () => boolean) {
  const list = $("moves");
  let focused: string | null | undefined = null; // the move whose row has the focus, which rows that are drawn again keep
  list.addEventListener("keydown", (event) => {
    const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const rows = [...list.querySelectorAll("button")];
    rows.at((rows.indexOf(event.target as HTMLButtonElement) + step) % rows.length)!.focus();
  });

  function row({ move, distance: after }: Worth["moves"][number], solutions: Found | null) {
    const closer = after < game.distance!;
    const begun = solutions?.filter((all) => all[0] === move).length;
    const isWhole = solutions?.count === solutions?.length;
    const share = closer && isWhole ? `${grouped(begun!)} of ${grouped(solutions?.count ?? 0)}` : "";
    const swatch = el("i", { class: "swatch" });
    swatch.style.setProperty("--part", String(partOf(after, game.oracle!.longest)));
    return el("li", {}, el("button", { type: "button", "data-move": move, onclick: () => play(move) }, swatch,
      el("span", {}, `Tile ${tileOf(game.board, move)} ${WAYS[OPPOSITE[move]]} `),
      el("span", { class: closer ? "closer" : "farther" }, `${closer ? "▼" : "▲"} ${after} `),
      el("span", { class: "share", title: "shortest solutions that begin so" }, share)));
  }

  return () => {
    const active = document.activeElement as HTMLElement;
    if (active !== document.body) focused = list.contains(active) ? active.dataset.move : null;
    const probe = truthShown() && game.solvable ? game.probe : null;
    const solutions = probe && !game.solved ? game.oracle!.solutions(game.board) : null;
    list.replaceChildren(...(probe?.moves ?? []).map((one) => row(one, solutions)));
    if (focused) (list.querySelector<HTMLElement>(`[data-move="${focused}"]`) ?? list.querySelector("button"))?.focus({ preventScroll: true });
  };
}

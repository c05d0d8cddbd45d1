// The path: the moves made and those that the plan goes on with, as letters, a slider and a chart, each of which leads to any
// position in it.

import { distanceLine } from "./charts.js";
import { $, drawn, el, plural } from "./dom.js";

const MOST = 400; // letters

// Sets up the path and returns the function that draws it.
export function pathView(game, truthShown) {
  const line = drawn($("line"), (width) => (game.known ? distanceLine(width, game.distances, game.track.length) : ""));
  $("path").addEventListener("click", ({ target }) => target.dataset.at && game.go(Number(target.dataset.at)));
  $("position").addEventListener("input", () => game.go(Number($("position").value)));
  const follow = ({ clientX }) => {
    const drawing = $("line").firstElementChild;
    game.go(drawing.moveAt(clientX - drawing.getBoundingClientRect().left));
  };
  $("line").addEventListener("pointerdown", (event) => {
    $("line").setPointerCapture(event.pointerId);
    follow(event);
  });
  $("line").addEventListener("pointermove", (event) => $("line").hasPointerCapture(event.pointerId) && follow(event));
  let shown = "";
  return () => {
    const { at, track } = game;
    const truth = truthShown();
    const path = truth ? track : game.moves;
    $("line").closest("figure").hidden = !truth || !game.known || game.distances[0] === null;
    $("way").hidden = path === "";
    Object.assign($("position"), { max: path.length, value: at });
    $("position-out").textContent = `${at} of ${path.length}`;
    const { distances } = game;
    const isLost = (i) => (truth || game.solved) && i < at && distances[i] !== null && distances[i + 1] > distances[i];
    const lost = [...path].map((_, i) => isLost(i));
    const key = `${path} ${at} ${lost}`;
    if (shown !== key) $("path").replaceChildren(...[...path.slice(0, MOST)].map((letter, i) => {
      const place = i + 1 === at ? "now" : i < at ? "made" : "ahead";
      return el("span", { "data-at": lost[i] ? i : i + 1, class: lost[i] ? `${place} lost` : place, title: lost[i] ? "lost ground: go on from the board before" : null }, letter);
    }));
    shown = key;
    const losses = lost.filter(Boolean).length;
    $("review").textContent = losses === 0 ? "" : `${plural(losses, "move")} lost ground, marked in the path: choose one to go on from the board before it.`;
    line();
  };
}

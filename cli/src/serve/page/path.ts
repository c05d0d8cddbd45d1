// The path: a strip with a cell for each board of it in the colour of its distance, and its moves as letters. Both lead to any
// position in it.

import { replay } from "./board.js";
import { $, el, plural, within } from "./dom.js";
import type { Game } from "./game.js";
import { partOf } from "./scale.js";

const MOST = 400; // letters and cells

// Sets up the path and returns the function that draws it.
export function pathView(game: Game, truthShown: () => boolean) {
  const strip = $("line");
  $("path").addEventListener("click", (event) => {
    const at = within(event, "[data-at]")?.dataset.at;
    if (at) game.go(Number(at));
  });
  const follow = ({ clientX }: PointerEvent) => {
    const { left, width } = strip.getBoundingClientRect();
    game.go(Math.floor(((clientX - left) / width) * strip.childElementCount));
  };
  strip.addEventListener("pointerdown", (event) => {
    strip.setPointerCapture(event.pointerId);
    follow(event);
  });
  strip.addEventListener("pointermove", (event) => strip.hasPointerCapture(event.pointerId) && follow(event));
  strip.addEventListener("keydown", (event) => {
    const { at, track } = game;
    const places: Record<string, number> = { ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1, Home: 0, End: track.length };
    const to = places[event.key];
    if (to === undefined) return;
    event.preventDefault();
    game.go(to);
  });
  let shown = "";
  return () => {
    const { at, track } = game;
    const truth = truthShown();
    const path = (truth ? track : game.moves).slice(0, MOST);
    $("way").hidden = path === "";
    const boards = replay(game.start, path);
    const can = game.solvable && game.oracle;
    const distances = boards.map((board, i) => (can && i <= game.moves.length ? game.oracle!.known(board) : null));
    const rest = game.moves.length; // from there on the plan leads closer by each move
    for (let i = rest + 1; i < boards.length; i++) distances[i] = distances[i - 1] === null ? null : distances[i - 1]! - 1;
    const isLost = (i: number) => (truth || game.solved) && i < at && distances[i] !== null && distances[i + 1]! > distances[i]!;
    const lost = [...path].map((_, i) => isLost(i));
    drawStrip(strip, truth ? distances : distances.map(() => null), at, lost, game.oracle?.longest ?? 31);
    Object.entries({ max: path.length, now: at, text: inWords(at, path.length, truth ? distances[at] : null) })
      .forEach(([name, value]) => strip.setAttribute(`aria-value${name}`, String(value)));
    const key = `${path} ${at} ${lost}`;
    if (shown !== key) $("path").replaceChildren(...[...path].map((letter, i) => {
      const place = i + 1 === at ? "now" : i < at ? "made" : "ahead";
      return el("span", { "data-at": lost[i] ? i : i + 1, class: lost[i] ? `${place} lost` : place, title: lost[i] ? "lost ground: go on from the board before" : null }, letter);
    }));
    shown = key;
    const losses = lost.filter(Boolean).length;
    $("review").textContent = losses === 0 ? "" : `${plural(losses, "move")} lost ground, marked in the path: choose one to go on from the board before it.`;
  };
}

function drawStrip(strip: HTMLElement, distances: (number | null)[], at: number, lost: boolean[], longest: number) {
  while (strip.childElementCount > distances.length) strip.lastChild!.remove();
  while (strip.childElementCount < distances.length) strip.append(el("i"));
  distances.forEach((distance, i) => {
    const cell = strip.children[i] as HTMLElement;
    cell.className = [distance === null && "unknown", i > at && "ahead", i === at && "at", lost[i - 1] && "lost"].filter(Boolean).join(" ");
    cell.style.setProperty("--part", String(partOf(distance ?? 0, longest)));
  });
}

const inWords = (at: number, length: number, distance: number | null) =>
  `${at} of ${plural(length, "move")}${distance === null ? "" : `, ${plural(distance, "move")} from the goal`}`;

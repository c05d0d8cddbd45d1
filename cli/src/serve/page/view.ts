// The board on the page: tiles that slide, and on each the distance after sliding it.

import { type Board, type Move, OPPOSITE, type Shape, WAYS, blankOf, moveOf, movesTo, tileOf, word } from "./board.js";
import { $, el, miniSvg, plural, say, within } from "./dom.js";
import type { Game } from "./game.js";
import type { Worth } from "./oracle.js";
import { partOf } from "./scale.js";

const LEAST = 24; // pixels of a swipe

export class BoardView {
  #game: Game;
  #act: (move: Move) => void;
  #shape: Shape | null = null;
  #tiles: { button: HTMLButtonElement; after: HTMLElement; words: HTMLElement }[] = []; // by tile; none for the blank
  #drawnGoal: Board | null = null;

  // `act` is called with the move of a tile that is clicked or swiped.
  constructor(game: Game, act: (move: Move) => void) {
    this.#game = game;
    this.#act = act;
    this.#swipes($("board"), act);
  }

  // Makes the tiles of a shape.
  #make(shape: Shape) {
    const { style, dataset } = $("board");
    style.setProperty("--rows", String(shape.rows));
    style.setProperty("--cols", String(shape.cols));
    dataset.shape = shape.name;
    this.#shape = shape;
    this.#tiles = [];
    for (let tile = 1; tile < shape.cells; tile++) {
      const after = el("span", { class: "after", "aria-hidden": "true" });
      const words = el("span", { class: "words unseen" });
      const button = el("button", { type: "button", class: "tile", "data-tile": tile },
        el("span", { class: "unseen" }, "Tile "), el("span", { class: "number" }, tile), words, after);
      button.addEventListener("click", () => {
        const { board } = this.#game;
        const moves = movesTo(board, board.indexOf(tile));
        if (moves.length === 0) this.#stuck(tile);
        moves.forEach((move) => this.#act(move));
      });
      // A click leaves the focus where it was, so that the keys go on working.
      button.addEventListener("mousedown", (event) => event.preventDefault());
      this.#tiles[tile] = { button, after, words };
    }
    $("board").replaceChildren(...this.#tiles.flatMap(({ button }) => button), $("another"));
  }

  // Says that a tile cannot slide, until the next change of the board.
  #stuck(tile: number) {
    const words = `Tile ${tile} cannot slide: the blank is in another row and column.`;
    $("outcome").textContent = this.#game.said = words;
    say(words);
    const { classList } = this.#tiles[tile].button;
    classList.add("stuck");
    setTimeout(() => classList.remove("stuck"), 800);
  }

  // A swipe on the board slides the tile that can move in its direction. It follows the finger.
  #swipes(board: HTMLElement, act: (move: Move) => void) {
    let from: PointerEvent | null = null;
    let held: HTMLButtonElement | null = null; // the tile that follows the finger
    const putDown = () => {
      held?.classList.remove("held");
      ["--dx", "--dy"].forEach((name) => held?.style.removeProperty(name));
      held = null;
    };
    const drop = () => (putDown(), from = null);
    // How far the finger has come, and which way.
    const swipe = ({ clientX, clientY }: PointerEvent, from: PointerEvent) => {
      const [x, y] = [clientX - from.clientX, clientY - from.clientY];
      const aside = Math.abs(x) > Math.abs(y);
      const way: Move = aside ? (x > 0 ? "R" : "L") : y > 0 ? "D" : "U";
      return { x: aside ? x : 0, y: aside ? 0 : y, way, far: Math.hypot(x, y) };
    };
    board.addEventListener("pointerdown", (event) => (drop(), from = event.isPrimary ? event : null));
    board.addEventListener("pointercancel", drop);
    addEventListener("pointermove", (event) => {
      if (!from || event.pointerId !== from.pointerId) return;
      const { x, y, way } = swipe(event, from);
      const tile = tileOf(this.#game.board, OPPOSITE[way]);
      putDown();
      if (tile === undefined) return;
      held = this.#tiles[tile].button;
      const most = held.offsetWidth;
      const limited = (far: number) => `${Math.max(-most, Math.min(most, far))}px`;
      held.classList.add("held");
      held.style.setProperty("--dx", limited(x));
      held.style.setProperty("--dy", limited(y));
    });
    addEventListener("pointerup", (event) => {
      if (!from || event.pointerId !== from.pointerId) return;
      const { way, far } = swipe(event, from);
      const pressed = within(from, ".tile");
      drop();
      if (far < LEAST) return;
      const ignore = (click: Event) => click.stopPropagation(); // a swipe is not a click
      pressed?.addEventListener("click", ignore, { capture: true, once: true });
      setTimeout(() => pressed?.removeEventListener("click", ignore, { capture: true }), 50);
      act(OPPOSITE[way]);
    });
  }

  render(truthShown: boolean) {
    const { board, goal, hinted } = this.#game;
    const { shape } = board;
    if (this.#shape !== shape) this.#make(shape);
    const { distance: now, moves: then }: Partial<Worth> = (truthShown && this.#game.probe) || {};
    board.forEach((tile, cell) => {
      if (tile === 0) return;
      const { button, after, words } = this.#tiles[tile];
      const move = moveOf(board, cell);
      button.style.setProperty("--x", String(shape.col(cell)));
      button.style.setProperty("--y", String(shape.row(cell)));
      button.classList.toggle("home", goal[cell] === tile);
      button.classList.toggle("hinted", move !== null && move === hinted);
      button.tabIndex = move ? 0 : -1;
      button.setAttribute("aria-disabled", String(!move));
      let label = ` in ${shape.place(cell)}`;
      if (move) label += `, slides ${WAYS[OPPOSITE[move]]}`;
      const next = then?.find((other) => other.move === move)?.distance;
      after.className = "after";
      after.textContent = "";
      if (next !== undefined) {
        const closer = next < now!;
        after.classList.add(closer ? "closer" : "farther");
        after.textContent = `${closer ? "▼" : "▲"} ${next}`;
        after.style.setProperty("--part", String(partOf(next, this.#game.oracle!.longest)));
        label += `: then ${plural(next, "move")} from the goal, ${closer ? "closer" : "farther"}`;
      }
      words.textContent = label;
    });
    $("board").classList.toggle("solved", this.#game.solved);
    $("another").hidden = !this.#game.solved;
    $("another").style.setProperty("--x", String(shape.col(blankOf(board))));
    $("another").style.setProperty("--y", String(shape.row(blankOf(board))));
    if (this.#drawnGoal !== goal) $("goal").replaceChildren(miniSvg(goal, 66, `The goal: ${word(goal)}`));
    this.#drawnGoal = goal;
    $("board-words").textContent = this.#game.inWords();
    $("legend").classList.toggle("hidden-truth", now === undefined);
  }

  // Puts a picture on the tiles, given the URL of a square image; null removes it.
  picture(address: string | null, goal: Board) {
    $("board").classList.toggle("pictured", address !== null);
    const { shape } = goal;
    this.#tiles.forEach(({ button: { style } }, tile) => {
      const home = goal.indexOf(tile);
      const side = Math.max(shape.cols, shape.rows);
      const [x, y] = [shape.col(home) + (side - shape.cols) / 2, shape.row(home) + (side - shape.rows) / 2];
      style.backgroundImage = address ? `url("${address}")` : "";
      style.backgroundPosition = `${(100 * x) / (side - 1)}% ${(100 * y) / (side - 1)}%`;
    });
  }
}

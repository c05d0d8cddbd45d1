// The board on the page: tiles that slide, and on each the distance after sliding it.

import { CELLS, SIDE, WAYS, OPPOSITE, moveOf, movesTo, slide } from "./board.js";
import { $, el, miniSvg, plural, say } from "./dom.js";

const place = (cell) => `row ${Math.floor(cell / SIDE) + 1}, column ${(cell % SIDE) + 1}`;

export class BoardView {
  #game;
  #tiles = [];
  #drawnGoal = null;

  // `act` is called with the move of a tile that is clicked or swiped.
  constructor(game, act) {
    this.#game = game;
    const board = $("board");
    for (let tile = 1; tile < CELLS; tile++) {
      const after = el("span", { class: "after", "aria-hidden": "true" });
      const words = el("span", { class: "words unseen" });
      const button = el("button", { type: "button", class: "tile", "data-tile": tile },
        el("span", { class: "unseen" }, "Tile "), el("span", { class: "number" }, tile), words, after);
      button.addEventListener("click", () => {
        const moves = movesTo(game.board, game.board.indexOf(tile));
        if (moves.length === 0) say(`Tile ${tile} cannot slide: the blank is in another row and column.`);
        moves.forEach((move) => act(move));
      });
      // A click leaves the focus where it was, so that the keys go on working.
      button.addEventListener("mousedown", (event) => event.preventDefault());
      this.#tiles[tile] = { button, after, words };
      board.append(button);
    }
    this.#swipes(board, act);
  }

  // A swipe on the board slides the tile that can move in its direction.
  #swipes(board, act) {
    let from = null;
    board.addEventListener("pointerdown", (event) => (from = event.isPrimary ? event : null));
    board.addEventListener("pointercancel", () => (from = null));
    addEventListener("pointerup", (event) => {
      if (!from || event.pointerId !== from.pointerId) return;
      const [x, y] = [event.clientX - from.clientX, event.clientY - from.clientY];
      const pressed = from.target.closest?.(".tile");
      from = null;
      if (Math.hypot(x, y) < 24) return;
      const way = Math.abs(x) > Math.abs(y) ? (x > 0 ? "R" : "L") : y > 0 ? "D" : "U";
      const drop = (click) => click.stopPropagation(); // a swipe is not a click
      pressed?.addEventListener("click", drop, { capture: true, once: true });
      setTimeout(() => pressed?.removeEventListener("click", drop, { capture: true }), 50);
      act(OPPOSITE[way]);
    });
  }

  render(truthShown) {
    const { board, known, goal, hinted } = this.#game;
    const now = known ? this.#game.distance : null;
    board.forEach((tile, cell) => {
      if (tile === 0) return;
      const { button, after, words } = this.#tiles[tile];
      const move = moveOf(board, cell);
      button.style.setProperty("--x", cell % SIDE);
      button.style.setProperty("--y", Math.floor(cell / SIDE));
      button.classList.toggle("home", goal[cell] === tile);
      button.classList.toggle("hinted", move !== null && move === hinted);
      button.tabIndex = move ? 0 : -1;
      button.setAttribute("aria-disabled", String(!move));
      let label = ` in ${place(cell)}`;
      if (move) label += `, slides ${WAYS[OPPOSITE[move]]}`;
      const then = move && now !== null && truthShown ? this.#game.oracle.distance(slide(board, move)) : null;
      after.className = "after";
      after.textContent = "";
      if (then !== null) {
        const closer = then < now;
        after.classList.add(closer ? "closer" : "farther");
        after.textContent = `${closer ? "▼" : "▲"} ${then}`;
        label += `: then ${plural(then, "move")} from the goal, ${closer ? "closer" : "farther"}`;
      }
      words.textContent = label;
    });
    $("board").classList.toggle("solved", this.#game.solved);
    if (this.#drawnGoal !== goal) $("goal").replaceChildren(miniSvg(goal, 66, `The goal: ${goal.join("")}`));
    this.#drawnGoal = goal;
    $("board-words").textContent = this.#game.inWords();
    $("legend").classList.toggle("hidden-truth", !truthShown);
  }

  // Puts a picture on the tiles, given the URL of a square image; null removes it.
  picture(address, goal) {
    $("board").classList.toggle("pictured", address !== null);
    for (let tile = 1; tile < CELLS; tile++) {
      const { style } = this.#tiles[tile].button;
      const home = goal.indexOf(tile);
      style.backgroundImage = address ? `url("${address}")` : "";
      style.backgroundPosition = `${(home % SIDE) * 50}% ${Math.floor(home / SIDE) * 50}%`;
    }
  }
}

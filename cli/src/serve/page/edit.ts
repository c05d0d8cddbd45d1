// The panel to edit start and goal, by dragging, clicking or typing, which also shows why a board can or cannot be solved.

import { type Board, SHAPES, type Shape, USUAL_GOALS, exchanged, inversions, mended, parse, randomBoard, rowsAway, solvable, word } from "./board.js";
import { parityArcs } from "./charts.js";
import { $, drawn, el, messageOf, plural, say } from "./dom.js";
import type { Game } from "./game.js";

const DRAG = 6; // pixels; less is a click

// A board whose tiles can be exchanged. `changed` is called with the new board.
class EditBoard {
  #board: Board | null = null;
  #box: HTMLElement;
  #cells: HTMLButtonElement[] = [];
  #chosen: number | null = null;
  #changed: (board: Board) => void;

  constructor(box: HTMLElement, changed: (board: Board) => void) {
    this.#box = box;
    this.#changed = changed;
  }

  #make({ cells, cols }: Shape) {
    this.#box.replaceChildren();
    this.#box.style.setProperty("--cols", String(cols));
    [this.#cells, this.#chosen] = [[], null];
    for (let cell = 0; cell < cells; cell++) {
      const button = el("button", { type: "button", class: "edit-cell", "aria-pressed": "false" });
      button.addEventListener("click", () => this.#choose(cell));
      button.addEventListener("keydown", (event) => this.#walk(event, cell));
      this.#drags(button, cell);
      this.#cells.push(button);
      this.#box.append(button);
    }
  }

  show(board: Board) {
    if (this.#board?.shape !== board.shape) this.#make(board.shape);
    this.#board = board;
    board.forEach((tile, cell) => {
      const button = this.#cells[cell];
      button.textContent = tile ? String(tile) : "";
      button.classList.toggle("blank", tile === 0);
      button.setAttribute("aria-label", `${tile ? `Tile ${tile}` : "Blank"}, ${board.shape.place(cell)}`);
    });
  }

  #exchange(a: number, b: number) {
    this.#chosen = null;
    this.#cells.forEach((button) => button.setAttribute("aria-pressed", "false"));
    if (a === b) return;
    this.#changed(exchanged(this.#board!, a, b));
  }

  #choose(cell: number) {
    if (this.#chosen !== null) return this.#exchange(this.#chosen, cell);
    this.#chosen = cell;
    this.#cells[cell].setAttribute("aria-pressed", "true");
    say("Chosen. Choose another to exchange the two.");
  }

  #walk(event: KeyboardEvent, cell: number) {
    const { cols } = this.#board!.shape;
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -cols, ArrowDown: cols };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    this.#cells[cell + step]?.focus();
  }

  #drags(button: HTMLButtonElement, cell: number) {
    let from: PointerEvent | null = null;
    let moved = false;
    const end = () => {
      from = null;
      button.classList.remove("dragged");
      button.style.transform = "";
    };
    button.addEventListener("pointerdown", (event) => {
      [from, moved] = [event, false];
      button.setPointerCapture(event.pointerId);
    });
    button.addEventListener("pointermove", (event) => {
      if (!from) return;
      const [x, y] = [event.clientX - from.clientX, event.clientY - from.clientY];
      moved ||= Math.hypot(x, y) > DRAG;
      if (!moved) return;
      button.classList.add("dragged");
      button.style.transform = `translate(${x}px, ${y}px)`;
    });
    button.addEventListener("pointerup", (event) => {
      if (!from) return;
      const target = moved ? document.elementsFromPoint(event.clientX, event.clientY) : [];
      const other = this.#cells.findIndex((other) => other !== button && target.includes(other));
      end();
      if (other >= 0) this.#exchange(cell, other);
    });
    button.addEventListener("pointercancel", end);
    button.addEventListener("click", (event) => {
      if (moved) event.stopImmediatePropagation(); // a drag is not a click
      moved = false;
    }, { capture: true });
  }
}

const EDITED = ["start", "goal"] as const;

// Sets up the panel and returns the function that draws it.
export function editPanel(game: Game) {
  const setters = { start: (start: Board) => game.set({ start }), goal: (goal: Board) => game.set({ goal }) };
  // A whole board of another shape, pasted or typed, brings its shape.
  const ofOtherShape = {
    start: (start: Board) => ({ start, goal: USUAL_GOALS.last(start.shape) }),
    goal: (goal: Board) => ({ start: randomBoard(goal), goal }),
  };
  const boards = { start: new EditBoard($("edit-start"), setters.start), goal: new EditBoard($("edit-goal"), setters.goal) };
  for (const which of EDITED) {
    const field = $(`type-${which}`);
    const take = (mayFail: boolean) => {
      try {
        const board = parse(field.value, game.shape, mayFail ? [] : Object.values(SHAPES));
        $("edit-error").textContent = "";
        if (board.shape !== game.shape) game.set(ofOtherShape[which](board));
        else if (word(board) !== word(game[which])) setters[which](board);
      } catch (error) {
        if (!mayFail) $("edit-error").textContent = `${which === "start" ? "Start" : "Goal"}: ${messageOf(error)}.`;
      }
    };
    field.addEventListener("input", (event) => take((event as InputEvent).inputType !== "insertFromPaste"));
    field.addEventListener("change", () => take(false));
  }
  for (const button of document.querySelectorAll<HTMLElement>("[data-goal]")) {
    button.addEventListener("click", () => setters.goal(USUAL_GOALS[button.dataset.goal!](game.shape)));
  }
  $("turn-round").addEventListener("click", () => game.set({ start: game.goal, goal: game.start }));
  $("mend").addEventListener("click", () => game.set({ start: mended(game.start) }));
  const order = () => game.start.filter((tile) => tile !== 0);
  const arcs = drawn($("parity"), (width) => parityArcs(width, order(), inversions(game.start, game.goal)));
  return () => {
    for (const which of EDITED) {
      boards[which].show(game[which]);
      const field = $(`type-${which}`);
      if (document.activeElement !== field) field.value = word(game[which]);
    }
    $("parity-words").textContent = why(game.start, game.goal);
    $("parity-rule").textContent = rule(game.shape.cols);
    $("mend").hidden = game.solvable;
    const [a, b] = order().slice(-2);
    $("mend").textContent = `Exchange ${a} and ${b} in the start`;
    arcs();
  };
}

// Why the parity of what is counted never changes, for boards with so many columns.
const rule = (cols: number) => "Each arc joins two tiles that stand the other way round than in the goal. A slide to the side keeps the order. " + (cols % 2
  ? `A slide up or down takes one tile past ${cols - 1} others, so it changes the number of arcs by an even number: even stays even, odd stays odd, and the goal has none.`
  : `A slide up or down takes one tile past ${plural(cols - 1, "other")}, so it changes the number of arcs by an odd number, and the blank's row by one: ` +
    "the arcs and the rows from the blank to its goal are together even or odd for ever, and the goal has none.");

export function why(start: Board, goal: Board) {
  const [arcs, rows] = [inversions(start, goal).length, rowsAway(start, goal)];
  const away = start.shape.cols % 2 ? "" : ` and the blank ${plural(rows, "row")} from its goal`;
  const sum = away ? " together" : "";
  if ((arcs + rows) % 2 === 0) return `Yes: ${plural(arcs, "arc")}${away},${sum} an even number, as the goal has.`;
  const other = Object.values(USUAL_GOALS).map((make) => make(start.shape)).find((other) => solvable(start, other));
  const advice = `Exchange any two tiles${other ? `, or make ${word(other)} the goal` : ""}, and it can.`;
  return `No: ${plural(arcs, "arc")}${away},${sum} an odd number, and no move can make it even. ${advice}`;
}

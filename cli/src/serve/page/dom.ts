// Makes elements of HTML and SVG. Text never becomes markup.

import type { Board } from "./board.js";

// The elements that are not plain ones, by id.
interface Fields {
  answer: HTMLTextAreaElement;
  arrows: HTMLSelectElement;
  back: HTMLButtonElement;
  hint: HTMLButtonElement;
  "keys-on": HTMLInputElement;
  log: HTMLInputElement;
  notation: HTMLSelectElement;
  picture: HTMLInputElement;
  race: HTMLButtonElement;
  run: HTMLButtonElement;
  shape: HTMLSelectElement;
  "shuffle-by": HTMLSelectElement;
  "shuffle-to": HTMLInputElement;
  solve: HTMLButtonElement;
  speed: HTMLInputElement;
  step: HTMLButtonElement;
  "truth-shown": HTMLInputElement;
  two: HTMLInputElement;
  "type-goal": HTMLInputElement;
  "type-start": HTMLInputElement;
  "watch-at": HTMLInputElement;
}

type ById<Id> = Id extends keyof Fields ? Fields[Id] : HTMLElement;

// The message of what was thrown.
export const messageOf = (error: unknown) => (error as Error).message;

// The element of this kind in which an event was.
export const within = (event: Event, kind: string) => (event.target instanceof Element ? event.target.closest<HTMLElement>(kind) : null);

export const $ = <Id extends string>(id: Id) => document.getElementById(id) as ById<Id>;

type Value = string | number | boolean | null | undefined;
type Attributes = Record<string, Value | (() => unknown)>;
type Child = Node | string | number | null | undefined;

const SVG = "http://www.w3.org/2000/svg";

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined).map((child) => (child instanceof Node ? child : String(child))));
  return element;
}

export const el = <Tag extends keyof HTMLElementTagNameMap>(tag: Tag, attributes: Attributes = {}, ...children: Child[]) => fill(document.createElement(tag), attributes, children);
export const svg = <Tag extends keyof SVGElementTagNameMap>(tag: Tag, attributes: Attributes, ...children: Child[]) => fill(document.createElementNS(SVG, tag), attributes, children);

export const grouped = (number: number) => Math.round(number).toLocaleString("en-US");
// A number that may be too large for its digits to be right.
export function about(number: number) {
  if (number < 1e15) return grouped(number);
  const [digits, power] = number.toExponential(1).split("e+");
  return `about ${digits} × 10^${power}`;
}

export const plural = (count: number, one: string, many = `${one}s`) => `${grouped(count)} ${count === 1 ? one : many}`;

// A message of the server as a sentence.
export const sentence = (text: string) => `${text[0].toUpperCase()}${text.slice(1)}.`;

// Announces a text to screen readers.
export function say(text: string) {
  $("live").textContent = text;
}

// Calls `draw` with the width of a box in pixels, so that text keeps its size, and puts the result into the
// box; again whenever the width changes. Returns the function that redraws.
export function drawn(box: HTMLElement, draw: (width: number) => Node | string) {
  const redraw = () => {
    const width = box.clientWidth;
    if (width > 0) box.replaceChildren(draw(width));
  };
  let before = 0;
  new ResizeObserver(() => {
    if (box.clientWidth !== before) redraw();
    before = box.clientWidth;
  }).observe(box);
  return redraw;
}

// A small picture of a board, as wide or high as `size`, whichever is more.
export function miniBoard(board: Board, size: number, classes = "") {
  const { shape } = board;
  const side = size / Math.max(shape.rows, shape.cols);
  const cells = board.flatMap((tile, cell) => {
    const [x, y] = [shape.col(cell) * side, shape.row(cell) * side];
    if (tile === 0) return [];
    return [
      svg("rect", { x: x + 0.5, y: y + 0.5, width: side - 1, height: side - 1, rx: side / 6, class: "mini-tile" }),
      svg("text", { x: x + side / 2, y: y + side * 0.72, "text-anchor": "middle", "font-size": side * (tile > 9 ? 0.56 : 0.66) }, tile),
    ];
  });
  return svg("g", { class: `mini ${classes}` },
    svg("rect", { x: -2, y: -2, width: side * shape.cols + 4, height: side * shape.rows + 4, rx: 4, class: "mini-frame" }), ...cells);
}

export function miniSvg(board: Board, size: number, label?: string) {
  const named: Attributes = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  const { rows, cols } = board.shape;
  const [width, height] = [cols, rows].map((n) => 6 + (size * n) / Math.max(rows, cols));
  return svg("svg", { width, height, viewBox: `-3 -3 ${width} ${height}`, ...named }, miniBoard(board, size));
}

// Makes elements of HTML and SVG. Text never becomes markup.

export const $ = (id) => document.getElementById(id);

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

export const grouped = (number) => Math.round(number).toLocaleString("en-US");
// A number that may be too large for its digits to be right.
export function about(number) {
  if (number < 1e15) return grouped(number);
  const [digits, power] = number.toExponential(1).split("e+");
  return `about ${digits} × 10^${power}`;
}

export const plural = (count, one, many = `${one}s`) => `${grouped(count)} ${count === 1 ? one : many}`;

// A message of the server as a sentence.
export const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

// Announces a text to screen readers.
export function say(text) {
  $("live").textContent = text;
}

// Calls `draw` with the width of a box in pixels, so that text keeps its size, and puts the result into the
// box; again whenever the width changes. Returns the function that redraws.
export function drawn(box, draw) {
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
export function miniBoard(board, size, classes = "") {
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

export function miniSvg(board, size, label) {
  const named = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  const { rows, cols } = board.shape;
  const [width, height] = [cols, rows].map((n) => 6 + (size * n) / Math.max(rows, cols));
  return svg("svg", { width, height, viewBox: `-3 -3 ${width} ${height}`, ...named }, miniBoard(board, size));
}

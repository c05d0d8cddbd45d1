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
export const plural = (count, one, many = `${one}s`) => `${grouped(count)} ${count === 1 ? one : many}`;

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

// A small picture of a board.
export function miniBoard(board, size, classes = "") {
  const side = size / 3;
  const cells = board.flatMap((tile, cell) => {
    const [x, y] = [(cell % 3) * side, Math.floor(cell / 3) * side];
    if (tile === 0) return [];
    return [
      svg("rect", { x: x + 0.5, y: y + 0.5, width: side - 1, height: side - 1, rx: side / 6, class: "mini-tile" }),
      svg("text", { x: x + side / 2, y: y + side * 0.72, "text-anchor": "middle", "font-size": side * 0.66 }, tile),
    ];
  });
  return svg("g", { class: `mini ${classes}` },
    svg("rect", { x: -2, y: -2, width: size + 4, height: size + 4, rx: 4, class: "mini-frame" }), ...cells);
}

export function miniSvg(board, size, label) {
  const named = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  return svg("svg", { width: size + 6, height: size + 6, viewBox: `-3 -3 ${size + 6} ${size + 6}`, ...named }, miniBoard(board, size));
}

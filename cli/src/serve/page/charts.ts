// Charts in SVG: histogram of distances, arcs of inversions, growth of a search.

import { grouped, plural, svg } from "./dom.js";
import { partOf } from "./scale.js";

type Point = [number, number];

// Where a chart is, in pixels.
type Room = { left: number; right: number; bottom: number };

type Axis = (value: number) => number;

const polyline = (points: Point[], attributes: Record<string, string>) =>
  svg("polyline", { points: points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" "), ...attributes });

// A round step between marks, so that there are at most `count` of them up to `most`.
function tick(most: number, count: number) {
  const steps = Array.from({ length: 11 }, (_, e) => [1, 2, 5].map((n) => n * 10 ** e)).flat();
  return steps.find((step) => most / step <= count) ?? most;
}

// The marks of an axis from 0 to `most`: in equal steps, or the powers of ten.
function marks(most: number, log: boolean) {
  const step = tick(most, 4);
  return log ? Array.from({ length: Math.floor(Math.log10(most)) + 1 }, (_, i) => 10 ** i)
    : Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
}

// Axes with marks: values 0..most upwards, 0..last to the right.
function axes({ left, right, bottom }: Room, most: number, last: number, x: Axis, y: Axis, words: string, log = false) {
  const parts = [];
  for (const value of marks(most, log)) {
    parts.push(svg("line", { x1: left, x2: right, y1: y(value), y2: y(value), class: "grid" }));
    parts.push(svg("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, grouped(value)));
  }
  for (let value = 0; value <= last; value += tick(last, (right - left) / 45)) {
    const anchor = x(value) > right - 20 ? "end" : "middle";
    parts.push(svg("text", { x: Math.min(x(value) + (anchor === "end" ? 10 : 0), right + 8), y: bottom + 16, "text-anchor": anchor }, grouped(value)));
  }
  parts.push(svg("text", { x: right, y: bottom + 30, "text-anchor": "end", class: "axis" }, words));
  return parts;
}

// Boards at each distance, with a mark at the current board's; `log` has powers of ten on the axis. Each bar is a button,
// which calls `choose` with its distance.
export function histogram(width: number, levels: number[], distance: number | null, log: boolean, choose: (distance: number) => void) {
  const most = Math.max(...levels);
  const [height, left, top, bottom] = [230, most < 1e6 ? 54 : 84, 26, 190];
  const slot = (width - left - 8) / levels.length;
  const x = (at: number) => left + (at + 0.5) * slot;
  const part = (count: number) => (log ? Math.log1p(count) / Math.log1p(most) : count / most);
  const y = (count: number) => bottom - (bottom - top) * part(count);
  const bars = levels.map((count, at) =>
    svg("g", { class: at === distance ? "bar here" : "bar", onclick: () => choose(at), "data-distance": at, role: "button",
      tabindex: at === (distance ?? 0) ? 0 : -1, "aria-label": `Distance ${at}: ${plural(count, "board")}` },
      svg("rect", { x: x(at) - slot / 2, y: top, width: slot, height: bottom - top, class: "bar-hit" }),
      svg("rect", { x: x(at) - slot * 0.42, y: Math.min(y(count), bottom - 1.5), width: slot * 0.84, height: Math.max(bottom - y(count), 1.5), rx: 1.5 }),
      svg("title", {}, `distance ${at}: ${plural(count, "board")}`)));
  bars.forEach((bar, at) => bar.style.setProperty("--part", String(partOf(at, levels.length - 1))));
  const mark = distance === null ? [] : [
    svg("path", { d: `M${x(distance)} ${y(levels[distance]) - 4}l-6 -9h12z`, class: "here-mark" }),
    svg("text", { x: Math.min(Math.max(x(distance), left + 40), width - 40), y: y(levels[distance]) - 16, "text-anchor": "middle", class: "here-word" }, "this board"),
  ];
  const words = `Boards at each distance: ${levels.map((n, d) => `${d}: ${n}`).join(", ")}.`;
  return svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": words },
    ...axes({ left, right: width - 8, bottom }, most, levels.length - 1, x, y, "distance, in moves", log), ...bars, ...mark);
}

// The tiles in reading order, with an arc over each inversion.
export function parityArcs(width: number, order: number[], pairs: Point[]) {
  const count = order.length;
  const gap = Math.min(Math.max(width / (count + 0.4), 26), 64);
  const [size, base] = [gap * 0.66, gap * count * 0.46];
  const full = gap * (count + 0.2);
  const x = (i: number) => gap * (i + 0.6);
  const arcs = pairs.map(([i, j], nth) => {
    const rise = ((j - i) / (count - 1)) * (base - size / 2 - 8) * 1.25;
    return svg("path", { d: `M${x(i)} ${base - size / 2}C${x(i)} ${base - size / 2 - rise} ${x(j)} ${base - size / 2 - rise} ${x(j)} ${base - size / 2}`, class: `arc arc${nth % 2}` });
  });
  const tiles = order.flatMap((tile, i) => [
    svg("rect", { x: x(i) - size / 2, y: base - size / 2, width: size, height: size, rx: 5, class: "mini-tile" }),
    svg("text", { x: x(i), y: base + size * 0.22, "text-anchor": "middle", "font-size": size * 0.62 }, tile),
  ]);
  const height = base + size;
  const words = `Tiles in reading order: ${order.join(" ")}. ${pairs.length === 0 ? "No arcs." : `Arcs join ${pairs.map(([i, j]) => `${order[i]} and ${order[j]}`).join(", ")}.`}`;
  return svg("svg", { width: full, height, viewBox: `0 0 ${full} ${height}`, role: "img", "aria-label": words }, ...arcs, ...tiles);
}

// The sizes of queue and closed list over the expansions, on axes up to `last` expansions and `most` boards, with a line at
// the expansion that is shown.
export function growth(width: number, queue: number[], closed: number[], at: number, last: number, most: number) {
  const [height, left, top, bottom] = [120, 46, 8, 88];
  const x = (i: number) => left + ((width - left - 8) * i) / last;
  const y = (n: number) => bottom - ((bottom - top) * n) / most;
  const every = Math.ceil(queue.length / 400);
  const line = (list: number[]) => list.flatMap((n, i): Point[] => (i % every === 0 || i === list.length - 1 ? [[x(i), y(n)]] : []));
  const words = `After ${at + 1} expansions ${queue[at]} boards wait and ${closed[at]} are closed.`;
  return svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words },
    ...axes({ left, right: width - 8, bottom }, most, last, x, y, "expansions"),
    polyline(line(queue), { class: "queue-line" }), polyline(line(closed), { class: "closed-line" }),
    svg("line", { x1: x(at), x2: x(at), y1: top, y2: bottom, class: "now-line" }));
}

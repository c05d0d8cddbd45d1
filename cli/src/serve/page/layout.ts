// Places of the states in a picture: rings around the goal, or columns from left to right where there is little height.
// All measures are in pixels of the canvas.

import type { Picture } from "./states.js";

const WIDE = 1.7; // times as wide as high: columns
const GOLDEN = (Math.sqrt(5) - 1) / 2;

// Widths of the levels, each in proportion to its boards but at least `least`, whose sum by `reach` comes to `room`.
function widths(counts: number[], least: number, room: number, reach: (counts: number[], least: number, area: number) => number[]) {
  let [low, high] = [0, 1e6];
  for (let i = 0; i < 60; i++) {
    const area = (low + high) / 2;
    if (reach(counts, least, area).at(-1)! < room) low = area;
    else high = area;
  }
  return reach(counts, least, low);
}

// Outer radii of rings that give each board an area.
function radii(counts: number[], least: number, area: number) {
  let r = 0;
  return counts.map((count) => (r = Math.max(r + least, Math.sqrt(r * r + (area * count) / Math.PI))));
}

// Right ends of columns of a height of 1 that give each board an area.
function ends(counts: number[], least: number, area: number) {
  let x = 0;
  return counts.map((count) => (x += Math.max(least, area * count)));
}

// A place, in pixels.
type Place = [number, number];

// Where the levels are.
interface Form {
  outer: number[];
  at(level: number, depth: number, turn: number): Place;
  area(level: number): number;
  outline(level: number): Path2D;
  read(x: number, y: number): { level: number; turn: number };
  between(from: Place, to: Place, steps: number): Place[];
}

class Rings implements Form {
  outer: number[];
  centre: Place;

  constructor(width: number, height: number, counts: number[], margin: number) {
    const room = Math.min(width, height) / 2 - margin;
    this.centre = [width / 2, height / 2];
    this.outer = widths(counts, Math.min(room / 70, (0.7 * room) / counts.length), room, radii);
  }

  // The place at a depth within a level, from 0 to 1, and at a turn.
  at(level: number, depth: number, turn: number) {
    const [inner, outer] = [this.outer[level - 1] ?? 0, this.outer[level]];
    return this.polar(level === 0 ? 0 : inner + (outer - inner) * depth, turn);
  }

  polar(r: number, turn: number): Place {
    const angle = 2 * Math.PI * turn - Math.PI / 2;
    return [this.centre[0] + r * Math.cos(angle), this.centre[1] + r * Math.sin(angle)];
  }

  area(level: number) {
    const [inner, outer] = [this.outer[level - 1] ?? 0, this.outer[level]];
    return Math.PI * (outer * outer - inner * inner);
  }

  // The outline of a level.
  outline(level: number) {
    const outline = new Path2D();
    outline.arc(...this.centre, this.outer[level], 0, 2 * Math.PI);
    return outline;
  }

  // The level at a place, and its turn.
  read(x: number, y: number) {
    const [dx, dy] = [x - this.centre[0], y - this.centre[1]];
    const level = this.outer.findIndex((r) => Math.hypot(dx, dy) <= r);
    return { level, turn: (Math.atan2(dy, dx) / (2 * Math.PI) + 1.25) % 1 };
  }

  // Places between two places on the shorter way round.
  between([x1, y1]: Place, [x2, y2]: Place, steps: number) {
    const [cx, cy] = this.centre;
    const [r1, r2] = [Math.hypot(x1 - cx, y1 - cy), Math.hypot(x2 - cx, y2 - cy)];
    const [from, to] = [Math.atan2(y1 - cy, x1 - cx), Math.atan2(y2 - cy, x2 - cx)];
    const turn = ((to - from + 3 * Math.PI) % (2 * Math.PI)) - Math.PI;
    return Array.from({ length: steps }, (_, i): Place => {
      const part = (i + 1) / steps;
      const [r, angle] = [r1 + (r2 - r1) * part, (r1 < 1 ? to : r2 < 1 ? from : from + turn * part)];
      return [cx + r * Math.cos(angle), cy + r * Math.sin(angle)];
    });
  }
}

class Columns implements Form {
  outer: number[];
  height: number;
  heights: number[];

  constructor(width: number, height: number, counts: number[], public margin: number) {
    this.height = height - 2 * margin;
    const room = width - 2 * margin;
    this.outer = widths(counts, Math.min(room / 48, (0.7 * room) / counts.length), room, ends);
    const most = Math.max(...counts);
    this.heights = counts.map((count) => (count / most) ** 0.3 * this.height);
  }

  at(level: number, depth: number, turn: number): Place {
    const [inner, outer] = [this.outer[level - 1] ?? 0, this.outer[level]];
    return [this.margin + inner + (outer - inner) * depth, this.margin + this.height / 2 + (turn - 0.5) * this.heights[level]];
  }

  area(level: number) {
    return (this.outer[level] - (this.outer[level - 1] ?? 0)) * this.heights[level];
  }

  read(x: number, y: number) {
    const level = this.outer.findIndex((end) => x - this.margin <= end);
    return { level: x < this.margin ? -1 : level, turn: (y - this.margin - this.height / 2) / (this.heights[level] ?? 1) + 0.5 };
  }

  outline(level: number) {
    const outline = new Path2D();
    outline.rect(this.margin, this.margin, this.outer[level], this.height);
    return outline;
  }

  between(_: Place, to: Place) {
    return [to];
  }
}

export class Layout {
  counts: number[];
  form: Form;
  x: Float32Array;
  y: Float32Array;
  sizes: number[];

  constructor(public width: number, public height: number, public states: Picture, margin: number) {
    const counts = states.first.slice(0, -1).map((first, level) => states.first[level + 1] - first);
    const shape = width > WIDE * height ? Columns : Rings;
    this.counts = counts;
    this.form = new shape(width, height, counts, margin);
    this.x = new Float32Array(states.count);
    this.y = new Float32Array(states.count);
    this.sizes = counts.map((_, level) => this.#place(level));
  }

  // Places the states of a level evenly, by the golden ratio; returns the distance between neighbours.
  #place(level: number) {
    const { states, form, counts } = this;
    const gap = Math.sqrt(form.area(level) / counts[level]);
    for (let state = states.first[level]; state < states.first[level + 1]; state++) {
      const depth = ((state - states.first[level]) * GOLDEN + 0.5) % 1;
      [this.x[state], this.y[state]] = form.at(level, depth, states.turns[state]);
    }
    return gap;
  }

  placeOf(state: number): Place {
    return [this.x[state], this.y[state]];
  }

  // The state nearest to a place, or null where there is none.
  stateAt(x: number, y: number) {
    const { level, turn } = this.form.read(x, y);
    if (level < 0 || turn < -0.05 || turn > 1.05) return null;
    const [count, first] = [this.counts[level], this.states.first[level]];
    const middle = Math.floor(turn * count);
    let [best, least]: [number | null, number] = [null, Infinity];
    const reach = Math.min(60, count);
    for (let i = middle - reach; i <= middle + reach; i++) {
      const state = first + ((i % count) + count) % count;
      const far = Math.hypot(this.x[state] - x, this.y[state] - y);
      if (far < least) [best, least] = [state, far];
    }
    return best;
  }

  // Fills the levels, the outermost first.
  fillLevels(context: CanvasRenderingContext2D, colour: (level: number) => string) {
    for (let level = this.counts.length - 1; level >= 0; level--) {
      context.globalAlpha = 1;
      context.globalCompositeOperation = "destination-out";
      context.fill(this.form.outline(level));
      Object.assign(context, { globalCompositeOperation: "source-over", globalAlpha: level % 2 ? 0.5 : 0.62, fillStyle: colour(level) });
      context.fill(this.form.outline(level));
    }
  }

  // Places along a way of states.
  way(states: number[]) {
    const places = states.map((state) => this.placeOf(state));
    return places.flatMap((place, i) => (i === 0 ? [place] : this.form.between(places[i - 1], place, 20)));
  }
}

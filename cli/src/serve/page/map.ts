// The picture of all boards: three layers, each drawn only when what is on it changes. The ground has every board in the colour of
// its distance, the middle what searches have expanded, the top the path, the board and the pointer.

import { el } from "./dom.js";
import { Layout } from "./layout.js";
import { scale, scaleColours } from "./scale.js";
import type { Picture } from "./states.js";

const REVEAL = 900; // milliseconds in which the boards appear
const MOST_PIXELS = 1600; // a side of the canvas
const LONG = 60; // moves of a way that is drawn as a thin line
const MOST_RATIO = 2; // pixels of the canvas to one of the page

// A search: the states that it expanded, how many of them are shown, and the states of its way.
export interface MapLane {
  expanded: ArrayLike<number>;
  count: number;
  path: number[] | null;
}

// What is marked: the path, of which the first `at` moves are made, the region of the shortest solutions, and the state under the
// pointer.
interface Marks {
  path: number[];
  at: number;
  region: Iterable<number>;
  hovered: number | null;
}

const UNMARKED: Marks = { path: [], at: 0, region: [], hovered: null };

export class SpaceMap {
  #box: HTMLElement;
  #ground = el("canvas", { "aria-hidden": "true" });
  #middle = el("canvas", { "aria-hidden": "true" });
  #top = el("canvas", { "aria-hidden": "true" });
  #states: Picture | null = null;
  #layout: Layout | null = null;
  #ratio = 1;
  #lanes: (MapLane & { drawn: number; ended: boolean })[] = [];
  #marks = { ...UNMARKED };
  #colours = new Map<string, string>();
  #visible = false;
  #isStale = false; // something changed out of sight
  #waiting: (() => void)[] = []; // what is to be done when the picture is seen

  constructor(box: HTMLElement, public still: () => boolean) {
    this.#box = box;
    box.prepend(this.#ground, this.#middle, this.#top);
    new IntersectionObserver(([{ isIntersecting }]) => {
      this.#visible = isIntersecting;
      if (isIntersecting && this.#isStale) this.#resize();
      if (isIntersecting) this.#waiting.splice(0).forEach((done) => done());
    }).observe(box);
    new ResizeObserver(() => this.#resize()).observe(box);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#resize());
  }

  // Resolves in the next frame in which the picture is seen.
  frame() {
    return new Promise<number>((done) => requestAnimationFrame((now) => (this.#visible && !document.hidden ? done(now)
      : this.#waiting.push(() => requestAnimationFrame(done)))));
  }

  get isReady() {
    return this.#layout !== null;
  }

  // Shows these states; null clears the picture.
  async show(states: Picture | null) {
    this.#states = states;
    this.#lanes = [];
    this.#marks = { ...UNMARKED };
    this.#resize(!this.still());
    if (states && this.#layout && !this.still()) await this.#reveal(states);
  }

  #resize(hidden = false) {
    const { clientWidth: width, clientHeight: height } = this.#box;
    this.#isStale = false;
    this.#layout = null;
    this.#colours.clear();
    if (width === 0 || height === 0) return;
    this.#ratio = Math.min(devicePixelRatio, MOST_RATIO, MOST_PIXELS / Math.max(width, height));
    for (const canvas of [this.#ground, this.#middle, this.#top]) {
      Object.assign(canvas, { width: Math.round(width * this.#ratio), height: Math.round(height * this.#ratio) });
    }
    if (!this.#states) return;
    this.#layout = new Layout(this.#ground.width, this.#ground.height, this.#states, 8 * this.#ratio);
    if (!hidden) this.#drawGround(this.#states.count);
    this.#drawLanes();
    this.#drawMarks();
  }

  // --- The ground.

  async #reveal(states: Picture) {
    const begun = await this.frame();
    for (let part = 0; part < 1 && states === this.#states; ) {
      part = Math.min(1, ((await this.frame()) - begun) / REVEAL);
      const ring = Math.round(part * states.longest);
      this.#drawGround(states.first[ring + 1]);
    }
  }

  #drawGround(count: number) {
    if (!this.#layout) return;
    const context = this.#ground.getContext("2d")!;
    const { states } = this.#layout;
    if (states.isLevels) return this.#layout.fillLevels(context, (level) => scale(level, states.longest));
    const { width, height, x, y, sizes } = this.#layout;
    const image = context.createImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    const { levels } = states;
    const colours = scaleColours(states.longest);
    const sides = sizes.map((gap) => Math.max(1, Math.min(Math.round(gap * (gap < 3 ? 0.9 : 0.72)), Math.round(5 * this.#ratio))));
    for (let state = 0; state < count; state++) {
      const [colour, side] = [colours[levels[state]], sides[levels[state]]];
      const [left, top] = [Math.round(x[state] - side / 2), Math.round(y[state] - side / 2)];
      for (let row = top; row < top + side; row++) pixels.fill(colour, row * width + left, row * width + left + side);
    }
    context.putImageData(image, 0, 0);
  }

  // --- Searches.

  // Shows these searches, of each the first expansions: [{expanded: states, path: states, count}].
  spread(lanes: MapLane[]) {
    const same = lanes.length === this.#lanes.length && lanes.every(({ expanded, path, count }, i) =>
      expanded === this.#lanes[i].expanded && (!this.#lanes[i].ended || path !== null) && count >= this.#lanes[i].drawn);
    this.#box.classList.toggle("searched", lanes.length > 0);
    if (!same) {
      this.#lanes = lanes.map((lane) => ({ ...lane, drawn: 0, ended: false }));
      return this.#drawLanes();
    }
    lanes.forEach((lane, i) => Object.assign(this.#lanes[i], lane));
    this.#drawMore();
  }

  #drawLanes() {
    const context = this.#middle.getContext("2d")!;
    context.clearRect(0, 0, this.#middle.width, this.#middle.height);
    this.#lanes.forEach((lane) => Object.assign(lane, { drawn: 0, ended: false }));
    this.#drawMore();
  }

  // Draws what was expanded since the last time.
  #drawMore() {
    if (!this.#layout) return;
    const context = this.#middle.getContext("2d")!;
    const { x, y, sizes, states } = this.#layout;
    this.#lanes.forEach((lane, i) => {
      context.fillStyle = this.#colour(`--lane-${"ab"[i]}`);
      const least = (lane.expanded.length > 5000 ? 1.2 : 3.2) * this.#ratio;
      const shift = (i === 0 ? -0.12 : 0.12) * least;
      for (; lane.drawn < lane.count; lane.drawn++) {
        const state = lane.expanded[lane.drawn];
        const side = Math.max(least, Math.min(sizes[states.levels[state]], 5 * this.#ratio));
        context.fillRect(x[state] - side / 2 + shift, y[state] - side / 2 + shift, side, side);
      }
    });
    this.#lanes.forEach((lane, i) => {
      if (lane.path === null || lane.ended) return;
      lane.ended = true;
      const width = lane.path.length > LONG ? 1.2 : 2.6;
      this.#line(context, lane.path, this.#colour("--card"), 2 * width);
      this.#line(context, lane.path, this.#colour(`--lane-${"ab"[i]}`), width);
    });
  }

  // --- The path and the board.

  // Shows the path, of which the first `at` moves are made, and the region of the shortest solutions.
  mark(marks: Partial<Marks>) {
    Object.assign(this.#marks, marks);
    if (this.#visible) this.#drawMarks();
    else this.#isStale = true;
  }

  #drawMarks() {
    const context = this.#top.getContext("2d")!;
    context.clearRect(0, 0, this.#top.width, this.#top.height);
    if (!this.#layout) return;
    const { path, at, region, hovered } = this.#marks;
    const { states } = this.#layout;
    const [ink, card] = [this.#colour("--ink"), this.#colour("--card")];
    for (const state of region) this.#dot(context, state, 1.7, ink, null);
    if (path.length > 0) {
      const made = path.slice(0, at + 1);
      this.#line(context, made, card, 4.5);
      this.#line(context, made, ink, 2);
      this.#dot(context, 0, 4, ink, card);
      this.#dot(context, path[at], 6, scale(states.levels[path[at]], states.longest), ink);
    }
    if (hovered !== null) this.#dot(context, hovered, 6, "transparent", ink);
  }

  #line(context: CanvasRenderingContext2D, states: number[], colour: string, width: number) {
    Object.assign(context, { strokeStyle: colour, lineWidth: width * this.#ratio, lineJoin: "round", lineCap: "round" });
    context.beginPath();
    this.#layout!.way(states).forEach(([x, y]) => context.lineTo(x, y));
    context.stroke();
  }

  #dot(context: CanvasRenderingContext2D, state: number, radius: number, fill: string, edge: string | null) {
    const [x, y] = this.#layout!.placeOf(state);
    context.beginPath();
    context.arc(x, y, radius * this.#ratio, 0, 2 * Math.PI);
    context.fillStyle = fill;
    context.fill();
    if (!edge) return;
    Object.assign(context, { strokeStyle: edge, lineWidth: 2 * this.#ratio });
    context.stroke();
  }

  // A colour of the style sheet.
  #colour(name: string) {
    const known = this.#colours.get(name);
    if (known !== undefined) return known;
    const probe = el("i");
    probe.style.color = `var(${name})`;
    this.#box.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    this.#colours.set(name, color);
    return color;
  }

  // --- The pointer.

  // The state at a place of the window, or null.
  stateAt({ clientX, clientY }: MouseEvent) {
    if (!this.#layout) return null;
    const { left, top } = this.#box.getBoundingClientRect();
    return this.#layout.stateAt((clientX - left) * this.#ratio, (clientY - top) * this.#ratio);
  }

  // Where a state is, in pixels of the page from the corner of the picture.
  placeOf(state: number) {
    return this.#layout!.placeOf(state).map((value) => value / this.#ratio);
  }
}

// The panel that runs searches and steps through their expansions: one search, or two side by side.

import { type Board, parse, replay, same, word } from "./board.js";
import { growth } from "./charts.js";
import { $, drawn, el, grouped, miniSvg, plural, sentence } from "./dom.js";
import type { Game } from "./game.js";
import type { Searched } from "./hero.js";
import { ask, isHere, isSmall } from "./library.js";
import { type Algorithm, ALGORITHMS, HEURISTICS, type Key, type Setting, SETTINGS, TIES, effective, outcome } from "./names.js";
import { GONE, Gone, type Query, Refused } from "./net.js";
import type { Search, TraceStep } from "./puzzledb.js";
import type { State } from "./share.js";
import type { States } from "./states.js";
import { tree, wayTo } from "./tree.js";

const TRACE = 2000; // expansions to ask for
const DRAWN = 120; // boards of a found path
const BOUNDED = ["bfs", "ucs", "astar", "idastar"]; // those whose expansions have bounds

// What the panel gives its lanes.
interface Around {
  changed: () => void;
  lanes: () => Lane[];
  play: (start: Board, moves: string) => void;
}

// One search and its part of the panel. `lanes` gives all that are in use, which share their axes.
class Lane {
  record: (Search & { trace: TraceStep[] }) | null = null;
  start!: Board; // of the record, as the rest
  found: Board[] = [];
  queue: number[] = [];
  closed: number[] = [];
  order = new Map<string, number>();
  at = 0; // the expansion that is shown
  expanded: Int32Array | null = null;
  lanes: () => Lane[];
  algorithm: HTMLSelectElement;
  heuristic: HTMLSelectElement;
  words = el("p", { class: "lane-words", role: "status" });
  figures = el("dl", { class: "figures" });
  now = el("div", { class: "now" });
  path: HTMLElement;
  playing: HTMLButtonElement;
  tree: HTMLElement;
  chart = el("div", { class: "chart" });
  shown: HTMLElement;
  box: HTMLElement;
  draw: () => void;
  #fields = {} as Record<Setting, { input: HTMLInputElement | HTMLSelectElement; label: HTMLElement }>;

  constructor(public game: Game, public state: State, public key: Key, { changed, lanes, play }: Around) {
    this.lanes = lanes;
    const keep = <F extends HTMLInputElement | HTMLSelectElement>(of: keyof State, field: F) => {
      field.addEventListener("change", () => {
        if (!field.checkValidity() || field.value === "") return void (field.value = state[of]);
        state[of] = field.value;
        changed();
      });
      return field;
    };
    const choice = (of: keyof State, names: Record<string, string>) =>
      keep(of, el("select", { id: `lane-${of}` }, ...Object.entries(names).map(([value, name]) => el("option", { value }, name))));
    this.algorithm = choice(key, Object.fromEntries(Object.entries(ALGORITHMS).map(([id, { name }]) => [id, name])));
    this.heuristic = choice(`${key}h`, HEURISTICS);
    const settings = (Object.keys(SETTINGS) as Setting[]).map((name) => {
      const { label, field } = SETTINGS[name];
      const of = `${key}-${name}` as const;
      const input = field ? keep(of, el("input", { id: `lane-${of}`, ...field })) : choice(of, TIES);
      this.#fields[name] = { input, label: el("label", {}, `${label} `, input) };
      return this.#fields[name].label;
    });
    this.path = el("div", { class: "found scroll", tabindex: "0", role: "region", "aria-label": `The path found by search ${key.toUpperCase()}` });
    this.playing = el("button", { type: "button", onclick: () => play(this.start, this.record!.moves!) }, "Play it on the board");
    this.tree = el("div", { class: "tree scroll", tabindex: "0", role: "region", "aria-label": `Search tree ${key.toUpperCase()}` });
    this.shown = el("div", { class: "shown", hidden: true }, this.figures, this.now,
      el("h3", {}, "The tree, and the way to this board"), this.tree,
      el("p", { class: "note" }, "#n: the n-th expansion; d: true distance; a thick line leads closer."),
      el("h3", {}, el("span", { class: "key-queue" }, "queue"), " and ", el("span", { class: "key-closed" }, "closed")), this.chart,
      el("h3", {}, "The path that it found"), el("div", {}, this.path, this.playing));
    this.box = el("section", { class: "lane", "aria-label": `Search ${key.toUpperCase()}` },
      el("div", { class: "row" }, el("label", {}, "Algorithm ", this.algorithm), el("label", {}, "Heuristic ", this.heuristic), ...settings),
      this.words, this.shown);
    this.draw = drawn(this.chart, (width) => {
      const all = lanes().filter((lane) => lane.record);
      const last = Math.max(...all.map((lane) => lane.queue.length - 1), 1);
      const most = Math.max(...all.flatMap((lane) => [...lane.queue, ...lane.closed]), 1);
      return growth(width, this.queue, this.closed, this.at, last, most);
    });
  }

  choices() {
    this.algorithm.value = this.state[this.key];
    this.heuristic.value = this.state[`${this.key}h`];
    this.heuristic.disabled = Boolean(ALGORITHMS[this.algorithm.value as Algorithm].blind);
    const used = this.settings();
    for (const name of Object.keys(SETTINGS) as Setting[]) {
      const { input, label } = this.#fields[name];
      input.value = this.state[`${this.key}-${name}`];
      label.hidden = !(name in used);
    }
  }

  // The settings that have an effect.
  settings() {
    const of = (name: Setting) => this.state[`${this.key}-${name}`];
    return Object.fromEntries(effective(this.state[this.key] as Algorithm, of("ties")).map((name) => [name, of(name)]));
  }

  forget(words = "") {
    this.record = null;
    this.shown.hidden = true;
    this.words.textContent = words;
  }

  // Runs the search: in the page, or of large boards on the server.
  async run() {
    const { game } = this;
    const { shape } = game;
    const [heuristic, board, goal] = [this.heuristic.value, word(game.board), word(game.goal)];
    const algorithm = this.algorithm.value as Algorithm;
    const informed: Query = ALGORITHMS[algorithm].blind ? {} : { heuristic };
    const settings = this.settings();
    this.forget("Searching …");
    let record;
    try {
      record = await ask(shape, "search", { board, goal, algorithm, trace: TRACE, ...informed, ...settings }, { here: isHere(shape) });
    } catch (error) {
      if (error instanceof Refused) return this.forget(sentence(error.message));
      if (!(error instanceof Gone)) throw error;
      return this.forget(`Searches of ${shape.name} boards are run by the server, and ${GONE}.`);
    }
    if (board !== word(game.board) || goal !== word(game.goal)) return this.forget();
    this.take(record);
    this.words.textContent = outcome(record, plural);
    if (isSmall(shape) && BOUNDED.includes(algorithm)) this.bounds({ board, goal, algorithm, ...informed });
  }

  take({ trace = [], ...rest }: Search) {
    const record = { ...rest, trace };
    this.record = record;
    this.expanded = null;
    this.order = new Map();
    this.queue = record.trace.map((step) => step.queue);
    this.closed = record.trace.map((step, i) => {
      if (!this.order.has(step.board)) this.order.set(step.board, i);
      return this.order.size;
    });
    this.start = this.game.board;
    this.found = record.solved ? replay(this.start, record.moves!) : [];
    this.playing.hidden = !record.solved;
    const put = (at: number) => () => this.game.set({ start: this.start, moves: record.moves!, at });
    const more = this.found.length - DRAWN;
    this.path.replaceChildren(...this.found.slice(0, DRAWN).map((board, i) =>
      el("button", { type: "button", class: "found-board", onclick: put(i) }, miniSvg(board, 44, `After ${plural(i, "move")}: ${word(board)}`))),
      more > 0 ? `and ${plural(more, "more board")}.` : record.solved ? "" : "There is none.");
  }

  // The first expansions for the picture of all boards.
  onMap(nth: number): Searched[] {
    if (!this.record) return [];
    const { trace } = this.record;
    const expanded = (states: States) => (this.expanded ??= Int32Array.from(trace, ({ board }) => states.of(parse(board, this.game.shape))));
    const isWhole = nth + 1 >= trace.length && this.found.length > 0;
    return [{ expanded, count: Math.min(nth + 1, trace.length), found: isWhole ? this.found : null }];
  }

  // Is a board on the path that was found?
  has(board: Board) {
    return this.record !== null && this.found.some((on) => same(on, board));
  }

  // Adds to the words how many expansions a correct search of this kind needs, where there are bounds.
  async bounds(question: Query & { algorithm: Algorithm }) {
    const asked = this.record;
    const answer = await ask(this.game.shape, "effort", question, { here: true }).catch(() => null);
    if (!answer || this.record !== asked || answer.least === undefined) return;
    this.words.textContent += ` Any right ${ALGORITHMS[question.algorithm].name}${question.heuristic ? ` with ${HEURISTICS[question.heuristic]}` : ""} expands ` +
      `${grouped(answer.least)} to ${grouped(answer.most)}.`;
  }

  // Shows the expansion with this number, counted from 0.
  show(nth: number) {
    const { record } = this;
    const none = !record || record.trace.length === 0;
    this.shown.hidden = none;
    if (none) return;
    this.at = Math.min(nth, record.trace.length - 1);
    const step = record.trace[this.at];
    const { oracle, shape } = this.game;
    const now = parse(step.board, shape);
    const known = (board: Board) => oracle?.known(board) ?? null;
    const far = known(now);
    const perfect = record.distance ?? known(this.start);
    const optimum = perfect === null ? "the optimum is not known" : `the optimum is ${perfect}`;
    this.figures.replaceChildren(...Object.entries({
      "expansion": `${grouped(this.at + 1)} of ${grouped(record.expansions)}${record.trace.length < record.expansions ? `; the first ${grouped(record.trace.length)} can be seen` : ""}`,
      "in the queue": `${grouped(step.queue)} (at most ${grouped(record.max_queue)})`,
      "closed": `${grouped(this.closed[this.at])} (at the end ${grouped(record.closed)})`,
      "solution": record.solved ? `${plural(record.length!, "move")}, ${optimum}` : `none; ${optimum}`,
      "a perfect heuristic needs": perfect === null ? "not known" : plural(perfect, "expansion"),
    }).flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
    this.now.replaceChildren(miniSvg(now, 84, `Board ${step.board}`),
      el("p", {}, `Expanding ${step.board}: g ${round(step.g)}, h ${round(step.h)}, f ${round(step.f)}${far === null ? "" : `; in truth ${plural(far, "move")} from the goal`}.`));
    const way = wayTo(record.trace, this.at, shape);
    this.tree.replaceChildren(tree(this.start, this.lanes().length > 1 ? 1 : 2, way, this.order, this.at, known));
    const current = this.tree.querySelector(".current")?.parentElement;
    if (!current) return this.draw();
    const [frame, node] = [this.tree, current].map((part) => part.getBoundingClientRect());
    this.tree.scrollBy(node.left - frame.left - frame.width / 2, node.top - frame.top - frame.height / 2);
    this.draw();
  }
}

const round = (value: number) => Math.round(value * 100) / 100;

// Sets up the panel and returns the function that draws it. `play` plays moves from a board, `spread` draws searches on the picture.
export function searchesPanel(game: Game, state: State, save: () => void, play: Around["play"], spread: (lanes: Searched[]) => void) {
  const changed = () => {
    lanes.forEach((lane) => lane.forget());
    stop();
    state.watch = "";
    save();
    render();
  };
  const lanes: Lane[] = (["a", "b"] as Key[]).map((key) => new Lane(game, state, key, { changed, lanes: () => used(), play }));
  const used = () => (state.two ? lanes : lanes.slice(0, 1));
  const longest = () => Math.max(0, ...used().map((lane) => lane.record?.trace.length ?? 0));
  let timer: number | undefined;
  let searched: string | null = null;
  $("lanes").append(...lanes.map((lane) => lane.box));

  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    $("watch-play").textContent = "Play";
  };
  const look = (nth: number) => {
    const most = longest();
    $("watch").hidden = most === 0;
    if (most === 0) return;
    const at = Math.max(0, Math.min(nth, most - 1));
    state.watch = String(at + 1);
    Object.assign($("watch-at"), { max: String(most), value: String(at + 1) });
    $("watch-out").textContent = state.watch;
    $("watch-at").setAttribute("aria-valuetext", `${at + 1} of ${most}`);
    used().forEach((lane) => lane.show(at));
    spread(used().flatMap((lane) => lane.onMap(at)));
    save();
    if (at === most - 1) stop();
  };
  const at = () => Number(state.watch || 1) - 1;
  const run = async (from: number) => {
    stop();
    if (!game.solvable) return;
    searched = key();
    const asked = searched;
    await Promise.all(used().map((lane) => lane.run()));
    if (asked === searched) look(from);
  };
  const key = () => [word(game.board), word(game.goal)].join();
  // The steps become longer as playing goes on, so that a long trace ends in reasonable time.
  const watch = () => {
    if (timer) return stop();
    let from = at() + 1 >= longest() ? -1 : at();
    $("watch-play").textContent = "Pause";
    const first = from;
    timer = setInterval(() => look((from += 1 + Math.floor((from - first) / 12))), 1000 / Math.max(Number(state.speed), 2));
  };
  $("run").addEventListener("click", () => run(0));
  $("watch-play").addEventListener("click", watch);
  $("watch-back").addEventListener("click", () => (stop(), look(at() - 1)));
  $("watch-on").addEventListener("click", () => (stop(), look(at() + 1)));
  $("watch-at").addEventListener("input", () => (stop(), look(Number($("watch-at").value) - 1)));
  $("two").addEventListener("change", () => {
    state.two = $("two").checked ? "1" : "";
    changed();
  });

  const render = () => {
    $("two").checked = state.two !== "";
    $("lanes").classList.toggle("two", state.two !== "");
    lanes[1].box.hidden = state.two === "";
    lanes.forEach((lane) => lane.choices());
    $("run").disabled = !game.solvable;
    $("searches-words").textContent = !game.solvable ? "There is nothing to search for: the board cannot be solved."
      : !game.known ? `From ${word(game.board)}, whose distance is not known here.`
      : `From ${word(game.board)}, ${plural(game.distance!, "move")} from the goal: a search with a perfect heuristic needs ${plural(game.distance!, "expansion")}.`;
    if (searched !== null && searched !== key() && !used().some((lane) => lane.has(game.board))) {
      searched = null;
      stop();
      state.watch = "";
      lanes.forEach((lane) => lane.forget("The board has changed: run again."));
    }
    if (searched === null && state.watch !== "" && game.solvable && game.oracle !== undefined) run(at());
    else look(at());
  };
  return render;
}

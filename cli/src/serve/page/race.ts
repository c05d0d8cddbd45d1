// Two searches for the same board, played over the picture of all boards.

import { type Board, replay, word } from "./board.js";
import { $, el, grouped, messageOf, plural } from "./dom.js";
import { ask } from "./library.js";
import type { SpaceMap } from "./map.js";
import { ALGORITHMS, HEURISTICS, type Key, searchOf } from "./names.js";
import type { Expansions } from "./puzzledb.js";
import type { State } from "./share.js";
import type { States } from "./states.js";

const SPREADING = 4600; // milliseconds of all expansions together
const RESTING = 700; // milliseconds after the last way was drawn

// One of the two: its record, and its expansions and its way as states.
interface Runner {
  record: Expansions;
  expanded: Int32Array;
  way: number[] | null;
  name: string;
  heuristic?: string;
}

async function runner(states: States, board: Board, search: ReturnType<typeof searchOf>): Promise<Runner> {
  const { goal } = states;
  const record = await ask(goal.shape, "expansions", { board: word(board), goal: word(goal), ...search }, { here: true });
  const { cells } = goal.shape;
  const expanded = Int32Array.from({ length: record.expanded.length / cells }, (_, i) => states.of(record.expanded.subarray(i * cells, (i + 1) * cells)));
  const way = record.solved ? replay(board, record.moves ?? "").map((one) => states.of(one)) : null;
  return { record, expanded, way, name: ALGORITHMS[search.algorithm].name, heuristic: HEURISTICS[search.heuristic] };
}

export class Race {
  #map: SpaceMap;
  #state: State;
  #playing: object | null = null; // what is played; another value ends it
  #runners: { of: string; all: Runner[] } | null = null;

  constructor(map: SpaceMap, state: State) {
    this.#map = map;
    this.#state = state;
  }

  get isPlaying() {
    return this.#playing !== null;
  }

  // Runs both searches, and plays their expansions; `still` shows the end alone.
  async play(states: States, board: Board, still: boolean) {
    const playing = (this.#playing = {});
    const goes = () => this.#playing === playing;
    $("race-words").textContent = "Two searches are run.";
    try {
      const all = await this.#run(states, board);
      if (!goes()) return;
      $("race-words").textContent = all.length < 2 ? "" : `From the same board: ${all[0].name} against ${all[1].name}.`;
      $("race-lanes").replaceChildren(...all.map(lane));
      if (!still) await this.#spread(all, goes);
      if (!goes()) return;
      this.#show(all, Infinity);
      $("race-words").textContent = all.map(outcome).join(" ");
      if (!still) await new Promise((done) => setTimeout(done, RESTING));
    } catch (error) {
      if (goes()) $("race-words").textContent = `The searches were not run: ${messageOf(error)}.`;
    } finally {
      if (goes()) this.#playing = null;
    }
  }

  // Ends the race and clears it away.
  stop() {
    this.#playing = null;
    this.#map.spread([]);
    $("race-lanes").replaceChildren();
    $("race-words").textContent = "";
  }

  async #run(states: States, board: Board) {
    const searches = (["a", "b"] as Key[]).map((key) => searchOf(this.#state, key));
    const of = JSON.stringify([word(states.goal), word(board), searches]);
    if (this.#runners?.of !== of) this.#runners = { of, all: await Promise.all(searches.map((search) => runner(states, board, search))) };
    return this.#runners.all;
  }

  async #spread(all: Runner[], goes: () => boolean) {
    const most = Math.max(...all.map(({ expanded }) => expanded.length));
    const begun = await this.#map.frame();
    for (let part = 0; part < 1 && goes(); ) {
      part = Math.min(1, ((await this.#map.frame()) - begun) / SPREADING);
      if (goes()) this.#show(all, Math.round(part * most));
    }
  }

  #show(all: Runner[], count: number) {
    this.#map.spread(all.map(({ expanded, way }) => ({
      expanded, count: Math.min(count, expanded.length), path: count >= expanded.length ? way : null,
    })));
    all.forEach((one, i) => ($("race-lanes").children[i].lastChild!.textContent = sofar(one, count)));
  }
}

const lane = ({ name, heuristic }: Runner, i: number) =>
  el("li", { class: `lane-key lane-${"ab"[i]}` }, el("b", {}, name), heuristic ? ` ${heuristic}` : "", el("span", {}));

function sofar({ record, expanded }: Runner, count: number) {
  const ended = count >= expanded.length;
  const length = !ended ? "…" : record.solved ? plural(record.length!, "move") : "no way";
  return `${grouped(ended ? record.expansions : count)} boards opened, ${length}`;
}

function outcome({ record, name }: Runner) {
  const opened = `${name} opened ${plural(record.expansions, "board")}`;
  if (!record.solved) return `${opened} and found no way.`;
  return `${opened} and found a way of ${plural(record.length!, "move")}${record.gap === 0 ? ", the shortest" : ""}.`;
}

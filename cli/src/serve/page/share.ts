// The page's state as the fragment of its address, and back. Only what differs from the defaults is in it.

import { SHAPES } from "./board.js";
import { ALGORITHMS, HEURISTICS, type Key, SETTINGS, type Setting } from "./names.js";

// The settings of both searches: a-weight and so on, with what `of` makes of each.
function ofLanes<T>(of: (setting: (typeof SETTINGS)[Setting]) => T) {
  const all = ["a", "b"].flatMap((key) => Object.entries(SETTINGS).map(([name, setting]) => [`${key}-${name}`, of(setting)]));
  return Object.fromEntries(all) as Record<`${Key}-${Setting}`, T>;
}

// Every part of the state and its default. The user's picture is not part of it.
const DEFAULTS = {
  shape: "3x3",
  start: "", // empty: the board that the page begins with
  goal: "", // empty: the blank last
  moves: "", // all moves made
  at: "", // how many of them are in effect; empty: all
  pick: "0", // the chosen shortest solution, and after how many moves the plan began
  tab: "solutions",
  truth: "1",
  keys: "1",
  log: "0",
  speed: "4",
  by: "distance",
  to: "20",
  random: "30",
  a: "astar",
  ah: "manhattan",
  b: "greedy",
  bh: "manhattan",
  ...ofLanes(({ usual }) => usual),
  two: "",
  watch: "", // the expansion that is shown, from 1; empty: no search was run
  answer: "",
  notation: "auto",
  arrows: "tile",
};

export type State = Record<keyof typeof DEFAULTS, string>;

export function toHash(state: State) {
  const changed = KEYS.filter((key) => String(state[key]) !== DEFAULTS[key]);
  return new URLSearchParams(changed.map((key) => [key, String(state[key])])).toString();
}

const KEYS = Object.keys(DEFAULTS) as (keyof State)[];
const isKey = (text: string): text is keyof State => Object.hasOwn(DEFAULTS, text);

const within = (least: number, most: number) => (text: string) => /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most;
const oneOf = (...names: string[]) => (text: string) => names.includes(text);
const pattern = (form: RegExp) => (text: string) => form.test(text);

// Which values are possible. Start and goal are read by the page, and an answer may be any text.
const POSSIBLE: Partial<Record<keyof State, (text: string) => boolean>> = {
  shape: (text: string) => Object.hasOwn(SHAPES, text),
  moves: pattern(/^[UDLR]{0,9999}$/),
  at: (text: string) => text === "" || within(0, 9999)(text),
  pick: pattern(/^\d{1,6}(\.\d{1,6})?$/),
  tab: oneOf("solutions", "edit", "space", "searches", "verify", "options"),
  truth: oneOf("0", "1"),
  keys: oneOf("0", "1"),
  log: oneOf("0", "1"),
  speed: within(1, 20),
  by: oneOf("distance", "moves", "any"),
  to: within(1, 80),
  random: within(1, 200),
  a: oneOf(...Object.keys(ALGORITHMS)),
  ah: oneOf(...Object.keys(HEURISTICS)),
  b: oneOf(...Object.keys(ALGORITHMS)),
  bh: oneOf(...Object.keys(HEURISTICS)),
  ...ofLanes(({ form }) => pattern(form)),
  two: oneOf("", "1"),
  watch: (text: string) => text === "" || within(1, 9999999)(text),
  notation: oneOf("auto", "blank", "tile"),
  arrows: oneOf("tile", "blank"),
};

// The state in a fragment, and what is wrong with the fragment: the default is taken in place of a value that is
// impossible.
export function fromHash(hash: string) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const state: State = { ...DEFAULTS };
  const wrong: string[] = [];
  for (const [key, value] of given) {
    if (!isKey(key)) wrong.push(`it has no part "${key.slice(0, 20)}"`);
    else if (POSSIBLE[key]?.(value) ?? true) state[key] = value;
    else wrong.push(`"${value.slice(0, 20)}" is no value of ${key}`);
  }
  return { state, wrong };
}

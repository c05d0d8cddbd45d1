// The page's state as the fragment of its address, and back. Only what differs from the defaults is in it.

// Every part of the state and its default. The user's picture is not part of it.
export const DEFAULTS = {
  start: "704851632",
  goal: "123456780",
  moves: "", // all moves made
  at: "", // how many of them are in effect; empty: all
  pick: "0", // the chosen shortest solution, and after how many moves the plan began
  tab: "solutions",
  truth: "1",
  speed: "4",
  by: "distance",
  to: "20",
  random: "30",
  a: "astar",
  ah: "manhattan",
  b: "greedy",
  bh: "manhattan",
  two: "",
  watch: "", // the expansion that is shown, from 1; empty: no search was run
  answer: "",
  notation: "auto",
  arrows: "tile",
};

export function toHash(state) {
  const changed = Object.keys(DEFAULTS).filter((key) => String(state[key]) !== DEFAULTS[key]);
  return new URLSearchParams(changed.map((key) => [key, String(state[key])])).toString();
}

export function fromHash(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  return Object.fromEntries(Object.keys(DEFAULTS).map((key) => [key, given.get(key) ?? DEFAULTS[key]]));
}

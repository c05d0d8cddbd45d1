// The page's state as an address, and back. Only what differs from the usual is in it.

// Every part of the state and its usual value. A picture is not among them: it stays on its device.
export const USUAL = {
  start: "704851632",
  goal: "123456780",
  moves: "", // all that were made
  at: "", // how many of them stand; nothing: all
  pick: "0", // which shortest solution
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
  watch: "", // the expansion that is looked at, where a search was run
  answer: "",
  notation: "auto",
  arrows: "tile",
};

export function toHash(state) {
  const changed = Object.keys(USUAL).filter((key) => String(state[key]) !== USUAL[key]);
  return new URLSearchParams(changed.map((key) => [key, String(state[key])])).toString();
}

export function fromHash(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  return Object.fromEntries(Object.keys(USUAL).map((key) => [key, given.get(key) ?? USUAL[key]]));
}

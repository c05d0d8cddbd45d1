// The page as a whole: the game, its panels, the keys, the state in the address, and the state of the server.

import { type Board, type Move, OPPOSITE, SHAPES, USUAL_GOALS, WAYS, parse, randomBoard, same, tileOf, word } from "./board.js";
import { $, el, messageOf, plural, say, within } from "./dom.js";
import { editPanel } from "./edit.js";
import { Game } from "./game.js";
import { heroPanel } from "./hero.js";
import { isHere, library } from "./library.js";
import { movesView } from "./moves.js";
import { ALONE, net } from "./net.js";
import { oracleFor } from "./oracle.js";
import { pathView } from "./path.js";
import { pictures } from "./picture.js";
import { searchesPanel } from "./searches.js";
import { type State, fromHash, toHash } from "./share.js";
import { solutionsPanel } from "./solutions.js";
import { spacePanel } from "./space.js";
import { States } from "./states.js";
import { statusView } from "./status.js";
import { tabPanels } from "./tabs.js";
import { verifyPanel } from "./verify.js";
import { BoardView } from "./view.js";

const game = new Game();
const { state } = fromHash("");
const view = new BoardView(game, (move: Move) => act(move));
const truthShown = () => state.truth === "1";
const path = pathView(game, truthShown);
const status = statusView(game, truthShown);
const moves = movesView(game, (move) => act(move), truthShown);

// The board that the page begins with: one that never changes on 3x3, another each time on other shapes.
const FIRST = "536407182";
const firstBoard = (goal: Board) => (goal.shape.name === "3x3" ? parse(FIRST, goal.shape) : randomBoard(goal));

// --- Who knows the distances.

let finding: { goal: Board; done: Promise<void> } | null = null; // the search that is under way

function findOracle() {
  const { goal, oracle } = game;
  if (oracle === undefined && finding?.goal !== goal) finding = { goal, done: find(goal) };
  return finding?.done;
}

async function find(goal: Board) {
  const oracle = await oracleFor(goal);
  if (finding?.goal === goal) finding = null;
  if (goal === game.goal) game.setOracle(oracle);
}

// --- The address.

let saving: number | undefined;
let pushing = ""; // what a new entry of the history is due for: "boards" or "moves"; empty if none is
let here = ""; // the address as it was last read or written; another one was typed, and is about to be read

// Saves the state; in a new entry of the history for other boards and for the first of some moves, so that the browser's
// Back leads to the board before.
function save(push = "") {
  clearTimeout(saving);
  pushing ||= push;
  saving = setTimeout(saveNow, 200); // browsers limit how often the address may change
}

function saveNow() {
  clearTimeout(saving);
  if (location.hash !== here) return;
  Object.assign(state, {
    shape: game.shape.name, moves: game.moves,
    start: word(game.start) === FIRST ? "" : word(game.start),
    goal: same(game.goal, USUAL_GOALS.last(game.shape)) ? "" : word(game.goal),
    at: game.at === game.moves.length ? "" : String(game.at),
    pick: game.picked,
  });
  const address = `#${toHash(state)}`;
  if (pushing && address !== location.hash) history.pushState(pushing, "", address);
  else history.replaceState(history.state ?? "boards", "", address);
  here = location.hash;
  pushing = "";
}

const BOARDS: (keyof State)[] = ["shape", "start", "goal", "moves", "at", "pick"];

// Restores the state from the address, or of it the boards alone. What cannot be read is replaced by the default, with a
// message that stays.
async function load(boards = false) {
  pause();
  here = location.hash;
  const { state: given, wrong } = fromHash(here);
  for (const key of boards ? BOARDS : (Object.keys(given) as (keyof State)[])) state[key] = given[key];
  const shape = SHAPES[state.shape];
  const board = (text: string) => {
    try {
      return text && parse(text, shape);
    } catch (error) {
      return void wrong.push(messageOf(error));
    }
  };
  const { moves, at, pick } = state;
  const goal = board(state.goal) || USUAL_GOALS.last(shape);
  game.set({ goal, start: board(state.start) || firstBoard(goal), moves, at: at === "" ? Infinity : Number(at) });
  pushing = "";
  if (game.moves.length < moves.length) wrong.push(`move ${game.moves.length + 1} is impossible`);
  const words = wrong.length ? `The address is not good: ${wrong.join("; ")}.` : "";
  $("address-error").textContent = words;
  await findOracle();
  const [chosen, from] = pick.split(".").map(Number);
  if (chosen > 0) game.restorePlan(chosen, from || 0);
  showTab(state.tab, state.tab !== fromHash("").state.tab);
  render();
}

$("share").addEventListener("click", async () => {
  saveNow();
  const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
  $("share").textContent = copied ? "Copied" : "It is in the address bar";
  say(copied ? "The link is copied." : "The link is in the address bar.");
  setTimeout(() => ($("share").textContent = "Copy link"), 2000);
});

// --- The panels.

const PANELS: Record<string, () => void> = {
  solutions: solutionsPanel(game),
  edit: editPanel(game),
  space: spacePanel(game, state, save, shuffleTo),
  searches: searchesPanel(game, state, save, play, (lanes) => hero.show(lanes)),
  verify: verifyPanel(game, state, save, play),
  options: () => {
    $("arrows").value = state.arrows;
    $("keys-on").checked = state.keys === "1";
  },
};
const hero = heroPanel(game, state, pause);
const showTab = tabPanels((name) => {
  state.tab = name;
  PANELS[name]();
  save();
});

// --- Moves and the player.

let player: number | undefined;

function pause() {
  clearTimeout(player);
  player = undefined;
  $("solve").textContent = "Solve";
}

function act(move: Move) {
  pause();
  if (!game.move(move)) say("No tile can slide that way.");
}

function step() {
  if (!game.step()) say(game.solved ? "Solved." : "There is no best move.");
}

function solve() {
  if (player) return pause();
  if (!game.best) return void step();
  $("solve").textContent = "Pause";
  const next = () => {
    step();
    player = game.best ? setTimeout(next, 1000 / Number(state.speed)) : undefined;
    if (!player) pause();
  };
  player = setTimeout(next, 0);
}

// Plays moves from a board.
function play(start: Board, moves: string) {
  pause();
  game.set({ start, moves, at: 0 });
  const next = () => {
    game.go(game.at + 1);
    player = game.at < moves.length ? setTimeout(next, 1000 / Number(state.speed)) : undefined;
    if (!player) pause();
  };
  $("solve").textContent = "Pause";
  player = setTimeout(next, 1000 / Number(state.speed));
}

// How to shuffle: to a distance only where boards are drawn by it.
const isDrawn = () => Boolean(game.oracle) && isHere(game.shape);
const shuffling = () => (state.by === "distance" && !isDrawn() ? "any" : state.by);

async function shuffle() {
  pause();
  if (shuffling() === "moves") game.shuffleBy(Number(state.random));
  else if (shuffling() === "any") game.shuffleAny();
  else await shuffleTo(Math.min(Number(state.to), game.oracle!.longest));
  const { board } = game;
  while (!game.known && game.board === board && !game.oracle?.trouble(board)) await new Promise((done) => game.addEventListener("change", done, { once: true }));
  if (game.board === board) say(game.known ? `Shuffled: ${plural(game.distance!, "move")} from the goal.` : "Shuffled.");
}

async function shuffleTo(distance: number) {
  $("shuffle-error").textContent = "";
  try {
    await game.shuffleTo(distance);
  } catch (error) {
    $("shuffle-error").textContent = `No board was drawn: ${messageOf(error)}.`;
  }
}

$("shape").append(...Object.keys(SHAPES).map((name) => el("option", {}, name)));
$("shape").addEventListener("change", () => {
  pause();
  const goal = USUAL_GOALS.last(SHAPES[$("shape").value]);
  game.set({ goal, start: firstBoard(goal) });
});

const COMMANDS: Record<string, () => void> = {
  back: () => {
    pause();
    if (!game.back()) say("This is the start.");
  },
  hint: () => {
    const best = game.hint();
    say(best ? `Hint: slide tile ${tileOf(game.board, best)} ${WAYS[OPPOSITE[best]]}.` : "No hint: there is nothing to solve.");
  },
  step: () => (pause(), step()),
  solve,
  restart: () => (pause(), game.restart()),
  shuffle,
  another: shuffle,
};
$("again").addEventListener("click", () => game.oracle?.askAgain(game.board));
// Shows a panel, and scrolls to it.
function goTo(panel: string) {
  showTab(panel);
  $("panels").scrollIntoView({ block: "start" });
  $(panel).focus({ preventScroll: true });
}
$("why").addEventListener("click", () => goTo("edit"));
$("others").addEventListener("click", () => goTo("searches"));
for (const [id, command] of Object.entries(COMMANDS)) $(id).addEventListener("click", command);

const KEYS: Record<string, string> = { " ": "solve", n: "step", b: "back", h: "hint", r: "shuffle" };
const ARROWS: Record<string, Move> = { ArrowUp: "U", ArrowDown: "D", ArrowLeft: "L", ArrowRight: "R" };

addEventListener("keydown", (event) => {
  if (state.keys !== "1" || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
  const own = event.key === " " ? "input, select, textarea, button, a" : "input, select, textarea, [role=tab]";
  const scrolls = event.key.startsWith("Arrow") && within(event, ".scroll, .solution-list");
  if (within(event, own) || scrolls) return;
  const way = ARROWS[event.key];
  const command = KEYS[event.key.toLowerCase()];
  if (!way && !command) return;
  event.preventDefault();
  if (way) act(state.arrows === "tile" ? OPPOSITE[way] : way);
  else COMMANDS[command]();
});

// A board that is pasted anywhere but into a field is played.
addEventListener("paste", (event) => {
  if (within(event, "input, textarea")) return;
  const text = event.clipboardData?.getData("text") ?? "";
  try {
    const start = parse(text, game.shape, Object.values(SHAPES));
    pause();
    game.set(start.shape === game.shape ? { start } : { start, goal: USUAL_GOALS.last(start.shape) });
    say(`Pasted: ${word(start)}.`);
  } catch (error) {
    $("outcome").textContent = game.said = `What was pasted is not a board: ${messageOf(error)}.`;
  }
});

// --- The settings beside the board.

function setting<F extends HTMLElement>(field: F, event: string, take: (field: F) => void) {
  field.addEventListener(event, () => {
    take(field);
    save();
    render();
  });
}
setting($("speed"), "input", (field) => (state.speed = field.value));
setting($("shuffle-by"), "change", (field) => (state.by = field.value));
setting($("shuffle-to"), "input", (field) => (state[state.by === "moves" ? "random" : "to"] = field.value));
setting($("truth-shown"), "change", (field) => (state.truth = field.checked ? "1" : "0"));
setting($("keys-on"), "change", (field) => (state.keys = field.checked ? "1" : "0"));
setting($("arrows"), "change", (field) => (state.arrows = field.value));

// A large board, for a projector: on the whole screen where the browser has that.
function present(on: boolean) {
  document.body.classList.toggle("presenting", on);
  $("present").textContent = on ? "Leave" : "Present";
}
$("present").addEventListener("click", () => {
  const on = !document.body.classList.contains("presenting");
  present(on);
  if (on) document.documentElement.requestFullscreen?.().catch(() => null);
  else if (document.fullscreenElement) document.exitFullscreen();
});
addEventListener("fullscreenchange", () => document.fullscreenElement || present(false));

let picture: string | null = null;
pictures((address) => {
  picture = address;
  view.picture(picture, game.goal);
});

// --- Drawing.

function render() {
  const truth = truthShown();
  const by = shuffling();
  const byMoves = by === "moves";
  document.documentElement.style.setProperty("--slide", `${Math.min(180, 800 / Number(state.speed))}ms`);
  status.words();
  view.render(truth);
  $("truth-shown").checked = truth;
  $("truth").classList.toggle("unseen", !truth && !game.solved);
  $("speed").value = state.speed;
  $("speed-out").textContent = `${state.speed} a second`;
  $("shape").value = game.shape.name;
  $("shuffle-by").value = by;
  $("shuffle-by").options[0].disabled = !isDrawn();
  $("shuffle-to").closest("label")!.hidden = by === "any";
  $("shuffle-to").max = String(byMoves ? 200 : game.oracle?.longest ?? 31);
  $("shuffle-to").value = byMoves ? state.random : state.to;
  $("shuffle-out").textContent = $("shuffle-to").value;
  document.title = `puzzledb: the ${game.shape.cells - 1}-puzzle and the truth about it`;
  for (const id of ["hint", "step", "solve"] as const) $(id).disabled = !game.best;
  $("back").disabled = game.at === 0;
  if (picture) view.picture(picture, game.goal);
  path();
  moves();
  hero.draw();
  PANELS[state.tab]();
}

game.addEventListener("change", ({ detail }) => {
  if (detail.what === "boards") {
    findOracle();
  }
  render();
  if (game.known && performance.getEntriesByName("distance").length === 0) performance.mark("distance"); // how long it took
  if (detail.what === "move") status.announce(detail);
  if (detail.what === "boards") save("boards");
  if (detail.what === "move") save(history.state === "moves" ? "" : "moves");
  if (detail.what === "scrub") save();
});

$("api").hidden = ALONE;
$("no-scripts").remove();

net.addEventListener("change", () => {
  $("badge").textContent = net.online ? "online" : "offline";
  $("badge").hidden = net.online !== false || ALONE;
  $("badge").title = "The server is gone. The page goes on with what it has.";
  if (net.online) findOracle();
  render();
});

// An address that was typed, and one that the history leads back to.
addEventListener("hashchange", () => location.hash !== here && load());
addEventListener("popstate", ({ state }) => state !== null && load(true));
export { States, SHAPES, library, parse, word }; // for tests

net.watch();
const isPlain = location.hash === "";
load();
if (isPlain) hero.open();

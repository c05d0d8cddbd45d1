// The picture of all boards beside the board: the path on it, boards under the pointer, and the race.

import { Levels, MOST_CELLS, type Picture, States } from "./states.js";
import { type Board, replay, same, word } from "./board.js";
import { $, about, el, grouped, miniSvg, plural, say } from "./dom.js";
import type { Game } from "./game.js";
import { isSmall } from "./library.js";
import { SpaceMap } from "./map.js";
import { Race } from "./race.js";
import type { State } from "./share.js";

// A search of the panel: its first expansions, the way that it found, and how many of the expansions are shown.
export interface Searched {
  expanded: (states: States) => ArrayLike<number>;
  found: Board[] | null;
  count: number;
}

// Sets up the picture. `draw` shows the game on it, `open` plays the race once, and `show` draws searches on it.
export function heroPanel(game: Game, state: State, pause: () => void) {
  const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
  const map = new SpaceMap($("map"), still);
  const race = new Race(map, state);
  let states: Picture | null = null; // of the goal, once they are there
  let searched: Searched[] = []; // by the panel
  let growing: Board | null = null; // the goal whose states are looked for

  async function grow(goal: Board) {
    growing = goal;
    await map.frame();
    const grown: Picture = goal.shape.cells > MOST_CELLS ? await levelsOf(goal) : await new States(goal).grow(() => new Promise((done) => setTimeout(done)));
    if (growing !== goal) return;
    states = null;
    await map.show(grown);
    if (growing !== goal) return;
    states = grown;
    draw();
    spread();
  }

  // The levels of a large shape, once it is known how many there are.
  async function levelsOf(goal: Board) {
    const isKnown = () => game.oracle && (game.oracle.levels || !isSmall(goal.shape));
    while (growing === goal && !isKnown()) await new Promise((done) => game.addEventListener("change", done, { once: true }));
    return new Levels(goal, game.oracle?.longest ?? 0);
  }

  function spread() {
    if (!states || states.isLevels || race.isPlaying || searched.length === 0) return;
    const all = states;
    map.spread(searched.map(({ expanded, found, count }) => ({ expanded: expanded(all), count, path: found && found.map((board) => all.of(board)) })));
  }

  // The states of the path: the moves made, and those that the plan goes on with.
  function path(states: Picture) {
    if (states.isLevels) return game.distances.map((distance) => Math.min(distance ?? states.longest, states.longest));
    return replay(game.start, game.moves).map((board) => states.of(board));
  }

  function draw() {
    const { goal } = game;
    if (!growing || !same(growing, goal) || growing.shape !== goal.shape) {
      states = null;
      race.stop();
      grow(goal);
    }
    $("map-words").textContent = words(game);
    $("race").hidden = $("others").hidden = goal.shape.cells > MOST_CELLS;
    $("race").disabled = !game.solvable || game.solved;
    $("race").textContent = race.isPlaying ? "Stop" : "Race";
    if (!states) return;
    const shown = game.solvable ? path(states) : [];
    const region = shown.length > 0 && !states.isLevels ? states.region(shown[game.at]) : [];
    map.mark({ path: shown, at: Math.min(game.at, shown.length - 1), region });
  }

  async function play(states: States) {
    pause();
    const played = race.play(states, game.board, still());
    draw();
    await played;
    draw();
  }

  $("race").addEventListener("click", async () => {
    if (race.isPlaying) return race.stop(), draw();
    if (!states || states.isLevels) return;
    await play(states);
    say($("race-words").textContent);
  });
  game.addEventListener("change", ({ detail }) => {
    if (!["move", "boards", "scrub"].includes(detail.what)) return;
    searched = [];
    race.stop();
  });
  pointer(map, game, () => states);

  return {
    draw,
    // Plays the race as soon as there is a picture.
    async open() {
      const { board } = game;
      while (!states) await map.frame();
      if (board === game.board && !states.isLevels) await play(states);
    },
    // Shows searches of the panel, of each its first expansions.
    show(lanes: Searched[]) {
      searched = lanes;
      spread();
    },
  };
}

// A board under the pointer is shown beside it; a click, or a tap on what is shown, goes there.
function pointer(map: SpaceMap, game: Game, states: () => Picture | null) {
  const tip = $("map-tip");
  const hide = () => {
    tip.hidden = true;
    map.mark({ hovered: null });
  };
  const show = (event: PointerEvent) => {
    const all = states();
    const state = all && !all.isLevels ? map.stateAt(event) : null;
    if (!all || all.isLevels || state === null) return hide(), null;
    map.mark({ hovered: state });
    const board = all.board(state);
    const go = el("button", { type: "button", onclick: () => (hide(), game.set({ start: board })) }, "Go there");
    tip.replaceChildren(miniSvg(board, 72, `Board ${word(board)}`), el("span", {}, plural(all.levels[state], "move")), go);
    tip.classList.toggle("touched", event.pointerType !== "mouse");
    tip.hidden = false;
    const [x, y] = map.placeOf(state);
    const { clientWidth, clientHeight } = $("map");
    tip.style.left = `${Math.max(0, Math.min(x + 14, clientWidth - tip.offsetWidth))}px`;
    tip.style.top = `${y + 14 + tip.offsetHeight > clientHeight ? Math.max(0, y - 14 - tip.offsetHeight) : y + 14}px`;
    return board;
  };
  $("map").addEventListener("pointermove", (event) => event.pointerType === "mouse" && !tip.contains(event.target as Node) && show(event));
  $("map").addEventListener("pointerleave", (event) => event.pointerType === "mouse" && hide());
  $("map").addEventListener("click", (event) => {
    if (tip.contains(event.target as Node)) return;
    const board = show(event as PointerEvent);
    if (board && (event as PointerEvent).pointerType !== "touch") {
      hide();
      game.set({ start: board });
    }
  });
}

function words({ shape, goal }: Game) {
  if (shape.cells > MOST_CELLS) {
    return `Each ring is a distance from ${word(goal)}; the line is your way. The boards, ${about(shape.states)}, are too many to be drawn.`;
  }
  return `Each point is one of ${grouped(shape.states)} boards, each ring a distance: the goal in the middle, the farthest boards at the edge. ` +
    "The line is your way; the marked points lie on shortest solutions.";
}

// What is said of the game: the distance, what the moves made were worth, the time, and each move to screen readers.

import { OPPOSITE, USUAL_GOALS, WAYS, same, word } from "./board.js";
import { $, plural, say } from "./dom.js";
import type { Change, Game } from "./game.js";
import { isSmall } from "./library.js";

// Sets up the words and returns the functions that draw them, after each change, and announce a move.
export function statusView(game: Game, truthShown: () => boolean) {
  // When the first move from the start was made, and how long it took from there to the goal, in milliseconds.
  let began: number | null = null;
  let took: number | null = null;

  function time({ what }: Change) {
    if (what === "boards") began = took = null;
    if (what === "move") {
      began ??= performance.now();
      if (game.solved) took ??= performance.now() - began;
    }
    clock();
  }

  function clock() {
    const seconds = began === null ? null : Math.floor((took ?? performance.now() - began) / 1000);
    $("clock").textContent = seconds === null ? "" : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }

  function words() {
    $("outcome").textContent = game.said || outcome();
    $("why").hidden = game.solvable;
    const { shape } = game;
    const usual = same(game.goal, USUAL_GOALS.last(shape));
    const [far, unit] = distance();
    $("distance").textContent = String(far);
    $("again").hidden = !troubled();
    $("distance-words").textContent = unit + (game.known && !game.solved && !usual ? `, ${word(game.goal)}` : "");
  }

  // Whether the distance was asked for and not answered, by something that may answer later.
  const troubled = () => game.solvable && !game.solved && !game.known && Boolean(game.oracle?.trouble(game.board));

  // The distance, or its bounds, and what is said beside it.
  function distance(): [string | number, string] {
    if (!game.solvable) return ["∞", `This board cannot be solved to ${word(game.goal)}.`];
    if (game.solved) return [0, "Solved."];
    if (game.known) return [game.distance!, `${game.distance === 1 ? "move" : "moves"} from the goal`];
    if (!game.oracle || isSmall(game.shape)) return ["…", "The distance is being looked for."];
    const { at_least, at_most } = game.oracle.bounds(game.board);
    if (at_most !== null) return [`${at_least}–${at_most}`, "moves from the goal, as far as is proved"];
    const trouble = game.oracle.trouble(game.board);
    return [`≥ ${at_least}`, trouble ? `moves from the goal; more is not known: ${trouble}.` : "moves from the goal; more is being looked for."];
  }

  function outcome() {
    if (!game.solvable) return "";
    const [best, made] = [game.distances[0], game.at];
    const count = game.plan?.solutions.count ?? null;
    if (made === 0) return count === null ? "" : `${plural(count, "shortest solution")}.`;
    const moves = plural(made, "move") + (game.helped ? " with help" : "");
    if (!game.known || best === null) return `${moves} made.`;
    const extra = made + game.distance! - best;
    const lost = extra === 0 ? "none lost" : `${extra} more than needed`;
    if (!game.solved) return `${plural(made, "move")} made, ${lost}.`;
    return extra === 0 ? `${moves}: that is the optimum.` : `${moves}; the optimum is ${best}: ${lost}.`;
  }

  // Announces a move to screen readers.
  function announce({ tile, move, back }: Extract<Change, { what: "move" }>) {
    const what = `${back ? "Back: tile" : "Tile"} ${tile} ${WAYS[OPPOSITE[move]]}.`;
    if (game.distances.slice(-2).includes(null) || !truthShown()) return say(game.solved ? `${what} Solved.` : what);
    const closer = game.distances.at(-1)! < (game.distances.at(-2) ?? Infinity);
    const far = game.solved ? `Solved. ${outcome()}` : `${plural(game.distance!, "move")} from the goal${back ? "" : closer ? ", closer" : ", farther"}.`;
    say(`${what} ${far}`);
  }

  setInterval(clock, 1000);
  game.addEventListener("change", ({ detail }) => time(detail));
  return { words, announce };
}

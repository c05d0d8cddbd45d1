// What is said of the game: the distance, what the moves made were worth, the time, and each move to screen readers.

import { OPPOSITE, USUAL_GOALS, WAYS, same, word } from "./board.js";
import { $, grouped, plural, say } from "./dom.js";
import { ALONE } from "./net.js";
import { isHere, isSmall } from "./library.js";

// Sets up the words and returns the functions that draw them, after each change, and announce a move. `missing` gives the reason why
// there is no oracle.
export function statusView(game, missing, truthShown) {
  // When the first move from the start was made, and how long it took from there to the goal, in milliseconds.
  let began = null;
  let took = null;

  function time({ what }) {
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
    $("finish").classList.toggle("vacant", !game.solved);
    $("outcome").textContent = game.said || outcome();
    const { shape } = game;
    $("source").textContent = isSmall(shape)
      ? `Every number here comes from a table of all ${grouped(shape.states)} boards that this page keeps.${ALONE ? "" : " It goes on working when the server is gone."}`
      : isHere(shape) ? "Distances of boards of this shape are found by searches, each proved to be the shortest; the hardest take too long."
      : ALONE ? "Distances of boards of this shape are not known to this page."
      : "Play goes on when the server is gone. Distances of boards of this shape come from the server, if it has them.";
    const usual = same(game.goal, USUAL_GOALS.last(shape));
    const [far, unit] = distance();
    $("distance").textContent = far;
    $("again").hidden = !troubled();
    $("distance-words").textContent = unit + (game.known && !game.solved && !usual ? `, ${word(game.goal)}` : "");
  }

  // Whether the distance was asked for and not answered, by something that may answer later.
  const troubled = () => game.solvable && !game.solved && !game.known &&
    Boolean(game.oracle ? game.oracle.trouble(game.board) : !ALONE && game.oracle === undefined && missing());

  // The distance, and what is said beside it.
  function distance() {
    if (!game.solvable) return ["∞", `This board cannot be solved to ${word(game.goal)}.`];
    if (game.solved) return [0, "Solved."];
    if (game.known) return [game.distance, `${game.distance === 1 ? "move" : "moves"} from the goal`];
    const proved = game.oracle?.bounds(game.board);
    if (proved?.distance === null) return [`${proved.at_least}–${proved.at_most}`, "moves from the goal, as far as is proved"];
    if (proved) return [proved.distance, "moves from the goal"];
    const trouble = game.oracle?.trouble(game.board);
    if (trouble) return ["?", `The distance is not known: ${trouble}.`];
    if (missing() && !game.oracle) return ["?", missing()];
    return [game.oracle ? "…" : "–", "The distance is being looked for."];
  }

  function outcome() {
    if (!game.solvable) return "The panel Edit shows why.";
    const [best, made] = [game.distances[0], game.at];
    const count = game.plan?.solutions.count ?? null;
    if (made === 0) return count === null ? "" : `${plural(count, "shortest solution")}.`;
    const moves = plural(made, "move") + (game.helped ? " with help" : "");
    if (!game.known || best === null) return `${moves} made.`;
    const extra = made + game.distance - best;
    const lost = extra === 0 ? "none lost" : `${extra} more than needed`;
    if (!game.solved) return `${plural(made, "move")} made, ${lost}.`;
    return extra === 0 ? `${moves}: that is the optimum.` : `${moves}; the optimum is ${best}: ${lost}.`;
  }

  // Announces a move to screen readers.
  function announce({ tile, move, back }) {
    const what = `${back ? "Back: tile" : "Tile"} ${tile} ${WAYS[OPPOSITE[move]]}.`;
    if (game.distances.slice(-2).includes(null) || !truthShown()) return say(game.solved ? `${what} Solved.` : what);
    const closer = game.distances.at(-1) < (game.distances.at(-2) ?? Infinity);
    const far = game.solved ? `Solved. ${outcome()}` : `${plural(game.distance, "move")} from the goal${back ? "" : closer ? ", closer" : ", farther"}.`;
    say(`${what} ${far}`);
  }

  setInterval(clock, 1000);
  game.addEventListener("change", ({ detail }) => time(detail));
  return { words, announce };
}

// A game: boards of a chosen distance with their difficulty, hints, and the solution.
import { Puzzledb } from "puzzledb";

const $ = (id) => document.getElementById(id);
const puzzledb = await Puzzledb.load();
let probe; // what is known of the board that is shown

function show(board, words) {
  probe = puzzledb.probe(board);
  $("board").replaceChildren(...[...board].map((tile) => {
    const button = document.createElement("button");
    button.textContent = tile === "0" ? "" : tile;
    button.onclick = () => slide(probe.steps.find((step) => step.tile === Number(tile)));
    return button;
  }));
  $("distance").textContent = words ?? (probe.distance ? `${probe.distance} moves to the goal` : "Solved");
}

const slide = (step) => step && show(step.board);

$("new").onclick = () => {
  const { board, distance, difficulty } = puzzledb.random({ distance: Number($("far").value), rate: true });
  show(board, `${distance} moves to the goal, difficulty ${difficulty}`);
};
$("hint").onclick = () => $("board").children[probe.board.indexOf(probe.steps[0].tile)].classList.add("hint");
$("solve").onclick = function play() {
  if (probe.distance > 0) slide(probe.steps[0]), setTimeout(play, 200);
};
$("new").click();

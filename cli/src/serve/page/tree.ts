// The first levels of a search tree and the way to the board that is expanded, with a small board for each node.

import { type Board, MOVES, type Move, OPPOSITE, type Shape, parse, slide, word } from "./board.js";
import { miniBoard, svg } from "./dom.js";
import type { TraceStep } from "./puzzledb.js";

const [SIZE, GAP, LEVEL] = [40, 12, 84];

const LONGEST = 80; // moves of a way that is drawn

// The boards on the way to the expansion `at` of a trace, the start first; of several ways the latest. Nothing if it is too long to
// be drawn, or the trace does not hold it, as where a search draws boards.
export function wayTo(trace: TraceStep[], at: number, shape: Shape) {
  const way = [trace[at].board];
  let { g } = trace[at];
  if (g > LONGEST) return [];
  for (let i = at - 1; i >= 0 && g > 0; i--) {
    if (trace[i].g === g - 1 && beside(parse(trace[i].board, shape), way[0])) {
      way.unshift(trace[i].board);
      g -= 1;
    }
  }
  return g === 0 ? way : [];
}

const beside = (board: Board, id: string) => MOVES.some((move) => {
  const next = slide(board, move);
  return next !== null && word(next) === id;
});

// The tree of the boards that the search expands at any time, and their successors. It has those of
// the first levels, and all on the way to the expansion that is shown.
interface Node {
  board: Board;
  id: string;
  children: Node[];
  current: boolean;
  x: number;
  y: number;
}

function grow(board: Board, last: Move | null, depth: number, levels: number, order: Map<string, number>, way: string[]): Node {
  const id = word(board);
  const onWay = way[depth] === id;
  const opens = (depth < levels || onWay) && order.has(id);
  const children = (opens ? MOVES.filter((move) => !last || move !== OPPOSITE[last]) : []).flatMap((move) => {
    const next = slide(board, move);
    return next ? [grow(next, move, depth + 1, levels, order, onWay ? way : [])] : [];
  });
  return { board, id, children, current: onWay && depth === way.length - 1, x: 0, y: 0 };
}

// Sets the place of each node: leaves side by side, parents centred above their children.
function layOut(node: Node, depth: number, free: { next: number; depth: number }) {
  free.depth = Math.max(free.depth, depth);
  node.children.forEach((child) => layOut(child, depth + 1, free));
  node.y = depth * LEVEL + 6;
  if (node.children.length === 0) node.x = 6 + SIZE / 2 + (SIZE + GAP) * free.next++;
  else node.x = (node.children[0].x + node.children.at(-1)!.x) / 2;
}

// Draws so many levels of the tree below `start`, and the `way` to the board that is shown. `order` maps a board to the number of
// its first expansion, `now` is the number of the expansion that is shown, and `distance` gives a board's true distance, or null.
export function tree(start: Board, levels: number, way: string[], order: Map<string, number>, now: number, distance: (board: Board) => number | null) {
  const root = grow(start, null, 0, levels, order, way);
  const free = { next: 0, depth: 0 };
  layOut(root, 0, free);
  const parts: SVGElement[] = [];
  const draw = (node: Node, far: number | null) => {
    const nth = order.get(node.id);
    const opened = nth !== undefined && nth <= now;
    for (const child of opened ? node.children : []) {
      const farChild = distance(child.board);
      const best = farChild !== null && far !== null && farChild < far ? " best" : "";
      parts.push(svg("line", { x1: node.x, y1: node.y + SIZE + 16, x2: child.x, y2: child.y - 4, class: `branch${best}` }));
      draw(child, farChild);
    }
    const state = node.current || nth === now ? "current" : opened ? "opened" : "waiting";
    parts.push(svg("g", { transform: `translate(${node.x - SIZE / 2} ${node.y})`, class: "node", "data-board": node.id },
      miniBoard(node.board, SIZE, state),
      svg("text", { x: SIZE / 2, y: SIZE + 13, "text-anchor": "middle", class: "node-word" }, [opened && `#${nth! + 1}`, far !== null && `d${far}`].filter(Boolean).join(" "))));
  };
  draw(root, distance(start));
  const [width, height] = [free.next * (SIZE + GAP) + 6, free.depth * LEVEL + SIZE + 24];
  const opened = [...order].filter(([, nth]) => nth <= now).length;
  return svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": `The first levels of the tree from ${word(start)}, and the way to the board that is expanded; ${opened} boards were expanded in all.` }, ...parts);
}

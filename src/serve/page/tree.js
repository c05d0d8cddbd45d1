// The first levels of a search tree, drawn with a small board for each node.

import { MOVES, OPPOSITE, slide, word } from "./board.js";
import { miniBoard, svg } from "./dom.js";

// No board occurs twice in levels as few as these, since the shortest cycle has 12 moves.
const [SIZE, GAP, LEVEL] = [40, 12, 84];

// The tree of all boards of the first levels that the search expands at any time, and their successors:
// {board, id, children}. It holds the later ones too, so that no node moves while the search is played.
function grow(board, last, levels, order) {
  const id = word(board);
  const moves = levels > 0 && order.has(id) ? MOVES.filter((move) => move !== OPPOSITE[last]) : [];
  const children = moves.flatMap((move) => {
    const next = slide(board, move);
    return next ? [grow(next, move, levels - 1, order)] : [];
  });
  return { board, id, children };
}

// Sets the place of each node: leaves side by side, parents centred above their children.
function layOut(node, depth, free) {
  node.children.forEach((child) => layOut(child, depth + 1, free));
  node.y = depth * LEVEL + 6;
  if (node.children.length === 0) node.x = 6 + SIZE / 2 + (SIZE + GAP) * free.next++;
  else node.x = (node.children[0].x + node.children.at(-1).x) / 2;
}

// Draws so many levels of the tree below `start`. `order` maps a board to the number of its first expansion, `now` is the number
// of the expansion that is shown, and `distance` gives a board's true distance, or null.
export function tree(start, levels, order, now, distance) {
  const root = grow(start, null, levels, order);
  const free = { next: 0 };
  layOut(root, 0, free);
  const parts = [];
  const draw = (node, far) => {
    const nth = order.get(node.id);
    const opened = nth !== undefined && nth <= now;
    for (const child of opened ? node.children : []) {
      const farChild = distance(child.board);
      const best = farChild !== null && farChild < far ? " best" : "";
      parts.push(svg("line", { x1: node.x, y1: node.y + SIZE + 16, x2: child.x, y2: child.y - 4, class: `branch${best}` }));
      draw(child, farChild);
    }
    const state = nth === now ? "current" : opened ? "opened" : "waiting";
    parts.push(svg("g", { transform: `translate(${node.x - SIZE / 2} ${node.y})`, class: "node", "data-board": node.id },
      miniBoard(node.board, SIZE, state),
      svg("text", { x: SIZE / 2, y: SIZE + 13, "text-anchor": "middle", class: "node-word" }, [opened && `#${nth + 1}`, far !== null && `d${far}`].filter(Boolean).join(" "))));
  };
  draw(root, distance(start));
  const [width, height] = [free.next * (SIZE + GAP) + 6, levels * LEVEL + SIZE + 24];
  const opened = [...order].filter(([, nth]) => nth <= now).length;
  return svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": `The first levels of the tree from ${word(start)}; ${opened} boards were expanded in all.` }, ...parts);
}

// Who knows the distances to a goal: the page itself where the shape is small, or with the table of 3x3 boards, which it
// fetches once and keeps; otherwise the server, if it serves the shape.

import { keepPage } from "./keep.js";
import { ALONE, net } from "./net.js";
import { SmallOracle, isSmall } from "./oracle.js";
import { ServerOracle } from "./server.js";
import { CLASS_GOALS, Table, TableOracle, classOf } from "./table.js";

const tables = new Map();

function table(blank) {
  if (!tables.has(blank)) {
    const file = ALONE ? `page/3x3-${blank}.pzdb` : `v1/3x3/database?encoding=bit&goal=${CLASS_GOALS[blank]}`;
    const fetched = net.bytes(file).then((bytes) => new Table(bytes));
    fetched.catch(() => tables.delete(blank));
    tables.set(blank, fetched);
  }
  return tables.get(blank);
}

// Fetches the tables of all classes of goals, in advance, and has the page kept once they are there.
let prepared = null;
function prepare() {
  const all = () => Promise.all(Object.keys(CLASS_GOALS).map((blank) => table(Number(blank))));
  prepared ??= all().then(keepPage).catch(() => (prepared = null));
}

// The oracle for a goal, or null if nobody has one. Throws if the server cannot be asked now.
export async function oracleFor(goal) {
  const { shape } = goal;
  if (isSmall(shape)) return new SmallOracle(goal);
  if (shape.name === "3x3") {
    const oracle = new TableOracle(await table(classOf(goal)), goal);
    prepare();
    return oracle;
  }
  const { shapes } = await net.ask("", {}, { cache: "no-cache" }); // another server may have been started since
  const turned = `${shape.cols}x${shape.rows}`;
  const served = shapes.find((one) => one.shape === shape.name || one.shape === turned);
  return served ? new ServerOracle(goal, served.database) : null;
}

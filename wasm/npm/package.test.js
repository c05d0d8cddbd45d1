// The package as it is published: packed, unpacked beside a program, and imported by it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const folder = mkdtempSync(join(tmpdir(), "puzzledb-"));
after(() => rmSync(folder, { recursive: true }));
const options = { cwd: import.meta.dirname ?? new URL(".", import.meta.url).pathname, encoding: "utf8" };
const [{ filename, files }] = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", folder], options));
execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", "--prefix", folder, join(folder, filename)], options);

const run = (program) => {
  const file = join(folder, "program.mjs");
  writeFileSync(file, program);
  return execFileSync("node", [file], { encoding: "utf8" }).trim();
};
const loaded = 'import { Puzzledb, Refused } from "puzzledb"; const puzzledb = await Puzzledb.load();';

test("the package has the modules, their script and its types, and a game", () => {
  const names = files.map(({ path }) => path).sort();
  assert.deepEqual(names, ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "demo/index.html", "demo/play.js", "package.json", "puzzledb.d.ts", "puzzledb.js", "puzzledb.wasm.gz", "verify.wasm.gz"]);
});

test("the example of the README gives the distance and a hint", () => {
  const [, example] = readFileSync(new URL("README.md", import.meta.url), "utf8").split(/```(?:js)?\n/);
  assert.equal(run(`${example} console.log(distance, hint.move, hint.tile, hint.distance);`), "19 R 4 18");
});

test("boards of every shape up to 16 cells are solved, to any goal", () => {
  const program = `${loaded} const { distance, moves } = puzzledb.solution("1204573ad98cebf6");
    console.log(distance, moves.length, puzzledb.distance("0937154826", { shape: "2x5" }), puzzledb.distance("281043765", { goal: "spiral" }));`;
  assert.equal(run(program), "22 22 55 9");
});

test("a board that cannot be solved is refused with the reason, and the next question is answered", () => {
  const program = `${loaded} try { puzzledb.probe("704851623"); } catch (error) {
    console.log(error instanceof Refused, /parity/.test(error.message), (await puzzledb.verify("19", { board: "704851632" })).records[0].verdict); }`;
  assert.equal(run(program), "true true optimal");
});

test("a board is a text, a number or a list of rows, and a refusal has a code", () => {
  const program = `${loaded} const rows = [[7, 0, 4], [8, 5, 1], [6, 3, 2]];
    console.log(["704851632", 704851632, rows, rows.flat()].map((board) => puzzledb.distance(board)).join());
    try { puzzledb.probe("123"); } catch ({ code }) { console.log(code); }`;
  assert.equal(run(program), "19,19,19,19\nbad-board");
});

test("many boards are probed by one question, each with its probe or why there is none", () => {
  const program = `${loaded} const { probes } = puzzledb.ask("3x3/probe", {}, JSON.stringify({ boards: ["704851632", "12", [[1, 2, 3], [4, 5, 6], [8, 7, 0]]] }));
    console.log(probes.map(({ distance, code }) => distance ?? code).join());
    for (const body of ["{}", "null", "boards"]) {
      try { puzzledb.ask("3x3/probe", {}, body); } catch (error) { console.log(error instanceof Refused, error.code); }
    }`;
  assert.equal(run(program), `19,bad-board,unsolvable${"\ntrue bad-option".repeat(3)}`);
});

test("many boards are bytes, and so are their distances", () => {
  const program = `${loaded} const boards = Uint8Array.from("704851632536407182123456870", Number);
    console.log(puzzledb.distances_of(boards).join(), puzzledb.distances_of(Uint8Array.of(1, 2, 0, 3), { shape: "2x2" }).join());
    try { puzzledb.distances_of(boards, { goal: "middle" }); } catch (error) { console.log(error instanceof Refused, error.code); }
    const many = new Uint8Array(9 * 1e6).map((_, i) => boards[i % 18]);
    const begun = performance.now();
    const distances = puzzledb.distances_of(many);
    const seconds = (performance.now() - begun) / 1000;
    console.log(distances.length, distances[999999], seconds < 4);
    console.error("distances a second:", Math.round(1e6 / seconds));`;
  assert.equal(run(program), "19,22,255 1\ntrue bad-board\n1000000 22 true");
});

test("a worker answers by promises, within a time and until a signal", () => {
  const program = `${loaded} const worker = await Puzzledb.worker();
    console.log((await worker.verify("19", { board: "704851632" })).records[0].verdict, (await worker.ask("3x3/verify", {}, "704851632 21")).records[0].verdict);
    console.log(await worker.distance("704851632"), (await worker.distances_of(Uint8Array.of(1, 2, 0, 3), { shape: "2x2" })).join());
    const refused = ({ code }) => code;
    const hard = { shape: "4x4", goal: "first" };
    const late = worker.solutions("fe8cab9d26513740", { ...hard, timeout: 0.2 }).catch(refused);
    const stop = new AbortController();
    const given_up = worker.solutions("fe8cab9d26513740", { ...hard, signal: stop.signal }).catch(refused);
    const next = worker.distance("536407182");
    setTimeout(() => stop.abort(), 300);
    console.log(await late, await given_up, await next, await worker.probe("12").catch(refused));
    worker.close();`;
  assert.equal(run(program), "optimal suboptimal +2\n19 1\ntimed-out cancelled 22 bad-board");
});

test("a file that is not there is named", () => {
  const program = `import { Puzzledb } from "puzzledb"; await Puzzledb.load(new URL("file:///no/such.wasm.gz")).catch(({ message }) => console.log(message));`;
  assert.match(run(program), /no\/such\.wasm\.gz/);
});

test("a bundler puts it into a script, with the module beside it", (context) => {
  writeFileSync(join(folder, "bundled.mjs"), `${loaded} console.log(puzzledb.distance("704851632"));`);
  const out = join(folder, "out");
  const bundler = ["exec", "--yes", "--package=esbuild@0.28.2", "--", "esbuild"];
  const settings = [join(folder, "bundled.mjs"), "--bundle", "--format=esm", "--external:node:*", "--log-level=warning", `--outfile=${out}/game.mjs`];
  try {
    execFileSync("npm", [...bundler, "--version"], { encoding: "utf8", timeout: 40_000 });
  } catch {
    return context.skip("esbuild cannot be had here");
  }
  execFileSync("npm", [...bundler, ...settings], { encoding: "utf8" });
  copyFileSync(join(folder, "node_modules/puzzledb/puzzledb.wasm.gz"), join(out, "puzzledb.wasm.gz"));
  assert.equal(execFileSync("node", [join(out, "game.mjs")], { encoding: "utf8" }).trim(), "19");
});

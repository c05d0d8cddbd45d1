// The package as it is published: packed, unpacked beside a program, and imported by it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

test("the package has the module, its script and its types", () => {
  const names = files.map(({ path }) => path).sort();
  assert.deepEqual(names, ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "package.json", "puzzledb.d.ts", "puzzledb.js", "puzzledb.wasm.gz"]);
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
    console.log(error instanceof Refused, /parity/.test(error.message), puzzledb.verify("19", { board: "704851632" }).records[0].verdict); }`;
  assert.equal(run(program), "true true optimal");
});

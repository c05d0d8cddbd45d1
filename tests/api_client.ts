// Asks a server through the types that openapi-typescript makes of its OpenAPI document: `tsc --strict` checks each call, and
// Node.js makes it. Usage: node api_client.js ADDRESS
import createClient from "openapi-fetch";
import type { paths } from "./api";

declare const process: { argv: string[] };

const client = createClient<paths>({ baseUrl: process.argv[2] ?? "" });
const path = { shape: "3x3" };
const board = "704851632";

// Ends the program unless two values are the same.
function same<T>(value: T, expected: T, name: string): void {
  if (value !== expected) throw new Error(`${name}: ${JSON.stringify(value)}`);
}

const probe = await client.GET("/v1/{shape}/probe", { params: { path, query: { board } } });
if (!probe.data || !("steps" in probe.data)) throw new Error("bounds");
same(probe.data.distance, 19, "probe");
same(probe.data.steps[0]?.move, "R", "the best move");

const solve = await client.GET("/v1/{shape}/solve", { params: { path, query: { board } } });
const moves: string | null | undefined = solve.data?.moves;
same(moves?.length, 19, "solve");

const solutions = await client.GET("/v1/{shape}/solutions", { params: { path, query: { board: "536407182", limit: 2 } } });
const all: string[] | null | undefined = solutions.data?.solutions;
same(all?.length, 2, "solutions");

const many = await client.POST("/v1/{shape}/solve", { params: { path }, body: { boards: [board, "123456870"] } });
if (!many.data || "board" in many.data) throw new Error("no list");
const [first, second] = many.data.solutions;
if (!first || !("moves" in first) || !second || !("error" in second)) throw new Error("not a solution and a refusal");
same(first.moves, moves, "solve by POST");
same(second.code, "unsolvable", "a refusal in a list");

const random = await client.GET("/v1/{shape}/random", { params: { path, query: { distance: 31, seed: 7 } } });
same(random.data?.distance, 31, "random");

const stats = await client.GET("/v1/{shape}/stats", { params: { path } });
same(stats.data?.histogram[31]?.states, 2, "stats");

const search = await client.GET("/v1/{shape}/search", { params: { path, query: { board, algorithm: "idastar", trace: 5 } } });
same(search.data?.trace?.length, 5, "search");

const effort = await client.GET("/v1/{shape}/effort", { params: { path, query: { board, algorithm: "astar" } } });
if (!effort.data || effort.data.least > effort.data.most) throw new Error("effort");

const heuristics = await client.GET("/v1/{shape}/heuristics", { params: { path, query: { board } } });
same(heuristics.data?.distance, 19, "heuristics");

const verify = await client.POST("/v1/{shape}/verify", { params: { path }, body: { claims: [{ board, length: 19 }] } });
if (!verify.data || !("records" in verify.data)) throw new Error("a line");
same(verify.data.records[0]?.verdict, "optimal", "verify");

const served = await client.GET("/v1/");
same(served.data?.shapes.some(({ shape }) => shape === "3x3"), true, "served");

const refused = await client.GET("/v1/{shape}/probe", { params: { path, query: { board: "12345678" } } });
same(refused.error?.code, "bad-board", "a refusal");
console.log("the typed client asked everything");

// Who answers the page's questions: the library, as modules in a worker, or the server. Their records are the same.

import type { Shape } from "./board.js";
import { keepPage } from "./keep.js";
import { Dropped, Gone, IS_ONE_FILE, type Query, Refused, net } from "./net.js";
import { compile, later } from "./puzzledb.js";
import type { Bounds, Drawn, Effort, Estimates, Expansions, Probe, Search, Solution, Solutions, Stats, Verified } from "./puzzledb.js";

const FILES = ["puzzledb.js", "puzzledb.wasm.gz"];
const PATIENCE = 300; // milliseconds that a question may go on after it was given up

// The records of the questions, by the end of their path.
interface Records {
  effort: Effort;
  expansions: Expansions;
  heuristics: Estimates;
  probe: Probe;
  random: Drawn;
  search: Search;
  solution: Solution;
  solutions: Solutions | Bounds;
  stats: Stats;
  verify: Verified;
}

// A question in the form of Puzzledb.ask in puzzledb.js: path, query, body, and for `verify` its module.
type Question = [string, Query, string | undefined, WebAssembly.Module?];

interface Asked {
  question: Question;
  done: (answer: unknown) => void;
  refuse: (why: Error) => void;
}

// How a question is asked: `here` by the library alone.
export interface Init {
  body?: string;
  signal?: AbortSignal;
  here?: boolean;
}

class Library {
  #made: { script: string; module: WebAssembly.Module } | null = null; // what a worker is made of, once it is there
  #worker: Worker | null = null;
  #questions: Asked[] = []; // the first is being answered

  // Loads the module, once; it is asked from then on. The whole page is kept then.
  load = later(async () => {
    const [script, module] = await Promise.all(FILES.map((file) => net.bytes(file)));
    this.#made = { script: URL.createObjectURL(new Blob([script], { type: "text/javascript" })), module: await compile(module) };
    this.#verifier().catch(() => null).then(keepPage).catch(() => null); // answers are judged when the server is gone, too
  });

  #verifier = later(() => net.bytes("verify.wasm.gz").then(compile));

  get isLoaded() {
    return this.#made !== null;
  }

  // Asks a question, as Puzzledb.ask in puzzledb.js.
  async ask(question: Question, signal?: AbortSignal) {
    await this.load();
    if (question[0].endsWith("verify")) question[3] = await this.#verifier();
    return new Promise<unknown>((done, refuse) => {
      const asked = { question, done, refuse };
      signal?.addEventListener("abort", () => this.#drop(asked));
      if (signal?.aborted) refuse(new Dropped());
      else if (this.#questions.push(asked) === 1) this.#next();
    });
  }

  #next() {
    if (!this.#worker) {
      const made = this.#made!; // a question waits for it
      const worker = new Worker(made.script, { type: IS_ONE_FILE ? "classic" : "module", name: "puzzledb" });
      this.#worker = worker;
      worker.postMessage(made.module);
      worker.onmessage = ({ data: { ok, error } }) => {
        if (worker !== this.#worker) return; // it was replaced
        const { done, refuse } = this.#questions.shift()!;
        if (error === undefined) done(ok);
        else refuse(new Refused(error));
        if (this.#questions.length > 0) this.#next();
      };
    }
    this.#worker.postMessage(this.#questions[0].question);
  }

  // A question that waits is taken back at once; one that is being answered ends with its worker.
  #drop(asked: Asked) {
    asked.refuse(new Dropped());
    const at = this.#questions.indexOf(asked);
    if (at > 0) this.#questions.splice(at, 1);
    if (at === 0) setTimeout(() => this.#questions[0] === asked && this.#restart(), PATIENCE);
  }

  #restart() {
    this.#worker!.terminate();
    this.#worker = null;
    this.#questions.shift();
    if (this.#questions.length > 0) this.#next();
  }
}

export const library = new Library();

// Shapes whose boards are all in a table, which takes milliseconds; and those whose boards the library can solve.
export const isSmall = (shape: Shape) => shape.cells <= 10;
export const isHere = (shape: Shape) => shape.cells <= 16;

// Asks about boards of a shape: the library, if it is loaded or `here`; otherwise the server, and the library if that does
// not answer.
export async function ask<N extends keyof Records>(shape: Shape, name: N, query: Query, { body, signal, here = false }: Init = {}): Promise<Records[N]> {
  const path = `${shape.name}/${name}`;
  const question: Question = [path, query, body];
  const askLibrary = () => library.ask(question, signal) as Promise<Records[N]>;
  if (here || (library.isLoaded && isSmall(shape))) return askLibrary();
  const type = body?.startsWith("{") ? "application/json" : "text/plain";
  const init = body === undefined ? {} : { method: "POST", body, headers: { "content-type": type } };
  try {
    if (net.online === false) throw new Gone();
    return await net.ask(path, query, { ...init, signal });
  } catch (error) {
    const other = error instanceof Gone ? isHere(shape) : error instanceof Refused && isSmall(shape);
    if (!other) throw error;
    return askLibrary();
  }
}

// The library as two WebAssembly modules, one of them for `verify`: for the page, whose worker this is, and for the npm package.

const imports = { puzzledb: { now: () => performance.now() } };

// Expansions that a search returns, by modules of this version and of the one before.
const MOST_TRACED = [200000, 10000];

// A question is refused; the message says why, and `code` of what kind the refusal is.
export class Refused extends Error {
  constructor(message, code = null) {
    super(message);
    this.code = code;
  }
}

async function read(url) {
  if (url.protocol === "file:") return (await import("node:fs/promises")).readFile(url);
  const response = await fetch(url).catch((error) => {
    throw new Error(`${url} cannot be fetched: ${error.message}`);
  });
  if (!response.ok) throw new Error(`${url} cannot be fetched: the server answered ${response.status}`);
  return response.arrayBuffer();
}

// The module of a URL, of bytes or as it is. Its file is compressed.
export async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  const bytes = new Uint8Array(source instanceof URL ? await read(source) : source);
  const packed = bytes[0] === 0x1f && bytes[1] === 0x8b; // gzip
  const plain = packed ? await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer() : bytes;
  return WebAssembly.compile(plain);
}

const beside = () => new URL("puzzledb.wasm.gz", import.meta.url);
const verifier = () => new URL("verify.wasm.gz", import.meta.url);

// Returns a function that makes something when it is first called, and again only after a failure.
export const later = (make) => {
  let made = null;
  return () =>
    (made ??= make().catch((error) => {
      made = null;
      throw error;
    }));
};
const isVerify = (path) => path.endsWith("verify");
const after = (value, then) => (value instanceof Promise ? value.then(then) : then(value));

// The questions, which `ask` answers at once or later.
class Questions {
  distance(board, options) {
    return after(this.probe(board, options), (probe) => probe.distance);
  }

  probe(board, options) {
    return this.ask("probe", { board, ...options });
  }

  solution(board, options) {
    return this.ask("solution", { board, ...options });
  }

  solutions(board, options) {
    return this.ask("solutions", { board, ...options });
  }

  random(options) {
    return this.ask("random", { shape: "3x3", seed: Math.floor(Math.random() * 2 ** 53), ...options });
  }

  stats(options) {
    return this.ask("stats", { shape: "3x3", ...options });
  }

  search(board, options) {
    return this.ask("search", { board, ...options });
  }

  // A search, and the boards that it expanded, a byte a cell, one after the other.
  expansions(board, options) {
    return this.ask("expansions", { board, ...options });
  }

  effort(board, options) {
    return this.ask("effort", { board, ...options });
  }

  heuristics(board, options) {
    return this.ask("heuristics", { board, ...options });
  }

  // A promise in every class: the first question loads its module.
  async verify(text, options) {
    return this.ask("verify", { shape: "3x3", ...options }, text);
  }

  // The distances of boards, a byte a cell in and a byte a board out: 255 where a board is none or has no known distance.
  distances_of(boards, options) {
    return this.ask("distances", { shape: "3x3", ...options }, boards);
  }
}

export class Puzzledb extends Questions {
  #module;
  #verify;
  #exports = {}; // of each module's instance

  constructor(module, verify) {
    super();
    this.#module = module;
    this.#verify = verify;
  }

  // Loads the module: the file beside this one, or another source. That of `verify` is loaded when it is first asked.
  static async load(source = beside(), verify = verifier()) {
    return new Puzzledb(await compile(source), later(() => compile(verify)));
  }

  // Starts a worker with the modules, whose answers are promises.
  static async worker(source = beside(), verify = verifier()) {
    return new PuzzledbWorker(await compile(source), await starter(), later(() => compile(verify)));
  }

  // Asks a question of the HTTP API, such as "3x3/probe" or "search", with the parameters of its query and the text of its
  // body. Returns the record, for `verify` a promise of it unless its module is given, or throws Refused.
  ask(path, query = {}, body = "", module = undefined) {
    if (isVerify(path) && !module) return this.#verify().then((module) => this.ask(path, query, body, module));
    if (path.endsWith("expansions")) return this.#expansions(path.replace("expansions", "search"), query);
    if (path.endsWith("probe") && body !== "") return this.#probes(path, query, body);
    const { signal, timeout, ...parameters } = query; // of a worker
    const encode = (text) => new TextEncoder().encode(text);
    const [name, shape] = path.split("/").reverse();
    const there = Object.entries({ ...parameters, ...(shape && { shape }) }).filter(([, value]) => ![undefined, "null"].includes(JSON.stringify(value)));
    const options = there.map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]);
    const line = encode(`${JSON.stringify([name, options])}\n`);
    const answer = this.#answer(line, body instanceof Uint8Array ? body : encode(body), module);
    if (answer[0] === 0) return answer.slice(1); // bytes, else it is JSON
    const { ok, error, code } = JSON.parse(new TextDecoder().decode(answer));
    if (error !== undefined) throw new Refused(error, code);
    return ok;
  }

  // A probe of each board, or why there is none.
  #probes(path, query, body) {
    const probe = (board) => {
      try {
        return this.ask(path, { ...query, board });
      } catch ({ message, code }) {
        return { board, error: message, code };
      }
    };
    try {
      return { probes: JSON.parse(body).boards.map(probe) };
    } catch ({ message }) {
      throw new Refused(`the body is no object with boards (${message})`, "bad-option");
    }
  }

  #expansions(path, query) {
    const { trace, ...record } = this.#traced(path, query, MOST_TRACED);
    const boards = trace.map(({ board }) => Uint8Array.from(board, (cell) => parseInt(cell, 36)));
    const expanded = new Uint8Array(boards.length * (boards[0]?.length ?? 0));
    boards.forEach((board, i) => expanded.set(board, i * board.length));
    return { ...record, expanded };
  }

  #traced(path, query, [most, ...fewer]) {
    try {
      return this.ask(path, { ...query, trace: most });
    } catch (error) {
      if (error.code !== "bad-option" || fewer.length === 0) throw error;
      return this.#traced(path, query, fewer);
    }
  }

  #answer(line, body, verify) {
    const own = verify ? "verify" : "main";
    this.#exports[own] ??= new WebAssembly.Instance(verify ?? this.#module, imports).exports;
    const { memory, buffer, answer } = this.#exports[own];
    const part = (length) => {
      const place = buffer(length); // may replace memory.buffer
      return new Uint8Array(memory.buffer, place, length);
    };
    try {
      const request = part(line.length + body.length);
      request.set(line);
      request.set(body, line.length);
      return part(answer());
    } catch (error) {
      this.#exports[own] = null; // a trap leaves the instance unusable: the next question gets another
      throw new Refused(`it takes more memory than there is (${error.message})`, "busy");
    }
  }
}

// What starts a worker: of a browser, or a thread of Node.js. Each has `post`, `end` and `onanswer`.
async function starter() {
  if (globalThis.Worker) {
    return () => {
      const worker = new Worker(import.meta.url, { type: "module", name: "puzzledb" });
      const started = { post: (message) => worker.postMessage(message), end: () => worker.terminate() };
      worker.onmessage = ({ data }) => started.onanswer(data);
      worker.onerror = () => started.onanswer({ error: "the worker has failed", code: null });
      return started;
    };
  }
  const { Worker: Thread } = await import("node:worker_threads");
  const program = `const { parentPort, workerData } = require("node:worker_threads");
    const ready = import(workerData).then(({ answering }) => answering((answer) => parentPort.postMessage(answer)));
    parentPort.on("message", (message) => ready.then((take) => take(message)));`;
  return () => {
    const thread = new Thread(program, { eval: true, workerData: import.meta.url });
    thread.unref(); // an idle worker does not keep the program
    const started = { post: (message) => (thread.ref(), thread.postMessage(message)), end: () => thread.terminate() };
    thread.on("message", (answer) => (thread.unref(), started.onanswer(answer)));
    thread.on("error", ({ message }) => started.onanswer({ error: message, code: null }));
    return started;
  };
}

// The library in a worker: each question is a promise, and may have a `signal` and a `timeout` in seconds.
class PuzzledbWorker extends Questions {
  #module;
  #start;
  #verify;
  #worker = null;
  #questions = []; // the first is being answered

  constructor(module, start, verify) {
    super();
    this.#module = module;
    this.#start = start;
    this.#verify = verify;
  }

  ask(path, options = {}, body = "", module = undefined) {
    if (isVerify(path) && !module) return this.#verify().then((module) => this.ask(path, options, body, module));
    const { signal, timeout, ...query } = options;
    return new Promise((done, refuse) => {
      const asked = { question: [path, query, body, module], done, refuse };
      const stop = (message, code) => this.#drop(asked, new Refused(message, code));
      const cancel = () => stop("the question was cancelled", "cancelled");
      const late = timeout === undefined ? null : setTimeout(() => stop(`there was no answer within ${timeout} s`, "timed-out"), timeout * 1000);
      asked.end = () => {
        clearTimeout(late);
        signal?.removeEventListener("abort", cancel);
      };
      signal?.addEventListener("abort", cancel);
      if (this.#questions.push(asked) === 1) this.#next();
      if (signal?.aborted) cancel();
    });
  }

  // Ends the worker; questions that wait are refused.
  close() {
    for (const asked of [...this.#questions].reverse()) this.#drop(asked, new Refused("the worker was closed", "cancelled"));
  }

  #next() {
    if (this.#questions.length === 0) return;
    if (!this.#worker) {
      const worker = (this.#worker = this.#start());
      worker.onanswer = ({ ok, error, code }) => {
        if (worker !== this.#worker) return; // it was replaced
        const { done, refuse, end } = this.#questions.shift();
        end();
        if (error === undefined) done(ok);
        else refuse(new Refused(error, code));
        this.#next();
      };
      worker.post(this.#module);
    }
    this.#worker.post(this.#questions[0].question);
  }

  // A question that waits is taken back; one that is being answered ends with its worker.
  #drop(asked, why) {
    const at = this.#questions.indexOf(asked);
    if (at < 0) return;
    this.#questions.splice(at, 1);
    asked.end();
    asked.refuse(why);
    if (at > 0) return;
    this.#worker?.end();
    this.#worker = null;
    this.#next();
  }
}

// What a worker does with its messages: the first is the module, the others are questions.
export function answering(post) {
  let puzzledb;
  return (message) => {
    if (message instanceof WebAssembly.Module) puzzledb = new Puzzledb(message);
    else {
      try {
        post({ ok: puzzledb.ask(...message) });
      } catch (error) {
        post({ error: error.message, code: error.code ?? null });
      }
    }
  };
}

if (globalThis.WorkerGlobalScope && self.name === "puzzledb") {
  const take = answering((answer) => postMessage(answer));
  self.onmessage = ({ data }) => take(data);
}

// The library as a WebAssembly module: for the page, whose worker this is, and for the npm package.

const imports = { puzzledb: { now: () => performance.now() } };

// A question is refused; the message says why.
export class Refused extends Error {}

// The module of a URL, of bytes or as it is. Its file is compressed.
export async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  let bytes = source;
  if (source instanceof URL) {
    const read = source.protocol === "file:" ? (await import("node:fs/promises")).readFile : async (url) => (await fetch(url)).arrayBuffer();
    bytes = await read(source);
  }
  bytes = new Uint8Array(bytes);
  const packed = bytes[0] === 0x1f && bytes[1] === 0x8b; // gzip
  const plain = packed ? await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer() : bytes;
  return WebAssembly.compile(plain);
}

export class Puzzledb {
  #module;
  #exports = null;

  constructor(module) {
    this.#module = module;
  }

  // Loads the module: the file beside this one, or another source.
  static async load(source = new URL("puzzledb.wasm.gz", import.meta.url)) {
    return new Puzzledb(await compile(source));
  }

  // Asks a question of the HTTP API, such as "3x3/probe" or "search", with the parameters of its query and the text of its
  // body. Returns the record, or throws Refused.
  ask(path, query = {}, body = "") {
    this.#exports ??= new WebAssembly.Instance(this.#module, imports).exports;
    const { memory, buffer, answer } = this.#exports;
    const part = (length) => {
      const place = buffer(length); // may replace memory.buffer
      return new Uint8Array(memory.buffer, place, length);
    };
    const request = new TextEncoder().encode(JSON.stringify({ path, query, body }));
    let length;
    try {
      part(request.length).set(request);
      length = answer();
    } catch (error) {
      this.#exports = null; // a trap leaves the instance unusable: the next question gets another
      throw new Refused(`it takes more memory than there is (${error.message})`);
    }
    const { ok, error } = JSON.parse(new TextDecoder().decode(part(length)));
    if (error !== undefined) throw new Refused(error);
    return ok;
  }

  distance(board, options) {
    return this.probe(board, options).distance;
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

  effort(board, options) {
    return this.ask("effort", { board, ...options });
  }

  heuristics(board, options) {
    return this.ask("heuristics", { board, ...options });
  }

  verify(text, options) {
    return this.ask("verify", { shape: "3x3", ...options }, text);
  }
}

// The page's worker: the first message is the module, the others are questions.
if (globalThis.WorkerGlobalScope && self.name === "puzzledb") {
  let puzzledb;
  self.onmessage = ({ data }) => {
    if (data instanceof WebAssembly.Module) puzzledb = new Puzzledb(data);
    else {
      try {
        postMessage({ ok: puzzledb.ask(...data) });
      } catch (error) {
        postMessage({ error: error.message });
      }
    }
  };
}

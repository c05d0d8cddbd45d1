// The types of puzzledb.js: those of the npm package, and what the page alone uses.

export * from "../../../../wasm/npm/puzzledb.js";

/** The module of a URL, of bytes or as it is. */
export function compile(source: ArrayBuffer): Promise<WebAssembly.Module>;

// The types of puzzledb.js: those of the npm package, and what the page alone uses.

export * from "../../../../wasm/npm/puzzledb.js";

/** A function that makes something when it is first called, and again only after a failure. */
export function later<T>(make: () => Promise<T>): () => Promise<T>;

/** The module of a URL, of bytes or as it is. */
export function compile(source: ArrayBuffer): Promise<WebAssembly.Module>;

// Requests to the server, and whether it can be reached.

// The folder of the page.
export const ROOT = new URL(".", document.baseURI);

// URLs of files by name: those of a server have a digest in the name; a page that is one file has the bytes in the URL.
const FILES: Record<string, string> = JSON.parse(document.getElementById("files")?.textContent ?? "{}");
export const NAMED = Object.values(FILES).map((url) => new URL(url, ROOT).href);
export const IS_ONE_FILE = Object.values(FILES).some((url) => url.startsWith("data:"));

// Was the page written as files, for a host without a server?
export const ALONE = document.documentElement.dataset.server === "none";
export const GONE = ALONE ? "this page has no server" : "the server is gone";

const PAUSE = 4000; // milliseconds between two checks

// The server refused a request; the message is the server's.
export class Refused extends Error {
  constructor(message: string, public code: string | null = null) {
    super(message);
  }
}

// The server could not be reached.
export class Gone extends Error {}

// The question was given up by the page.
export class Dropped extends Error {}

// The parameters of a question.
export type Query = Record<string, string | number>;

class Net extends EventTarget {
  online: boolean | null = ALONE ? false : null; // null: not known yet

  #setOnline(online: boolean) {
    if (this.online === online) return;
    this.online = online;
    this.dispatchEvent(new Event("change"));
  }

  async fetch(path: string, init: RequestInit = {}) {
    if (ALONE) throw new Gone(GONE);
    let response;
    try {
      const late = AbortSignal.timeout(15000); // the server gives up earlier
      response = await fetch(new URL(path, ROOT), { ...init, signal: AbortSignal.any([late, init.signal].filter((signal) => signal instanceof AbortSignal)) });
    } catch {
      if (init.signal?.aborted) throw new Dropped();
      this.#setOnline(false);
      throw new Gone(GONE);
    }
    this.#setOnline(true);
    if (!response.ok) {
      const problem = await response.json().catch(() => ({}));
      throw new Refused(problem.detail ?? `the server answered ${response.status}`, problem.code);
    }
    return response;
  }

  // Requests a path of the API, empty for what is served, with these parameters; returns the JSON of the answer.
  async ask(path: string, parameters: Query, init?: RequestInit) {
    const response = await this.fetch(`v1/${path}?${new URLSearchParams(parameters as Record<string, string>)}`, init);
    return response.json().catch((error) => {
      throw init?.signal?.aborted ? new Dropped() : error;
    });
  }

  // Fetches a file of the page, which the browser may have kept: it says nothing about the server.
  async bytes(name: string) {
    const response = await fetch(new URL(FILES[name] ?? `page/${name}`, ROOT)).catch(() => {
      throw new Gone(GONE);
    });
    if (!response.ok) throw new Refused(`the server answered ${response.status}`);
    return response.arrayBuffer();
  }

  // Checks every few seconds whether the server can be reached, while the page is visible.
  watch() {
    if (ALONE) return;
    const look = () => (document.hidden ? null : this.fetch("healthz", { cache: "no-store" }).catch(() => null));
    setInterval(look, PAUSE);
    addEventListener("visibilitychange", look);
    addEventListener("online", look);
    addEventListener("offline", look);
  }
}

export const net = new Net();

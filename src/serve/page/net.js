// The server: asking it, and noticing when it is gone and when it is back.

const BASE = new URL("../", import.meta.url);
const PAUSE = 4000; // between two looks, in milliseconds

// A refusal by the server, in its own words.
export class Refused extends Error {}

// The server cannot be reached.
export class Gone extends Error {}

class Net extends EventTarget {
  online = null; // not known yet

  #now(online) {
    if (this.online === online) return;
    this.online = online;
    this.dispatchEvent(new Event("change"));
  }

  async fetch(path, init = {}) {
    let response;
    try {
      response = await fetch(new URL(path, BASE), { signal: AbortSignal.timeout(10000), ...init });
    } catch {
      this.#now(false);
      throw new Gone("the server cannot be reached");
    }
    this.#now(true);
    if (!response.ok) {
      const problem = await response.json().catch(() => ({}));
      throw new Refused(problem.detail ?? `the server answered ${response.status}`);
    }
    return response;
  }

  // Asks a path of the API with these parameters; gives the JSON of its answer.
  async ask(path, parameters, init) {
    const response = await this.fetch(`v1/${path}?${new URLSearchParams(parameters)}`, init);
    return response.json();
  }

  async bytes(path, parameters) {
    const response = await this.fetch(`v1/${path}?${new URLSearchParams(parameters)}`);
    return response.arrayBuffer();
  }

  // Looks for the server now and then, for as long as somebody looks at the page.
  watch() {
    const look = () => (document.hidden ? null : this.fetch("healthz", { cache: "no-store" }).catch(() => null));
    setInterval(look, PAUSE);
    addEventListener("visibilitychange", look);
    addEventListener("online", look);
    addEventListener("offline", look);
  }
}

export const net = new Net();

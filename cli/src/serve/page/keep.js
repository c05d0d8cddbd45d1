// Has the browser keep the page, by the worker in sw.js, so that it opens again when the server is gone.

import { el } from "./dom.js";
import { IS_ONE_FILE, ROOT } from "./net.js";

// The worker sees what is fetched once it is there. What the first visit fetched before, it is told.
export async function keepPage() {
  const workers = navigator.serviceWorker; // none where the connection is not secure
  if (!workers || IS_ONE_FILE) return;
  const first = workers.controller === null;
  await workers.register(new URL("sw.js", ROOT));
  document.head.append(el("link", { rel: "manifest", href: "page/manifest.webmanifest" })); // late: the first distance comes before
  if (!first) return;
  const fetched = performance.getEntriesByType("resource").map((entry) => entry.name);
  const kept = fetched.filter((address) => address.startsWith(new URL("page/", ROOT).href));
  await (await caches.open("puzzledb")).addAll([ROOT.href, ...new Set(kept)]);
}

// Has the browser keep the page, by the worker in sw.js, so that it opens again when the server is gone.

import { el } from "./dom.js";
import { IS_ONE_FILE, NAMED, ROOT } from "./net.js";

// The worker sees what is fetched once it is there. What the first visit fetched before, it is told. Files of another version
// of the page, which have other digests in their names, are dropped.
export async function keepPage() {
  const workers = navigator.serviceWorker; // none where the connection is not secure
  if (!workers || IS_ONE_FILE) return;
  const first = workers.controller === null;
  await workers.register(new URL("sw.js", ROOT));
  document.head.append(el("link", { rel: "manifest", href: "page/manifest.webmanifest" })); // late: the first distance comes before
  const folder = new URL("page/", ROOT).href;
  const fetched = performance.getEntriesByType("resource").map((entry) => entry.name);
  const own = new Set([...fetched, ...NAMED].filter((address) => address.startsWith(folder)));
  const kept = await caches.open("puzzledb");
  if (first) await kept.addAll([ROOT.href, ...own]);
  const hasDigest = (url: string) => url.startsWith(folder) && /^[0-9a-f]{12}-/.test(url.slice(folder.length));
  const old = (await kept.keys()).filter(({ url }) => hasDigest(url) && !own.has(url));
  await Promise.all(old.map((request) => kept.delete(request)));
}

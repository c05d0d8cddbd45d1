// Keeps the page, so that it opens when the server is gone. Files come from the server as long as it
// answers, otherwise as they were kept.

const KEPT = /^($|index\.html$|page\/)/; // paths below the page's folder

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const path = url.startsWith(registration.scope) ? new URL(url).pathname.slice(new URL(registration.scope).pathname.length) : null;
  if (method === "GET" && path !== null && KEPT.test(path)) event.respondWith(fresh(event));
});

async function fresh(event) {
  const { request } = event;
  const cache = caches.open("puzzledb");
  try {
    const response = await fetch(request);
    if (response.ok) {
      const copy = response.clone();
      event.waitUntil(cache.then((kept) => kept.put(request, copy)));
    }
    return response;
  } catch (error) {
    const kept = await (await cache).match(request);
    if (kept) return kept;
    throw error;
  }
}

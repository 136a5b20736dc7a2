// The service worker of the door: opens its page and files without a network. The page itself puts them into the cache
// (../../ui/door/keep-files.ts); this only answers from there.

const CACHE = "door";
/** A network that does not answer within this time is none. */
const PATIENCE_MS = 3000;

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(openPage(request));
  else if (/^\/(?:assets|identity|icons)\//.test(pathname)) event.respondWith(openFile(request));
});

async function openPage({ url }) {
  const cached = await find(url);
  if (cached === undefined) return fetch(url);
  const fresh = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => undefined);
  return fresh?.ok ? fresh : cached;
}

async function openFile(request) {
  return (await find(request)) ?? fetch(request);
}

const find = async (request) => (await caches.open(CACHE)).match(request, { ignoreSearch: true, ignoreVary: true });

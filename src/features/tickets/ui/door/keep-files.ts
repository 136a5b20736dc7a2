import { doorWorkerPath } from "#shared/paths.ts";
import { trustedScript } from "#shared/ui/trusted-script.ts";

const CACHE = "door";

/** Registers the service worker, and keeps the page with everything that it has loaded, so that it opens offline. */
export async function keepFiles(path: string, more: readonly string[]): Promise<boolean> {
  if (!("serviceWorker" in navigator)) return false;
  // So that the browser does not clear the scans to make room.
  await navigator.storage?.persist?.();
  await navigator.serviceWorker.register(trustedScript(doorWorkerPath), { scope: "/admin/door/" });
  await navigator.serviceWorker.ready;
  await document.fonts.ready;
  const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
  const files = loaded
    .filter(({ origin, pathname }) => origin === location.origin && /^\/(?:assets|identity|icons)\//.test(pathname))
    .map(({ pathname }) => pathname);
  const wanted = new Set([...files, ...more]);
  const cache = await caches.open(CACHE);
  const kept = new Map((await cache.keys()).map((request) => [new URL(request.url).pathname, request]));
  const page = await fetch(path).catch(() => null);
  if (!page?.ok) return kept.has(path);
  await cache.put(path, page);
  await cache.addAll([...wanted].filter((file) => !kept.has(file)));
  // Files of an earlier version of the site.
  for (const [pathname, request] of kept) {
    if (pathname.startsWith("/assets/") && !wanted.has(pathname)) await cache.delete(request);
  }
  return true;
}

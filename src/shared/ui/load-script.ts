import { trustedScript } from "./trusted-script.ts";

const TIME_OUT_MS = 20_000;

const loading = new Map<string, Promise<unknown>>();

/**
 * Adds a provider's own script to the page, once, and gives what it left behind, as `find` finds it. One that did not
 * come within 20 seconds, or left nothing, is asked for anew the next time.
 */
export function loadScript<Found>(url: string, find: () => Found | undefined): Promise<Found> {
  const known = loading.get(url) as Promise<Found> | undefined;
  if (known !== undefined) return known;
  const script = document.createElement("script");
  const loaded = new Promise<Found>((resolve, reject) => {
    const fail = (why: string) => {
      clearTimeout(timer);
      script.remove();
      loading.delete(url);
      reject(new Error(`${url} ${why}`));
    };
    const timer = setTimeout(() => fail("did not come in time"), TIME_OUT_MS);
    script.onload = () => {
      clearTimeout(timer);
      const found = find();
      if (found === undefined) fail("left nothing behind");
      else resolve(found);
    };
    script.onerror = () => fail("did not load");
  });
  loading.set(url, loaded);
  script.src = trustedScript(url);
  script.async = true;
  document.head.append(script);
  return loaded;
}

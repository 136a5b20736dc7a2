import { trustedScript } from "#shared/ui/trusted-script.ts";

const TIME_OUT_MS = 20_000;

const loading = new Map<string, Promise<unknown>>();

/**
 * Adds a provider's script to the page once and returns what `find` finds afterwards. If it doesn't load within 20
 * seconds or `find` finds nothing, the next call tries again.
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
    const timer = setTimeout(() => fail("did not load in time"), TIME_OUT_MS);
    script.onload = () => {
      clearTimeout(timer);
      const found = find();
      if (found === undefined) fail("defined nothing");
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

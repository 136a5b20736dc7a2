import { LRUCache } from "lru-cache";

type Entry = { readonly bytes: Buffer };

/** Caches the most recently used entries, up to `maxBytes`. Concurrent `find`s read once; misses are not cached. */
export function createByteCache<T extends Entry>(maxBytes: number) {
  const kept = new LRUCache<string, T>({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes.length });
  const reading = new Map<string, Promise<T | undefined>>();

  return {
    async find(key: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
      const known = kept.get(key);
      if (known !== undefined) return known;
      const underWay = reading.get(key) ?? read().finally(() => reading.delete(key));
      reading.set(key, underWay);
      const entry = await underWay;
      if (entry !== undefined) kept.set(key, entry);
      return entry;
    },
  };
}

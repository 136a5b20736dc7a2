type Entry = { readonly bytes: Buffer };

/**
 * Keeps what was read last, up to `mostBytes` in all. `find` reads an absent entry once for all who wait for it; what is
 * not there is not remembered.
 */
export function createByteCache(mostBytes: number) {
  const kept = new Map<string, Entry>();
  const reading = new Map<string, Promise<Entry | undefined>>();
  let total = 0;

  const keep = (key: string, entry: Entry) => {
    kept.set(key, entry);
    total += entry.bytes.length;
    for (const [oldest, { bytes }] of kept) {
      if (total <= mostBytes) return;
      kept.delete(oldest);
      total -= bytes.length;
    }
  };

  return {
    async find<T extends Entry>(key: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
      const known = kept.get(key);
      if (known !== undefined) {
        // Put last: the first in the map is what was wanted longest ago.
        kept.delete(key);
        kept.set(key, known);
        return known as T;
      }
      const underWay = reading.get(key);
      if (underWay !== undefined) return underWay as Promise<T | undefined>;
      const promise = read().finally(() => reading.delete(key));
      reading.set(key, promise);
      const entry = await promise;
      if (entry !== undefined) keep(key, entry);
      return entry;
    },
  };
}

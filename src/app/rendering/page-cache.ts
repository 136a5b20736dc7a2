type Entry<Value> = {
  value: Value | undefined;
  version: number;
  builtAt: number;
  building: Promise<Value | null> | undefined;
  retryAt: number;
};

/** A visitor waits this long for something to be built anew while an older one is at hand. */
const PATIENCE_MS = 1500;
/** After a failed build the older one serves this long before the next try. */
const RETRY_AFTER_MS = 1000;
export type PageCache<Value> = {
  /** What stands under this key: from memory, or built once for all who wait. Null when `build` says there is no such thing. */
  get(key: string, build: () => Promise<Value | null>): Promise<Value | null>;
  /** Content changed: everything is built anew when next asked for. */
  drop(): void;
};

type PageCacheOptions = {
  readonly maximum: number;
  /** What is older is built anew: it may depend on the day, or a notification was lost. */
  readonly maxAgeMs: number;
  readonly onStale: (key: string, error: unknown) => void;
  readonly now?: () => number;
};

/**
 * Finished answers by key, the least recently used leaving first. What cannot be built anew, because the database is away,
 * goes on as it last was; what is gone is forgotten.
 * @throws (from `get`) what `build` threw, when there is no older one.
 */
export function createPageCache<Value extends object>({
  maximum,
  maxAgeMs,
  onStale,
  now = () => performance.now(),
}: PageCacheOptions): PageCache<Value> {
  const entries = new Map<string, Entry<Value>>();
  let version = 0;

  function find(key: string): Entry<Value> {
    const entry = entries.get(key) ?? {
      value: undefined,
      version: -1,
      builtAt: 0,
      building: undefined,
      retryAt: 0,
    };
    entries.delete(key);
    entries.set(key, entry);
    if (entries.size > maximum) entries.delete(entries.keys().next().value!);
    return entry;
  }

  /** Addresses that lead nowhere, however many are tried, take no room. */
  function forget(key: string, entry: Entry<Value>) {
    if (entries.get(key) === entry) entries.delete(key);
  }

  function buildOnce(key: string, entry: Entry<Value>, build: () => Promise<Value | null>): Promise<Value | null> {
    if (entry.building !== undefined) return entry.building;
    const begunAt = version;
    const builtAt = now();
    const building = build()
      .then((value) => {
        if (value === null) forget(key, entry);
        else if (begunAt >= entry.version) Object.assign(entry, { value, version: begunAt, builtAt });
        return value;
      })
      .catch((error: unknown) => {
        if (entry.value === undefined) forget(key, entry);
        throw error;
      })
      .finally(() => {
        if (entry.building === building) entry.building = undefined;
      });
    entry.building = building;
    return building;
  }

  async function get(key: string, build: () => Promise<Value | null>): Promise<Value | null> {
    const entry = find(key);
    const last = entry.value;
    const isFresh = entry.version === version && now() - entry.builtAt < maxAgeMs;
    if (last !== undefined && (isFresh || now() < entry.retryAt)) return last;
    const building = buildOnce(key, entry, build);
    if (last === undefined) return building;
    return Promise.race([building, patience()]).catch((error: unknown) => {
      entry.retryAt = now() + RETRY_AFTER_MS;
      onStale(key, error);
      return last;
    });
  }

  return {
    get,
    drop: () => {
      version += 1;
      for (const entry of entries.values()) {
        entry.retryAt = 0;
        // Whoever asks from now on must not join a build that may have read the old content.
        entry.building = undefined;
      }
    },
  };
}

function patience(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`Nothing new within ${PATIENCE_MS} ms`)), PATIENCE_MS).unref();
  });
}

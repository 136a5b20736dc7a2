import { LRUCache } from "lru-cache";

type Entry<Value> = {
  value: Value | undefined;
  version: number;
  builtAt: number;
  building: Promise<Value | null> | undefined;
  retryAt: number;
};

/** How long a visitor waits for a rebuild while an older value exists. */
const REBUILD_WAIT_MS = 1500;
/** After a failed rebuild, how long the older value is served before the next try. */
const RETRY_AFTER_MS = 1000;

type Build<Value> = (last: Value | undefined) => Promise<Value | null>;

export type PageCache<Value> = {
  /**
   * The cached value, or one built once for all who wait; null if `build` returns null. `build` gets the last value: if
   * it returns that again, answers made from it stay fresh.
   */
  get(key: string, build: Build<Value>): Promise<Value | null>;
  /** Whether this is the cached value, and not due to be rebuilt. */
  isFresh(key: string, value: Value): boolean;
  /** Makes everything be rebuilt when next requested. */
  drop(): void;
};

type PageCacheOptions = {
  readonly maximum: number;
  /** Older values are rebuilt, because they may depend on the day or a notification was lost. */
  readonly maxAgeMs: number;
  readonly onStale: (key: string, error: unknown) => void;
  /** What else every value depends on: when that changes, everything is rebuilt when next requested. */
  readonly edition?: () => string | undefined;
  readonly now?: () => number;
};

/**
 * Caches finished answers by key and evicts the least recently used. A value that can't be rebuilt, for example because
 * the database is down, is served as it was; one that no longer exists is removed.
 * @throws (from `get`) what `build` threw, if there is no older value.
 */
export function createPageCache<Value extends object>({
  maximum,
  maxAgeMs,
  onStale,
  edition = () => undefined,
  now = () => performance.now(),
}: PageCacheOptions): PageCache<Value> {
  const entries = new LRUCache<string, Entry<Value>>({ max: maximum });
  let version = 0;
  let lastEdition = edition();

  function find(key: string): Entry<Value> {
    const entry = entries.get(key) ?? {
      value: undefined,
      version: -1,
      builtAt: 0,
      building: undefined,
      retryAt: 0,
    };
    entries.set(key, entry);
    return entry;
  }

  /** Unknown addresses, however many are tried, must not fill the cache. */
  function forget(key: string, entry: Entry<Value>) {
    if (entries.peek(key) === entry) entries.delete(key);
  }

  function buildOnce(key: string, entry: Entry<Value>, build: Build<Value>): Promise<Value | null> {
    if (entry.building !== undefined) return entry.building;
    const begunAt = version;
    const builtAt = now();
    const building = build(entry.value)
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

  const isDue = (entry: Entry<Value>) => entry.version !== version || now() - entry.builtAt >= maxAgeMs;

  function drop() {
    version += 1;
    for (const entry of entries.values()) {
      entry.retryAt = 0;
      // Later requests must not join a build that may have read the old content.
      entry.building = undefined;
    }
  }

  function followEdition() {
    const current = edition();
    if (current !== lastEdition) drop();
    lastEdition = current;
  }

  async function get(key: string, build: Build<Value>): Promise<Value | null> {
    followEdition();
    const entry = find(key);
    const last = entry.value;
    if (last !== undefined && (!isDue(entry) || now() < entry.retryAt)) return last;
    const building = buildOnce(key, entry, build);
    if (last === undefined) return building;
    return Promise.race([building, rejectLate()]).catch((error: unknown) => {
      entry.retryAt = now() + RETRY_AFTER_MS;
      onStale(key, error);
      return last;
    });
  }

  return {
    get,
    isFresh(key, value) {
      followEdition();
      const entry = entries.get(key);
      return entry?.value === value && !isDue(entry);
    },
    drop,
  };
}

function rejectLate(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`Nothing new within ${REBUILD_WAIT_MS} ms`)), REBUILD_WAIT_MS).unref();
  });
}

import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** A page as finished bytes, compressed once. */
export type PageBytes = {
  readonly tag: string;
  readonly identity: Buffer;
  readonly gzip: Buffer;
  readonly br: Buffer;
};

type Entry = {
  bytes: PageBytes | undefined;
  version: number;
  building: Promise<PageBytes> | undefined;
  retryAt: number;
};

/** A visitor waits this long for a page to be built anew while an older one is at hand. */
const PATIENCE_MS = 1500;
/** After a failed build the older page serves this long before the next try. */
const RETRY_AFTER_MS = 1000;
const BROTLI_QUALITY = 5;

const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);

export async function finishBytes(html: string): Promise<PageBytes> {
  const identity = Buffer.from(html);
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const [gzipped, br] = await Promise.all([toGzip(identity), toBrotli(identity, { params })]);
  return { tag: createHash("sha256").update(identity).digest("base64url").slice(0, 22), identity, gzip: gzipped, br };
}

export type HtmlCache = {
  /** The page under this key: from memory, or built once for all who wait. */
  get(key: string, build: () => Promise<string>): Promise<PageBytes>;
  /** Content changed: every page is built anew when next asked for. */
  drop(): void;
};

/**
 * Finished pages by key, the least recently used leaving first. A page that cannot be built anew, because the database is
 * away, goes on as it last was.
 * @throws (from `get`) what `build` threw, when there is no older page.
 */
export function createHtmlCache({
  maximum,
  onStale,
}: {
  maximum: number;
  onStale: (key: string, error: unknown) => void;
}): HtmlCache {
  const entries = new Map<string, Entry>();
  let version = 0;

  function find(key: string): Entry {
    const entry = entries.get(key) ?? { bytes: undefined, version: -1, building: undefined, retryAt: 0 };
    entries.delete(key);
    entries.set(key, entry);
    if (entries.size > maximum) entries.delete(entries.keys().next().value!);
    return entry;
  }

  function buildOnce(entry: Entry, build: () => Promise<string>): Promise<PageBytes> {
    if (entry.building !== undefined) return entry.building;
    const begunAt = version;
    const building = build()
      .then(finishBytes)
      .then((bytes) => {
        if (begunAt >= entry.version) Object.assign(entry, { bytes, version: begunAt });
        return bytes;
      })
      .finally(() => {
        if (entry.building === building) entry.building = undefined;
      });
    entry.building = building;
    return building;
  }

  async function get(key: string, build: () => Promise<string>): Promise<PageBytes> {
    const entry = find(key);
    const last = entry.bytes;
    if (last !== undefined && (entry.version === version || Date.now() < entry.retryAt)) return last;
    const building = buildOnce(entry, build);
    if (last === undefined) return building;
    return Promise.race([building, patience()]).catch((error: unknown) => {
      entry.retryAt = Date.now() + RETRY_AFTER_MS;
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
    setTimeout(() => reject(new Error(`No new page within ${PATIENCE_MS} ms`)), PATIENCE_MS).unref();
  });
}

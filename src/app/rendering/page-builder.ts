import type { FastifyBaseLogger } from "fastify";
import { findPage, type Page, type PageAddress, type PageReads } from "#shared/pages/page.ts";
import type { SessionUser } from "#shared/sessions/session-user.ts";
import { finishBytes, type PageBytes } from "./page-bytes.ts";
import { createPageCache } from "./page-cache.ts";
import type { SiteFrame } from "./render.tsx";

const MAX_PAGES = 200;
/** Events pass without a change of content; rebuilding a page takes a few milliseconds. */
const MAX_AGE_MS = 60_000;

type BuilderOptions = {
  readonly renderPage: typeof import("./render.tsx").renderPage;
  readonly pages: readonly Page[];
  readonly site: () => SiteFrame;
  readonly reads: PageReads;
  readonly log: FastifyBaseLogger;
  /** When it changes, every page is rebuilt when next requested. */
  readonly edition: () => string | undefined;
};

export type PageBuilder = ReturnType<typeof createPageBuilder>;

/** Makes pages from their data, and caches those that are the same for everybody. */
export function createPageBuilder({ renderPage, pages, site, reads, log, edition }: BuilderOptions) {
  const cache = createPageCache<PageBytes>({
    maximum: MAX_PAGES,
    maxAgeMs: MAX_AGE_MS,
    edition,
    onStale: (key, error) => log.warn({ err: error, page: key }, "could not rebuild a page; serving the last version"),
  });

  async function build(page: Page, path: string, address: PageAddress, user?: SessionUser): Promise<string | null> {
    const data = await page.load(reads, address, site().organisation, user);
    return data === null ? null : renderPage(page, path, data, site());
  }

  // Keyed by the page, not the full address: `?x=1`, `?x=2` … must not fill the memory.
  const keyOf = (path: string, { after }: PageAddress) => `${path} ${after ?? ""}`;

  return {
    cache,
    /** A page of this moment; null if it has nothing to show at this address. */
    build,
    /** The same from the cache. */
    keep(page: Page, path: string, address: PageAddress): Promise<PageBytes | null> {
      return cache.get(keyOf(path, address), async (last) => {
        const html = await build(page, path, address);
        return html === null ? null : finishBytes(html, last);
      });
    },
    isFresh: (path: string, address: PageAddress, bytes: PageBytes) => cache.isFresh(keyOf(path, address), bytes),
    /** A page with other details of the organisation or another brand; null if there is none at this path. */
    async buildWith(path: string, changed: Partial<Pick<SiteFrame, "organisation" | "brand">>) {
      const frame = { ...site(), ...changed };
      const found = findPage(pages, path);
      if (found === undefined) return null;
      const data = await found.page.load(reads, { params: found.params }, frame.organisation);
      return data === null ? null : { page: found.page, html: renderPage(found.page, path, data, frame) };
    },
  };
}

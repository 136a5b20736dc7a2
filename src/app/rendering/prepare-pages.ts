import { setImmediate as afterOthers } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { findPage, type Page, type PageAddress } from "#shared/pages/page.ts";

/** Waits for several changes in a row, as when somebody is editing. */
const DELAY_MS = 1000;
/** Fewer than the cache holds, so that pages visitors request are not evicted. */
const MAX_PREPARED = 150;

type Prepared = {
  readonly pages: readonly Page[];
  readonly listPaths: () => Promise<readonly string[]>;
  readonly build: (page: Page, path: string, address: PageAddress) => Promise<unknown>;
};

/**
 * Builds the public pages in the background once the site is listening, and after each call of the returned function,
 * so that pages nobody has requested yet can be shown while the database is down.
 */
export function preparePages(app: FastifyInstance, { pages, listPaths, build }: Prepared): () => void {
  const kept = pages.filter((page) => isTheSameForAll(page));
  let timer: NodeJS.Timeout | undefined;
  let isOpen = false;

  async function prepare() {
    for (const path of (await listPaths()).slice(0, MAX_PREPARED)) {
      const found = findPage(kept, path);
      if (!isOpen) return;
      if (found !== undefined) await build(found.page, path, { params: found.params });
      await afterOthers();
    }
  }
  const prepareSoon = () => {
    if (!isOpen) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      prepare().catch((error: unknown) => app.log.warn({ err: error }, "could not prepare pages"));
    }, DELAY_MS).unref();
  };
  app.addHook("onListen", async () => {
    isOpen = true;
    prepareSoon();
  });
  app.addHook("preClose", async () => {
    isOpen = false;
    clearTimeout(timer);
  });
  return prepareSoon;
}

function isTheSameForAll({ access, caching, isForDevelopers }: Page): boolean {
  return access !== "member" && access !== "key" && caching !== "none" && !isForDevelopers;
}

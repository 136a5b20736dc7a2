import { setImmediate as afterOthers } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Page, PageAddress } from "./page.ts";

/** Several changes in a row, as when somebody edits, are prepared for once. */
const DELAY_MS = 1000;
/** Fewer than the cache keeps, so that what visitors ask for is not pushed out. */
const MOST_PREPARED = 150;

type Prepared = {
  readonly pages: readonly Page[];
  /** The paths of all public pages. */
  readonly listPaths: () => Promise<readonly string[]>;
  readonly build: (page: Page, path: string, address: PageAddress) => Promise<unknown>;
};

/**
 * Builds the public pages in the background once the site listens, and again after each call of the function it returns:
 * while the database is away, pages that nobody has asked for yet can be shown too.
 */
export function preparePages(app: FastifyInstance, { pages, listPaths, build }: Prepared): () => void {
  const kept = pages.filter((page) => isTheSameForAll(page));
  let timer: NodeJS.Timeout | undefined;
  let isOpen = false;

  async function prepare() {
    for (const path of (await listPaths()).slice(0, MOST_PREPARED)) {
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
      prepare().catch((error: unknown) => app.log.warn({ err: error }, "pages could not be prepared"));
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

function isTheSameForAll({ needsSession, needsKey, changesByTheMinute, isForDevelopers }: Page): boolean {
  return !needsSession && !needsKey && !changesByTheMinute && !isForDevelopers;
}

/** The page that answers a path, a fixed one before one with named parts, as the router does it. */
function findPage(pages: readonly Page[], path: string): { page: Page; params: Record<string, string> } | undefined {
  const fixed = pages.find((page) => page.path === path);
  if (fixed !== undefined) return { page: fixed, params: {} };
  for (const page of pages.filter((one) => one.path.includes(":"))) {
    const match = new RegExp(`^${page.path.replace(/:(\w+)/g, "(?<$1>[a-z0-9-]+)")}$`).exec(path);
    if (match !== null) return { page, params: { ...match.groups } };
  }
  return undefined;
}

import type { Banner } from "./banner.ts";
import type { PageReads } from "./page.ts";

/** The parts of a preview's link, as texts. */
export type PreviewAddress = { readonly item: string; readonly version: string; readonly key: unknown };

/**
 * Calls `show` with the path of the page that would have this version, and with reads that find it there, or with the
 * banner if it is one. Null if the link is not ours, or there is no such version. @throws AppError `preview_ended`.
 */
export type FindPreview = <Result>(
  address: PreviewAddress,
  show: (path: string, reads: Partial<PageReads>, banner?: Banner) => Promise<Result>,
) => Promise<Result | null>;

declare module "./page.ts" {
  interface PageReads {
    readonly findPreview: FindPreview;
  }
}

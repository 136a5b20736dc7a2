import type { PageReads } from "./page.ts";

/** As texts of a link. */
export type PreviewAddress = { readonly item: string; readonly version: string; readonly key: unknown };

/**
 * Calls `show` with the path of the page that this version of some content would be on, and with reads that find it
 * there. Null if the link is not ours, or leads to nothing. @throws AppError `preview_ended`.
 */
export type FindPreview = <Result>(
  address: PreviewAddress,
  show: (path: string, reads: Partial<PageReads>) => Promise<Result>,
) => Promise<Result | null>;

declare module "./page.ts" {
  interface PageReads {
    readonly findPreview: FindPreview;
  }
}

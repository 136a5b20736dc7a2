import type { Banner, Menus } from "./frame.ts";
import type { PageReads } from "./page.ts";

/** The parts of a preview's link, as texts. */
export type PreviewAddress = { readonly item: string; readonly version: string; readonly key: unknown };

export type Draft = { readonly version: number; readonly savedAt: Date };

/** `draft`: the version that is shown, unless visitors see it already. */
export type PreviewedFrame = { readonly banner?: Banner; readonly menus?: Menus; readonly draft?: Draft };

/**
 * Calls `show` with the path of the page that would have this version, and with reads that find it there, or with what
 * is drawn around the page if it is that. Null if the link is not ours, or there is no such version. @throws AppError `preview_ended`.
 */
export type FindPreview = <Result>(
  address: PreviewAddress,
  show: (path: string, reads: Partial<PageReads>, frame?: PreviewedFrame) => Promise<Result>,
) => Promise<Result | null>;

declare module "./page.ts" {
  interface PageReads {
    readonly findPreview: FindPreview;
  }
}

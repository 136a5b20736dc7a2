/** The pages whose introduction staff write. */
export type IntroducedPage = "events" | "news" | "gallery" | "contact" | "volunteer";

/** With the placeholders that are in it. */
export type Introduction = {
  /** Below the page's heading; empty for none. */
  readonly lede: string;
  /** For search engines and shared links. */
  readonly description: string;
};

export type IntroductionReads = { findIntroduction(page: IntroducedPage): Promise<Introduction> };

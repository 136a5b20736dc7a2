import type { LiveResult } from "#shared/live-checks.ts";

export const SET_UP_PATH = "/admin/set-up";
export const stepActionPath = (name: string) => `${SET_UP_PATH}/${name}`;

export type SetUpStep = {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** The addresses of its screens; the first is its own. */
  readonly paths: readonly string[];
  readonly state: "done" | "skipped" | "open";
  /** What is missing before it can be done, in sentences. */
  readonly missing: readonly string[];
};

/** How far a new site is set up. */
export type SetUp = {
  /** Whether visitors see the site, or a page that says that it is being set up. */
  readonly isOpen: boolean;
  readonly steps: readonly SetUpStep[];
  /** The requirements of real payments that are not met. */
  readonly missingForLive: readonly LiveResult[];
};

declare module "./screen.ts" {
  interface AdminReads {
    /** Null if there is nothing (left) to set up. */
    readonly findSetUp: () => Promise<SetUp | null>;
  }
}

/** The step that a screen belongs to. */
export function findStep({ steps }: SetUp, path: string): SetUpStep | undefined {
  return steps.find(({ paths }) => paths.some((own) => path === own || path.startsWith(`${own}/`)));
}

/** The step to go to next: the first that nobody has dealt with, then the first that was skipped. */
export function nextSetUpStep({ steps }: Pick<SetUp, "steps">): SetUpStep | undefined {
  return steps.find(({ state }) => state === "open") ?? steps.find(({ state }) => state === "skipped");
}

/** When visitors see what has just been published. */
export const describeSeen = ({ setUp }: { readonly setUp: { current(): Pick<SetUp, "isOpen"> | null } }): string =>
  setUp.current()?.isOpen === false ? "Visitors see it once the site is open." : "Visitors see it now.";

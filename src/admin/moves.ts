import type { IconName } from "./ui/icon.tsx";

/** One thing that happened: who did it (if a person did), what, and what they wrote. */
export type Move = {
  /** An id that is unique in the list. */
  readonly key: string;
  readonly at: Date;
  readonly icon: IconName;
  readonly who?: string;
  readonly text: string;
  /** Where the text links to. */
  readonly path?: string;
  readonly detail?: string;
  /** What somebody typed, such as a note. */
  readonly quote?: string;
};

/** Latest first; things that happened at the same moment stay in their order, turned around. */
export const latestFirst = (moves: readonly Move[]): Move[] =>
  moves.toSorted((one, other) => one.at.getTime() - other.at.getTime()).reverse();

/** What the outbox knows about an email. */
export const emailStates = {
  created: "It waits to be sent.",
  retry: "It could not be sent yet. We keep trying.",
  active: "It is being sent.",
  completed: "The mail server took it.",
  cancelled: "It was cancelled.",
  failed: "It could not be sent.",
} as const;

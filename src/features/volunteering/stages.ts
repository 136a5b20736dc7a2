/** The permitted moves between stages, and the event that each records. */
export const stageMoves = {
  received: { in_review: "review_started", withdrawn: "withdrawn" },
  in_review: { approved: "approved", waiting: "put_on_waiting_list", declined: "declined", withdrawn: "withdrawn" },
  waiting: { in_review: "reopened", approved: "approved", declined: "declined", withdrawn: "withdrawn" },
  approved: { in_review: "reopened", withdrawn: "withdrawn" },
  declined: { in_review: "reopened" },
  withdrawn: {},
} as const;

export type Stage = keyof typeof stageMoves;

/** The events of all moves. */
export const moveEvents: ReadonlySet<string> = new Set(
  Object.values(stageMoves).flatMap((moves) => Object.values(moves)),
);

/** Undefined if the move is not permitted. */
export function stageEventOf(from: Stage, to: Stage): string | undefined {
  return (stageMoves[from] as Partial<Record<Stage, string>>)[to];
}

/** The stages in words, for the middle of a sentence. */
export const stageNames = {
  received: "received",
  in_review: "in review",
  approved: "approved",
  waiting: "on the waiting list",
  declined: "declined",
  withdrawn: "withdrawn",
} as const satisfies Record<Stage, string>;

/** Decisions, which are emailed to the applicant. */
export const decisions: readonly Stage[] = ["approved", "waiting", "declined"];

/** The stages to which an application may be moved from here, in the order of the board. */
export function movesFrom(stage: Stage): readonly Stage[] {
  return Object.keys(stageMoves[stage]) as Stage[];
}

/** Closed applications can no longer be changed. */
export function isClosed(stage: Stage): boolean {
  return stage === "declined" || stage === "withdrawn";
}

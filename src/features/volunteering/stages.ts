/** Which stage an application may move to, and the event that each move writes. */
export const stageMoves = {
  received: { in_review: "review_began", withdrawn: "withdrawn" },
  in_review: { approved: "approved", waiting: "put_on_waiting_list", declined: "declined", withdrawn: "withdrawn" },
  waiting: { in_review: "reopened", approved: "approved", declined: "declined", withdrawn: "withdrawn" },
  approved: { in_review: "reopened", withdrawn: "withdrawn" },
  declined: { in_review: "reopened" },
  withdrawn: {},
} as const;

export type Stage = keyof typeof stageMoves;

/** The event that a move writes, or undefined where the move is not allowed. */
export function stageEventOf(from: Stage, to: Stage): string | undefined {
  return (stageMoves[from] as Partial<Record<Stage, string>>)[to];
}

/** How a stage is called, in the middle of a sentence. */
export const stageNames = {
  received: "received",
  in_review: "in review",
  approved: "approved",
  waiting: "on the waiting list",
  declined: "declined",
  withdrawn: "withdrawn",
} as const satisfies Record<Stage, string>;

/** The stages that are a decision, which the applicant is told. */
export const decisions: readonly Stage[] = ["approved", "waiting", "declined"];

/** Past these nothing of an application changes any more. */
export function isClosed(stage: Stage): boolean {
  return stage === "declined" || stage === "withdrawn";
}

import type { PersonRow } from "#admin/person.ts";
import type { Stage } from "../stages.ts";

/** A stage's label and look outside a sentence. */
export const stageStatus = {
  received: { label: "Received", look: "act" },
  in_review: { label: "In review", look: "plain" },
  approved: { label: "Approved", look: "ok" },
  waiting: { label: "On the waiting list", look: "plain" },
  declined: { label: "Declined", look: "off" },
  withdrawn: { label: "Withdrawn", look: "off" },
} as const satisfies Record<Stage, PersonRow["status"]>;

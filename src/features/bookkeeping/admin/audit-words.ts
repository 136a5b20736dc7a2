import type { AuditWords, Changes } from "#admin/acts.ts";
import { describeEmail } from "../server/failed-emails.ts";

/** What the audit trail says for each act: 'Amina Raza closed with a reason difference 1179991276'. */
export const bookkeepingAuditWords = {
  "difference.close": "closed with a reason",
  "reconciliation.compare": "compared again",
  "payment.check": "had the provider asked about the payment of",
  "job.retry": ({ before }) => `sent again a failed email: ${describeEmail(before)}.`,
  "job.discard": ({ before }) => `discarded a failed email: ${describeEmail(before)}.`,
  "journal.accounts": "changed the codes, names or taxes of the journal’s accounts.",
  "journal.make": (changes) => `made the accounting journal from ${dayOf(changes, "from")} to ${dayOf(changes, "to")}.`,
  "journal.download": (changes) =>
    `downloaded the accounting journal from ${dayOf(changes, "from")} to ${dayOf(changes, "to")}.`,
} as const satisfies AuditWords;

const dayOf = ({ after }: Changes, which: "from" | "to") => String(after?.[which] ?? "");

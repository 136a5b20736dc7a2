import { type Act, type Actor, recordAct } from "#admin/audit.ts";
import type { Connection } from "#shared/database/connect.ts";

/** The actor of what applicants do on their own page. */
export const APPLICANT = "applicant";

/**
 * Who does something to an application: the name in its history (`applicant`, `system`, or a member of staff's), and for
 * staff in the back office also who is in the audit trail.
 */
export type ApplicationActor = { readonly actor: string; readonly audit?: Actor };

/**
 * Adds an act on an application to the audit trail, if staff in the back office do it. The trail is never erased, so
 * nothing that a person wrote, or that was written about them, belongs there.
 */
export async function recordApplicationAct(
  transaction: Connection,
  { audit }: ApplicationActor,
  {
    at,
    ...act
  }: Pick<Act, "verb" | "subjectId" | "before" | "after"> & { readonly at: Date; readonly subject?: string },
): Promise<void> {
  if (audit !== undefined) await recordAct(transaction, audit, { subject: "application", ...act }, at);
}

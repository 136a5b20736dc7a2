import type { FastifyRequest } from "fastify";
import { Refusal } from "#admin/actions.ts";
import { recordAct } from "#admin/audit.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { Admitted } from "./hand-over-session.ts";
import { findInvitation, type Invitation, lacksName, spendInvitation } from "./invitations.ts";
import { lockStaff } from "./passkey-store.ts";
import { queuePersonEmails } from "./people/change-staff.ts";
import { actorOf, type StaffServices } from "./services.ts";
import { removeWaysToLogIn } from "./ways-to-log-in.ts";

/** The person invited; null unless the link works. Not for a demo's links, which log in by themselves. */
export async function findOpenInvitation(
  { database, now }: Pick<StaffServices, "database" | "now">,
  token: string,
): Promise<Invitation | null> {
  const invitation = await findInvitation(database, token, now());
  return invitation?.state === "open" && invitation.kind !== "demo" ? invitation : null;
}

const spent =
  "This link has just been used, replaced or ended, so nothing was set up. If it was not you, ask an administrator for a new one.";

/**
 * Uses up an invitation, stores the person's first passkey or password with `keep`, and begins their session: all or
 * nothing. So closing the browser never leaves somebody with a used link and no way to log in. Removes what was set up
 * before a reset, too. @throws Refusal if somebody else has used the link in the meantime.
 */
export async function acceptInvitation(
  { database, jobs, staffSessions, now }: StaffServices,
  token: string,
  request: FastifyRequest,
  {
    way,
    name,
    keep,
  }: {
    way: "passkey" | "password and code";
    /** What the person is called, if the invitation did not say it; "" if they did not either. */
    name: string;
    keep: (transaction: Connection, staffId: number) => Promise<unknown>;
  },
): Promise<Admitted> {
  const at = now();
  return database.transaction().execute(async (transaction) => {
    const invitation = await spendInvitation(transaction, token, at);
    if (invitation === null || invitation.kind === "demo") throw new Refusal(spent);
    const { staffId } = invitation;
    const invited = await lockStaff(transaction, staffId);
    if (invited === undefined || invited.state === "ended") throw new Refusal(spent);
    const staff = name !== "" && lacksName(invited) ? { ...invited, name } : invited;
    await removeWaysToLogIn(transaction, staffId);
    await staffSessions.endAll(transaction, staffId);
    await keep(transaction, staffId);
    await transaction
      .updateTable("staff")
      .set({ state: "active", name: staff.name })
      .where("id", "=", staffId)
      .execute();
    const isNamed = staff.name !== invited.name;
    const after = { way, by: invitation.kind, ...(isNamed && { name: staff.name }) };
    const act = { verb: "staff.set-up", subject: "staff", subjectId: String(staffId), after };
    const actId = await recordAct(transaction, actorOf(staff, request), act, at);
    await queuePersonEmails({ jobs }, { transaction }, "staff-way-in-changed", { actId, to: [staffId] });
    return { email: staff.email, token: await staffSessions.begin(transaction, staffId, request) };
  });
}

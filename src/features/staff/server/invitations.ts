import { createHmac, randomUUID } from "node:crypto";
import type { Connection } from "#shared/database/connect.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { hasNoMail } from "#shared/mail/has-no-mail.ts";
import { hashToken, makeToken } from "#shared/sessions/tokens.ts";

type InvitationKind = "invitation" | "reset" | "demo";

const HOUR_MS = 3_600_000;
const lifeMs = { invitation: 72 * HOUR_MS, reset: 72 * HOUR_MS, demo: HOUR_MS } as const;

/** The invitation of a link; `state` says whether the link still works. */
export type Invitation = {
  readonly staffId: number;
  readonly kind: InvitationKind;
  readonly email: string;
  readonly name: string;
  readonly expiresAt: Date;
  /** `ended`: the person's account has ended. */
  readonly state: "open" | "used" | "expired" | "ended";
};

/**
 * Makes a link's token, which works once, and deletes the person's earlier unused ones. To email the link, call
 * `sendInvitation` instead.
 */
export async function issueInvitation(
  connection: Connection,
  staffId: number,
  kind: InvitationKind,
  now: Date,
): Promise<string> {
  const token = makeToken();
  await keepInvitation(connection, { staffId, kind, token }, now);
  return token;
}

type Kept = { readonly staffId: number; readonly kind: InvitationKind; readonly token: string };

async function keepInvitation(connection: Connection, { staffId, kind, token }: Kept, now: Date): Promise<void> {
  await connection
    .deleteFrom("staff_invitations")
    .where("staff_id", "=", staffId)
    .where("used_at", "is", null)
    .execute();
  await connection
    .insertInto("staff_invitations")
    .values({
      token_hash: hashToken(token),
      staff_id: staffId,
      kind,
      created_at: now,
      expires_at: new Date(now.getTime() + lifeMs[kind]),
      used_at: null,
    })
    .execute();
}

/** Emails a link to set up a passkey or password. Call it in the transaction that adds or resets the person. */
export async function sendInvitation(
  transaction: Connection,
  { jobs, config }: CoreServices<"jobs", "secretKey">,
  { staffId, kind }: { readonly staffId: number; readonly kind: "invitation" | "reset" },
  now: Date,
): Promise<void> {
  const emailId = randomUUID();
  await keepInvitation(transaction, { staffId, kind, token: emailedToken(config.secretKey, staffId, emailId) }, now);
  await jobs.send(transaction, "emails", { template: "staff-invitation", staffId, emailId });
}

/**
 * The address of a person's invitation, to be handed over where no email arrives, and what it is for; null where emails
 * do. The link in the email stops working.
 */
export async function linkToHandOver(
  { database, config }: CoreServices<"database", "isDemo" | "mail" | "publicUrl">,
  staffId: number,
): Promise<{ readonly link: string; readonly kind: InvitationKind } | null> {
  if (!hasNoMail(config)) return null;
  const token = makeToken();
  const { kind } = await database
    .updateTable("staff_invitations")
    .set({ token_hash: hashToken(token) })
    .where("staff_id", "=", staffId)
    .where("used_at", "is", null)
    .returning("kind")
    .executeTakeFirstOrThrow();
  return { link: `${config.publicUrl}/admin/welcome/${token}`, kind };
}

/**
 * The token in one email. It is derived from the email's id and the site's secret, so that a retried email has the same
 * link, and no job or log contains it.
 */
export function emailedToken(secretKey: string, staffId: number, emailId: string): string {
  return createHmac("sha256", secretKey).update(`staff invitation\n${staffId}\n${emailId}`).digest("base64url");
}

/** A command on the server that names nobody takes the email up to its @. */
export const lacksName = ({ name, email }: Pick<Invitation, "name" | "email">): boolean =>
  name === email.split("@", 1)[0];

/** Null if there is no such link: mistyped, replaced by a later one, or forgotten after it expired. */
export async function findInvitation(connection: Connection, token: string, now: Date): Promise<Invitation | null> {
  const row = await connection
    .selectFrom("staff_invitations as i")
    .innerJoin("staff", "staff.id", "i.staff_id")
    .where("token_hash", "=", hashToken(token))
    .select(["staff.id as staffId", "i.kind", "staff.email", "staff.name", "staff.state as staffState"])
    .select(["i.expires_at as expiresAt", "i.used_at as usedAt"])
    .executeTakeFirst();
  if (row === undefined) return null;
  const { staffState, usedAt, ...invitation } = row;
  const used = usedAt === null ? (row.expiresAt > now ? "open" : "expired") : "used";
  return { ...invitation, state: staffState === "ended" ? "ended" : used };
}

/**
 * Uses up a link, and returns whose it was; null unless it is open. If several requests use it at the same time, one
 * succeeds.
 */
export async function spendInvitation(
  connection: Connection,
  token: string,
  now: Date,
): Promise<Pick<Invitation, "staffId" | "kind"> | null> {
  const row = await connection
    .updateTable("staff_invitations")
    .set({ used_at: now })
    .where("token_hash", "=", hashToken(token))
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("staff")
          .select("id")
          .whereRef("staff.id", "=", "staff_invitations.staff_id")
          .where("state", "!=", "ended"),
      ),
    )
    .returning(["staff_id as staffId", "kind"])
    .executeTakeFirst();
  return row ?? null;
}

import { createHash, randomBytes, randomUUID } from "node:crypto";
import { makeUser } from "#database/factories.ts";
import type { Database } from "#shared/database/connect.ts";
import type { TestSite, Visitor } from "./site.ts";

export type Member = { readonly id: number; readonly email: string; readonly visitor: Visitor };

/** A member, logged in with a session written to the database. */
export async function openMember(site: TestSite, changes: Parameters<typeof makeUser>[1] = {}): Promise<Member> {
  const { id, email } = await makeUser(site.database, changes);
  const token = await startSession(site.database, id, site.clock.now());
  const visitor = await site.visitor();
  visitor.cookies.set("session", token);
  // The token against forged requests that goes with the session.
  await visitor.ask({ url: "/api/checkout" });
  return { id, email, visitor };
}

/** Writes a session that lasts a day. Returns the value of its cookie. */
export async function startSession(database: Database, userId: number, at: Date): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await database
    .insertInto("sessions")
    .values({
      token_hash: createHash("sha256").update(token).digest(),
      id: randomUUID(),
      user_id: userId,
      created_at: at,
      last_seen_at: at,
      expires_at: new Date(at.getTime() + 86_400_000),
      ip_address: "203.0.113.7",
      device: "A test",
    })
    .execute();
  return token;
}

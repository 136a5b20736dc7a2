import { randomUUID } from "node:crypto";
import type { Actor } from "#admin/audit.ts";
import type { Role } from "#admin/rights.ts";
import { createStaffSessions } from "#admin/staff-sessions.ts";
import { makeStaff } from "#database/factories.ts";
import type { PeopleServices } from "#features/staff/server/people/change-staff.ts";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import { createTestDatabase } from "./database.ts";

export type SentJob = Record<string, unknown> & { template: string };

/** Staff in a separate database, with two processes that change them at `now`; emails are collected in `sent`. */
export async function openPeople(now: () => Date) {
  const db = await createTestDatabase();
  const sent: SentJob[] = [];
  const processes = [1, 2].map((): PeopleServices => {
    const database = createDatabase(createPool(db.url, () => undefined));
    const jobs = {
      send: async (_: unknown, __: unknown, job: SentJob) => void sent.push(job),
      sendAll: async (_: unknown, __: unknown, jobs: SentJob[]) => void sent.push(...jobs),
    } as unknown as PeopleServices["jobs"];
    const staffSessions = createStaffSessions({ database, now, isSecure: false });
    return { database, jobs, now, staffSessions, config: { secretKey: "a".repeat(32) } };
  });
  return {
    db,
    sent,
    processes,
    async add(...roles: Role[]): Promise<{ id: number; name: string; actor: Actor }> {
      const name = `Person ${randomUUID().slice(0, 8)}`;
      const { id } = await makeStaff(db.database, { name, roles, created_at: now() });
      return { id, name, actor: { staff: { id, name }, ipAddress: "203.0.113.7" } };
    },
    /** Ends the accounts that earlier tests left, so that none counts as an administrator. */
    async endEverybody() {
      await db.pool.query(
        "update staff set state = 'ended', ended_at = now(), password_hash = null, totp_secret = null",
      );
      sent.length = 0;
    },
    async close() {
      await Promise.all(processes.map(({ database }) => database.destroy()));
      await db.stop();
    },
  };
}

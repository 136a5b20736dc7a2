import { randomUUID } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Connection, Database } from "#shared/database/connect.ts";
import { hashToken, makeToken, tokenIn, userAgentOf } from "#shared/sessions/tokens.ts";
import type { StaffMember } from "./rights.ts";

export type StaffSession = {
  readonly id: string;
  readonly staff: StaffMember;
  /** When the person last proved who they are. */
  readonly provedAt: Date;
  readonly createdAt: Date;
};

export type ListedStaffSession = Omit<StaffSession, "staff"> & {
  readonly device: string;
  readonly ipAddress: string;
  readonly lastSeenAt: Date;
};

export type StaffSessions = ReturnType<typeof createStaffSessions>;

const MINUTE_MS = 60_000;
export const STAFF_IDLE_MS = 30 * MINUTE_MS;
const STAFF_ABSOLUTE_MS = 12 * 60 * MINUTE_MS;
/** How long a proof of who somebody is counts. */
export const PROOF_MS = 10 * MINUTE_MS;
/** The time of the last request is written at most this often. */
const TOUCH_AFTER_MS = MINUTE_MS;

type StaffSessionsOptions = {
  readonly database: Database;
  readonly now: () => Date;
  /** Whether the site is served over https; if so, the cookie is bound to this host. */
  readonly isSecure: boolean;
};

/** Staff's sessions, separate from members': rows found by the SHA-256 of an opaque token of 256 bits. */
export function createStaffSessions({ database, now, isSecure }: StaffSessionsOptions) {
  const cookie = isSecure ? "__Host-staff" : "staff";
  const options = { path: "/", sameSite: "strict", secure: isSecure, httpOnly: true } as const;
  const found = new WeakMap<FastifyRequest, Promise<StaffSession | null>>();

  const tokenOf = (request: FastifyRequest) => tokenIn(request, cookie);
  const read = (token: string) => readSession(database, token, now());

  return {
    /** Whoever is logged in. The roles are read for each request, so that a change takes effect immediately. */
    find(request: FastifyRequest): Promise<StaffSession | null> {
      const known = found.get(request) ?? read(tokenOf(request));
      found.set(request, known);
      return known;
    },

    /** Whether the person proved who they are less than ten minutes ago. */
    isProved({ provedAt }: StaffSession): boolean {
      return now().getTime() - provedAt.getTime() < PROOF_MS;
    },

    /** Creates a session and ends the browser's earlier one. Pass the token to `handOver` after the commit. */
    async begin(connection: Connection, staffId: number, request: FastifyRequest): Promise<string> {
      const token = makeToken();
      const at = now();
      await connection
        .deleteFrom("staff_sessions")
        .where("token_hash", "=", hashToken(tokenOf(request)))
        .execute();
      await connection
        .insertInto("staff_sessions")
        .values({
          token_hash: hashToken(token),
          id: randomUUID(),
          staff_id: staffId,
          created_at: at,
          last_seen_at: at,
          proved_at: at,
          expires_at: new Date(at.getTime() + STAFF_ABSOLUTE_MS),
          ip_address: request.ip,
          device: userAgentOf(request),
        })
        .execute();
      return token;
    },

    /** Gives the browser its new session, which also counts for the rest of this request. */
    handOver(request: FastifyRequest, reply: FastifyReply, token: string): void {
      reply.setCookie(cookie, token, options);
      found.set(request, read(token));
    },

    /** Records that the person has just proved again who they are. */
    async noteProof(connection: Connection, session: StaffSession, request: FastifyRequest): Promise<void> {
      const provedAt = now();
      await connection
        .updateTable("staff_sessions")
        .set({ proved_at: provedAt })
        .where("id", "=", session.id)
        .execute();
      found.set(request, Promise.resolve({ ...session, provedAt }));
    },

    /** Logs out in this browser. */
    async end(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      await database
        .deleteFrom("staff_sessions")
        .where("token_hash", "=", hashToken(tokenOf(request)))
        .execute();
      found.set(request, Promise.resolve(null));
      reply.clearCookie(cookie, options);
    },

    /** A person's sessions that still work, latest first. */
    async list(staffId: number): Promise<ListedStaffSession[]> {
      const at = now();
      return database
        .selectFrom("staff_sessions")
        .select(["id", "device", "ip_address as ipAddress", "proved_at as provedAt"])
        .select(["created_at as createdAt", "last_seen_at as lastSeenAt"])
        .where("staff_id", "=", staffId)
        .where("expires_at", ">", at)
        .where("last_seen_at", ">", new Date(at.getTime() - STAFF_IDLE_MS))
        .orderBy("last_seen_at", "desc")
        .execute();
    },

    /** Ends one of a person's sessions. False if it is not theirs, or over. */
    async endOne(connection: Connection, staffId: number, id: string): Promise<boolean> {
      const { numDeletedRows } = await connection
        .deleteFrom("staff_sessions")
        .where("staff_id", "=", staffId)
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },

    /** Ends a person's sessions, all but `except`. */
    async endAll(connection: Connection, staffId: number, { except }: { except?: string } = {}): Promise<void> {
      await connection
        .deleteFrom("staff_sessions")
        .where("staff_id", "=", staffId)
        .$if(except !== undefined, (query) => query.where("id", "!=", except!))
        .execute();
    },

    /** Removes sessions that are over. Returns how many. */
    async forgetOld(): Promise<number> {
      const { numDeletedRows } = await database
        .deleteFrom("staff_sessions")
        .where((where) =>
          where.or([
            where("expires_at", "<=", now()),
            where("last_seen_at", "<=", new Date(now().getTime() - STAFF_IDLE_MS)),
          ]),
        )
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}

async function readSession(database: Database, token: string, at: Date): Promise<StaffSession | null> {
  if (token === "") return null;
  const row = await database
    .selectFrom("staff_sessions as s")
    .innerJoin("staff", "staff.id", "s.staff_id")
    .where("s.token_hash", "=", hashToken(token))
    .where("s.expires_at", ">", at)
    .where("s.last_seen_at", ">", new Date(at.getTime() - STAFF_IDLE_MS))
    .where("staff.state", "=", "active")
    .select(["s.id", "s.proved_at", "s.created_at", "s.last_seen_at"])
    .select(["staff.id as staffId", "staff.email", "staff.name", "staff.roles"])
    .executeTakeFirst();
  if (row === undefined) return null;
  if (at.getTime() - row.last_seen_at.getTime() > TOUCH_AFTER_MS) {
    await database.updateTable("staff_sessions").set({ last_seen_at: at }).where("id", "=", row.id).execute();
  }
  const staff = { id: row.staffId, email: row.email, name: row.name, roles: row.roles };
  return { id: row.id, staff, provedAt: row.proved_at, createdAt: row.created_at };
}

import { randomUUID } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Connection, Database } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import type { CsrfTokens } from "#shared/http/csrf.ts";
import { type SessionUser, userColumns } from "./session-user.ts";
import { hashToken, makeToken, tokenIn, userAgentOf } from "./tokens.ts";

/** `id` identifies the session in the person's own list. */
export type Session = {
  readonly id: string;
  readonly tokenHash: Buffer;
  readonly createdAt: Date;
  readonly user: SessionUser;
};

/** A new session that the browser does not have yet. */
export type BegunSession = { readonly token: string; readonly userId: number };

type ListedSession = {
  readonly id: string;
  readonly device: string;
  readonly address: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
};

export type Sessions = ReturnType<typeof createSessions>;

type SessionsOptions = {
  readonly database: Database;
  readonly now: () => Date;
  /** Whether the site is served over https; if so, the cookie is bound to this host. */
  readonly isSecure: boolean;
  readonly csrf: CsrfTokens;
};

const DAY_MS = 86_400_000;
const IDLE_MS = 14 * DAY_MS;
const ABSOLUTE_MS = 90 * DAY_MS;
/** The time of the last visit is written at most this often. */
const TOUCH_AFTER_MS = 5 * 60_000;
/** Holds the user's id and authorises nothing: it tells the page that it may ask for the user (LOG-17). */
const HINT_COOKIE = "user";

/** Server-side sessions with an opaque token of 256 bits, stored only as its SHA-256 (LOG-17). */
export function createSessions({ database, now, isSecure, csrf }: SessionsOptions) {
  const cookie = isSecure ? "__Host-session" : "session";
  const found = new WeakMap<FastifyRequest, Promise<Session | null>>();
  const options = { path: "/", sameSite: "lax", secure: isSecure, maxAge: ABSOLUTE_MS / 1000 } as const;

  /** The session cookie's token, even if the session has expired; "" without one. */
  const tokenOf = (request: FastifyRequest) => tokenIn(request, cookie);

  const find = (request: FastifyRequest): Promise<Session | null> => {
    const known = found.get(request);
    if (known !== undefined) return known;
    const reading = readSession(database, tokenOf(request), now());
    found.set(request, reading);
    return reading;
  };

  return {
    find,
    tokenOf,

    /** Null for a guest. */
    async findUserId(request: FastifyRequest): Promise<number | null> {
      return (await find(request))?.user.id ?? null;
    },

    /** A person by id, logged in or not: for documents behind a signed link. */
    async findUser(id: number): Promise<SessionUser | null> {
      const user = await database.selectFrom("users").where("id", "=", id).select(userColumns).executeTakeFirst();
      return user ?? null;
    },

    /** @throws AppError `not_signed_in`. */
    async require(request: FastifyRequest): Promise<Session> {
      const session = await find(request);
      if (session === null) throw new AppError("not_signed_in");
      return session;
    },

    /** Creates a session and ends the browser's earlier one. Pass the token to `handOver` after the commit. */
    async begin(connection: Connection, userId: number, request: FastifyRequest): Promise<BegunSession> {
      const token = makeToken();
      const at = now();
      const before = await find(request);
      if (before !== null) await connection.deleteFrom("sessions").where("id", "=", before.id).execute();
      await connection
        .insertInto("sessions")
        .values({
          token_hash: hashToken(token),
          id: randomUUID(),
          user_id: userId,
          created_at: at,
          last_seen_at: at,
          expires_at: new Date(at.getTime() + ABSOLUTE_MS),
          ip_address: request.ip,
          device: userAgentOf(request),
        })
        .execute();
      found.delete(request);
      return { token, userId };
    },

    /** Sets the cookies of a new session, and its CSRF token. */
    handOver(response: FastifyReply, { token, userId }: BegunSession): void {
      response.setCookie(cookie, token, { ...options, httpOnly: true });
      response.setCookie(HINT_COOKIE, String(userId), options);
      csrf.give(response, token);
    },

    /** Logs out in the browser and on the server (LOG-16). */
    async end(request: FastifyRequest, response: FastifyReply): Promise<void> {
      const session = await find(request);
      if (session !== null) await database.deleteFrom("sessions").where("id", "=", session.id).execute();
      found.delete(request);
      response.clearCookie(cookie, { ...options, httpOnly: true });
      response.clearCookie(HINT_COOKIE, options);
      csrf.give(response, "");
    },

    /** A person's active sessions, latest visit first. */
    async list(userId: number, connection: Connection = database): Promise<ListedSession[]> {
      const at = now();
      return connection
        .selectFrom("sessions")
        .select(["id", "device", "ip_address as address", "created_at as createdAt", "last_seen_at as lastSeenAt"])
        .where("user_id", "=", userId)
        .where("expires_at", ">", at)
        .where("last_seen_at", ">", new Date(at.getTime() - IDLE_MS))
        .orderBy("last_seen_at", "desc")
        .orderBy("id")
        .execute();
    },

    /** Ends all of a person's sessions but `except`. Returns how many. */
    async endAll(connection: Connection, userId: number, { except }: { except?: string } = {}): Promise<number> {
      const { numDeletedRows } = await connection
        .deleteFrom("sessions")
        .where("user_id", "=", userId)
        .$if(except !== undefined, (query) => query.where("id", "!=", except!))
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },

    /** Removes expired sessions. Returns how many. */
    async forgetOld(): Promise<number> {
      const idle = new Date(now().getTime() - IDLE_MS);
      const { numDeletedRows } = await database
        .deleteFrom("sessions")
        .where((where) => where.or([where("expires_at", "<=", now()), where("last_seen_at", "<=", idle)]))
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}

async function readSession(database: Database, token: string, at: Date): Promise<Session | null> {
  if (token === "") return null;
  const tokenHash = hashToken(token);
  const row = await database
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", at)
    .where("last_seen_at", ">", new Date(at.getTime() - IDLE_MS))
    .select([
      "sessions.id as sessionId",
      "sessions.created_at as createdAt",
      "last_seen_at as lastSeenAt",
      ...userColumns,
    ])
    .executeTakeFirst();
  if (row === undefined) return null;
  const { sessionId, createdAt, lastSeenAt, ...user } = row;
  if (at.getTime() - lastSeenAt.getTime() > TOUCH_AFTER_MS) {
    await database.updateTable("sessions").set({ last_seen_at: at }).where("token_hash", "=", tokenHash).execute();
  }
  return { id: sessionId, tokenHash, createdAt, user };
}

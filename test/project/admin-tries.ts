import { allRoles, hasRight, type Right, type Role } from "#admin/rights.ts";
import type { Access } from "#admin/screen.ts";
import { PROOF_MS } from "#admin/staff-sessions.ts";
import { readCarried } from "#app/admin/carried-form.ts";
import type { AdminSite } from "#test/admin-site.ts";
import type { ExpectedAccess } from "./admin-rights.ts";

export type Who = Role | "ended" | "nobody";
type Verdict = "answered" | "asked to log in" | "asked for a proof" | "refused";

/** What is sent to an address: a form's fields, encoded. */
export type Try = { readonly method: "GET" | "POST"; readonly url: string; readonly payload?: string };

const TYPED = "words-that-were-typed";

/** People of every role, and one who has left, who try addresses of the back office. */
export async function createTries(site: AdminSite) {
  const people = new Map<Role | "ended", number>();
  for (const role of allRoles) people.set(role, (await site.logIn(role)).id);
  people.set("ended", (await site.logIn("administrator")).id);
  // With a password, everybody has a way to prove again who they are.
  await site.pool.query("update staff set password_hash = 'x', totp_secret = 'x'");

  async function beginSession(who: Role | "ended", isProved: boolean): Promise<string> {
    const { staffSessions, database } = site.services;
    const id = people.get(who)!;
    const token = await staffSessions.begin(database, id, { cookies: {}, ip: "203.0.113.7", headers: {} } as never);
    const provedAt = new Date(site.clock.now().getTime() - (isProved ? 0 : PROOF_MS));
    await database.updateTable("staff_sessions").set({ proved_at: provedAt }).where("staff_id", "=", id).execute();
    if (who === "ended") {
      const ended = { state: "ended", ended_at: site.clock.now() } as const;
      await database.updateTable("staff").set(ended).where("id", "=", id).execute();
    }
    return token;
  }

  return {
    people,
    /** Requests an address with a separate session, so that logging out, for example, affects no other request. */
    async ask(
      { method, url, payload = "" }: Try,
      who: Who,
      isProved: boolean,
    ): Promise<{ verdict: Verdict; status: number; body: string }> {
      const cookie = who === "nobody" ? "" : `staff=${await beginSession(who, isProved)}`;
      const form = { "content-type": "application/x-www-form-urlencoded" };
      const response = await site.app.inject({
        method,
        url,
        headers: { cookie, ...(method === "POST" && form) },
        ...(method === "POST" && { payload: [payload, `typed=${TYPED}`].filter(Boolean).join("&") }),
      });
      return { verdict: judge(response), status: response.statusCode, body: response.body };
    },
  };
}

/** A kept form counts only if the page has what was typed. */
function judge({ statusCode, headers, body }: Awaited<ReturnType<AdminSite["app"]["inject"]>>): Verdict {
  const to = String(headers.location ?? "");
  const carried = /name="carried" value="([^"]*)"/.exec(body)?.[1];
  const isKept = statusCode === 401 && carried !== undefined && JSON.stringify(readCarried(carried)).includes(TYPED);
  if (statusCode === 401 && headers["content-type"]?.toString().startsWith("application/json")) {
    return JSON.parse(body).to === "/admin/sign-in" ? "asked to log in" : "asked for a proof";
  }
  if ((statusCode === 302 && to.startsWith("/admin/sign-in?")) || (isKept && body.includes("/admin/sign-in"))) {
    return "asked to log in";
  }
  if ((statusCode === 302 && to.startsWith("/admin/confirm?")) || isKept) return "asked for a proof";
  // Instead of the dashboard, a door helper gets the only screen that they may see.
  const isLedAway = statusCode === 302 && to === "/admin/door";
  return statusCode === 403 || isLedAway ? "refused" : "answered";
}

/** What the table says should happen. */
export function expectedVerdict(expected: ExpectedAccess, who: Who, isProved: boolean): Verdict {
  const [access, proof] = expected.split(" + ") as [Access, "proof" | undefined];
  if (access === "everybody") return "answered";
  if (who === "nobody" || who === "ended") return "asked to log in";
  if (access !== "logged in" && !hasRight({ roles: [who] }, access as Right)) return "refused";
  return proof !== undefined && !isProved ? "asked for a proof" : "answered";
}

import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { action } from "#admin/actions.ts";
import { allRoles, hasRight, type Right, type Role } from "#admin/rights.ts";
import { type Access, screen } from "#admin/screen.ts";
import { PROOF_MS } from "#admin/staff-sessions.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { collectRoutes } from "#test/collect-routes.ts";
import { isLongRun } from "#test/long-run.ts";
import { adminRights, type ExpectedAccess } from "./admin-rights.ts";

const planted = "/admin/planted-by-the-test";
/** Negative controls: each is declared with a weaker right than `controlRights` has. */
const controls = {
  screens: [
    screen({
      ...({ path: planted, right: "logged in" } as const),
      load: async () => ({}),
      title: () => "Planted",
      body: () => null as never,
    }),
  ],
  actions: [
    action({
      ...({ path: `${planted}/weak`, screen: planted, right: "donations.see" } as const),
      fields: z.object({}),
      run: async () => ({ to: planted }),
    }),
    action({
      ...({ path: `${planted}/unproved`, screen: planted, right: "refunds.make" } as const),
      fields: z.object({}),
      run: async () => ({ to: planted }),
    }),
  ],
};
const controlRights: Readonly<Record<string, ExpectedAccess>> = {
  [`GET ${planted}`]: "staff.see",
  [`POST ${planted}/weak`]: "refunds.make",
  [`POST ${planted}/unproved`]: "refunds.make + proof",
};

let site: AdminSite;
let routes: string[];
/** The id of a member of staff for each role, and of somebody who has left. */
const people = new Map<Role | "ended", number>();

beforeAll(async () => {
  const { made, routes: all } = await collectRoutes(() => openAdminSite({}, controls));
  site = made;
  routes = all.filter((route) => /^\w+ \/admin\b/.test(route));
  for (const role of allRoles) people.set(role, (await site.logIn(role)).id);
  people.set("ended", (await site.logIn("administrator")).id);
  // With a password, everybody has a way to prove again who they are.
  await site.pool.query("update staff set password_hash = 'x', totp_secret = 'x'");
});
afterAll(() => site.close());

type Who = Role | "ended" | "nobody";
type Verdict = "answered" | "asked to log in" | "asked for a proof" | "refused";

/** Requests an address with a separate session, so that logging out, for example, affects no other request. */
async function ask(route: string, who: Who, isProved: boolean): Promise<{ verdict: Verdict; status: number }> {
  const [method, path] = route.split(" ") as ["GET" | "POST", string];
  const url = path.replace(/:\w+/g, "00000000-0000-4000-8000-000000000000").replaceAll("*", "x");
  const cookie = who === "nobody" ? "" : `staff=${await beginSession(who, isProved)}`;
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const response = await site.app.inject({
    ...{ method, url, headers: { cookie, ...(method === "POST" && form) } },
    ...(method === "POST" && { payload: `typed=${TYPED}` }),
  });
  return { verdict: judge(response), status: response.statusCode };
}

const TYPED = "words-that-were-typed";

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

/** A kept form counts only if the page has what was typed. */
function judge({ statusCode, headers, body }: Awaited<ReturnType<AdminSite["app"]["inject"]>>): Verdict {
  const to = String(headers.location ?? "");
  const isKept = statusCode === 401 && body.includes(TYPED);
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

function expectedVerdict(expected: ExpectedAccess, who: Who, isProved: boolean): Verdict {
  const [access, proof] = expected.split(" + ") as [Access, "proof" | undefined];
  if (access === "everybody") return "answered";
  if (who === "nobody" || who === "ended") return "asked to log in";
  if (access !== "logged in" && !hasRight({ roles: [who] }, access as Right)) return "refused";
  return proof !== undefined && !isProved ? "asked for a proof" : "answered";
}

/**
 * Only administrators have every right, so they show who is asked for a proof. In `npm test` one of the roles that are
 * answered stands for the others; whoever must be refused always tries.
 */
function listTries(expected: ExpectedAccess): (readonly [Who, boolean])[] {
  const roles = allRoles.filter((role) => expectedVerdict(expected, role, true) !== "answered");
  const answered = allRoles.filter((role) => !roles.includes(role));
  const people = ["nobody", "ended", ...roles, ...(isLongRun ? answered : answered.slice(-1))] as const;
  return [...people.map((who) => [who, true] as const), ["administrator", false]];
}

/** A sentence for each answer that differs from the table. */
async function listWrongAnswers(table: Readonly<Record<string, ExpectedAccess>>): Promise<string[]> {
  const wrong: string[] = [];
  for (const [route, expected] of Object.entries(table)) {
    for (const [who, isProved] of listTries(expected)) {
      const wanted = expectedVerdict(expected, who, isProved);
      const { verdict, status } = await ask(route, who, isProved);
      const person = isProved ? who : `${who} (proved long ago)`;
      if (verdict !== wanted) wrong.push(`${route}: ${person} should be ${wanted}, but is ${verdict} (${status}).`);
      else if (status >= 500) wrong.push(`${route}: ${person} gets ${status}.`);
    }
  }
  return wrong;
}

test("STA-14: every address of the back office has a line that says who may use it", () => {
  const known = new Set([...Object.keys(adminRights), ...Object.keys(controlRights)]);
  const missing = routes.filter((route) => !known.has(route));
  const gone = [...known].filter((route) => !routes.includes(route));
  expect([
    ...missing.map((route) => `Add '${route}' and who may use it to test/project/admin-rights.ts.`),
    ...gone.map((route) => `The server has no '${route}': remove it from test/project/admin-rights.ts.`),
  ]).toEqual([]);
});

test("STA-14: each address answers each role, nobody, and somebody who has left, as its line says", async () => {
  expect(await listWrongAnswers(adminRights)).toEqual([]);
});

test("STA-14: negative control: addresses with a weaker declared right than their line are found", async () => {
  expect(await listWrongAnswers(controlRights)).toEqual([
    `GET ${planted}: treasurer should be refused, but is answered (200).`,
    `GET ${planted}: editor should be refused, but is answered (200).`,
    `GET ${planted}: coordinator should be refused, but is answered (200).`,
    `GET ${planted}: events should be refused, but is answered (200).`,
    `GET ${planted}: door should be refused, but is answered (200).`,
    `POST ${planted}/weak: auditor should be refused, but is answered (303).`,
    `POST ${planted}/unproved: administrator (proved long ago) should be asked for a proof, but is answered (303).`,
  ]);
});

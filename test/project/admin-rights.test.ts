import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { action } from "#admin/actions.ts";
import { allRoles } from "#admin/rights.ts";
import { screen } from "#admin/screen.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { collectRoutes } from "#test/collect-routes.ts";
import { isLongRun } from "#test/long-run.ts";
import { adminRights, type ExpectedAccess } from "./admin-rights.ts";
import { createTries, expectedVerdict, type Try, type Who } from "./admin-tries.ts";

const planted = "/admin/planted-by-the-test";
/** Negative controls: each is declared with a weaker right than `controlRights` has. */
const controls = {
  screens: [
    screen({
      path: planted,
      right: "logged in",
      load: async () => ({}),
      title: () => "Planted",
      body: () => null as never,
    }),
  ],
  actions: [
    action({
      path: `${planted}/weak`,
      screen: planted,
      right: "donations.see",
      fields: z.object({}),
      run: async () => ({ to: planted }),
    }),
    action({
      path: `${planted}/unproved`,
      screen: planted,
      right: "refunds.make",
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
let tries: Awaited<ReturnType<typeof createTries>>;

beforeAll(async () => {
  const { made, routes: all } = await collectRoutes(() => openAdminSite({}, controls));
  site = made;
  routes = all.filter((route) => /^\w+ \/admin\b/.test(route));
  tries = await createTries(site);
});
afterAll(() => site.close());

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

/** With an id that nothing has. */
function tryOf(route: string): Try {
  const [method, path] = route.split(" ") as [Try["method"], string];
  return { method, url: path.replace(/:\w+/g, "00000000-0000-4000-8000-000000000000").replaceAll("*", "x") };
}

/** A sentence for each answer that differs from the table. */
async function listWrongAnswers(table: Readonly<Record<string, ExpectedAccess>>): Promise<string[]> {
  const wrong: string[] = [];
  for (const [route, expected] of Object.entries(table)) {
    for (const [who, isProved] of listTries(expected)) {
      const wanted = expectedVerdict(expected, who, isProved);
      const { verdict, status } = await tries.ask(tryOf(route), who, isProved);
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

import type { Action } from "#admin/actions.ts";
import type { Role } from "#admin/rights.ts";
import type { Screen } from "#admin/screen.ts";
import * as build from "#app/admin/render-admin.tsx";
import { makeStaff } from "#database/factories.ts";
import type { TestDatabase } from "./database.ts";
import { createVisitor, openTestSite } from "./site.ts";

export type AdminSite = Awaited<ReturnType<typeof openAdminSite>>;

/** A test site with the back office, rendered from source. `screens` and `actions` are added to the product’s own. */
export async function openAdminSite(
  environment: Record<string, string> = {},
  {
    screens = [],
    actions = [],
    openDatabase,
  }: {
    screens?: readonly Screen[];
    actions?: readonly Action[];
    openDatabase?: () => Promise<TestDatabase>;
  } = {},
) {
  const files = { stylesheet: "/assets/admin.css", scripts: [] };
  const listScreens = () => [...build.listScreens(), ...screens];
  const site = await openTestSite(environment, {
    adminBuild: async () => ({ build: { ...build, listScreens }, files, actions }),
    ...(openDatabase && { openDatabase }),
  });
  const { database } = site.services;
  let people = 0;

  /** Adds an active member of staff with these roles, and logs them in, in a new browser. */
  async function logIn(...roles: Role[]) {
    people += 1;
    const name = `${roles[0]} ${people}`;
    const { id } = await makeStaff(database, { name, roles, created_at: site.clock.now() });
    return { ...(await openBrowser(id)), id, name };
  }

  /** A browser with a session of this person; without an id, one without a session. */
  async function openBrowser(staffId?: number) {
    const visitor = await createVisitor(site.app);
    if (staffId !== undefined) {
      const request = { cookies: {}, ip: "203.0.113.7", headers: { "user-agent": "Test" } };
      const token = await site.services.staffSessions.begin(database, staffId, request as never);
      visitor.cookies.set("staff", token);
    }
    const read = (response: Awaited<ReturnType<typeof visitor.ask>>) => ({
      status: response.statusCode,
      to: response.headers.location,
      html: response.body,
      headers: response.headers,
    });
    return {
      visitor,
      get: async (url: string) => read(await visitor.ask({ url })),
      /** Sends a form; a list sends its name several times. */
      post: async (url: string, fields: Record<string, string | readonly string[]> = {}) => {
        const pairs = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
        const headers = { "content-type": "application/x-www-form-urlencoded" };
        return read(await visitor.ask({ method: "POST", url, headers, payload: String(new URLSearchParams(pairs)) }));
      },
    };
  }

  return { ...site, logIn, openBrowser };
}

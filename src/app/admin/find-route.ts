import type { FastifyInstance } from "fastify";
import type { AdminReads } from "#admin/screen.ts";
import type { StaffSessions } from "#admin/staff-sessions.ts";

/** The search of the whole back office as JSON, for the palette; `/admin/find` shows the same as a screen. */
export function addFindRoute(staffSessions: StaffSessions, search: AdminReads["searchEverywhere"]) {
  return (admin: FastifyInstance): void => {
    admin.get<{ Querystring: { q?: unknown } }>(
      "/admin/find.json",
      { config: { access: "logged in" } },
      async (request) => {
        const { q } = request.query;
        const { staff } = (await staffSessions.find(request))!;
        return search(staff, typeof q === "string" ? q.slice(0, 200) : "");
      },
    );
  };
}

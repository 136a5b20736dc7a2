import type { FastifyInstance } from "fastify";
import { CARD_IN_SEARCH, hasCardNumber } from "#admin/card-number.ts";
import type { AdminReads } from "#admin/screen.ts";
import type { StaffSessions } from "#admin/staff-sessions.ts";

/** The search of the whole back office as JSON, for the palette; `/admin/find` shows the same as a screen. */
export function addFindRoute(staffSessions: StaffSessions, search: AdminReads["searchEverywhere"]) {
  return (admin: FastifyInstance): void => {
    admin.get<{ Querystring: { q?: unknown } }>(
      "/admin/find.json",
      { config: { access: "logged in" } },
      async (request, reply) => {
        const { q } = request.query;
        const text = typeof q === "string" ? q.slice(0, 200) : "";
        if (hasCardNumber(text)) return reply.code(422).send({ problem: CARD_IN_SEARCH });
        const { staff } = (await staffSessions.find(request))!;
        return search(staff, text);
      },
    );
  };
}

import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { eventCalendar } from "#shared/events/event-calendar.ts";
import { findEvent } from "#shared/events/find-event.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { eventCalendarPath } from "#shared/paths.ts";

type EventOptions = CoreServices<"database" | "organisation" | "now", "publicUrl">;

/** Serves `/events/<slug>/calendar.ics`, a published event as a calendar file. */
export function eventRoutes(app: FastifyInstance, { database, config, organisation, now }: EventOptions) {
  const options = { schema: { hide: true } as object };
  app.get<{ Params: { slug: string } }>(eventCalendarPath(":slug"), options, async (request, response) => {
    const { slug } = request.params;
    const event = /^[a-z0-9-]{1,120}$/.test(slug) ? await findEvent(database, slug, now()) : null;
    if (event === null) return response.callNotFound();
    const { name, email } = organisation.current();
    const text = eventCalendar(event, { publicUrl: config.publicUrl, organiser: { name, email } });
    const tag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
    response.headers({ etag: tag, "cache-control": "public, max-age=300", "x-robots-tag": "noindex" });
    if (request.headers["if-none-match"]?.includes(tag)) return response.code(304).send();
    return response
      .type("text/calendar; charset=utf-8")
      .header("content-disposition", `attachment; filename="${slug}.ics"`)
      .send(text);
  });
}

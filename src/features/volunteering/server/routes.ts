import type { FastifyInstance } from "fastify";
import { mount } from "#shared/http/mount.ts";
import { takeUploads } from "#shared/http/uploads.ts";
import type { Sessions } from "#shared/sessions/sessions.ts";
import { applyCall } from "../contract.ts";
import { type ApplyServices, applyToVolunteer } from "./apply.ts";

/** The calls of volunteering, mounted below /api. */
export function volunteerRoutes(app: FastifyInstance, services: ApplyServices & { readonly sessions: Sessions }) {
  app.register(async (uploads) => {
    await takeUploads(uploads);
    mount(uploads, applyCall, async ({ body, files }, request) => {
      const userId = await services.sessions.findUserId(request);
      return applyToVolunteer(services, body, { files, address: request.ip, userId });
    });
  });
}

import type { FastifyInstance } from "fastify";
import { mount } from "#shared/http/mount.ts";
import { takeUploads } from "#shared/http/uploads.ts";
import { applyCall } from "../contract.ts";
import { type ApplyServices, applyToVolunteer } from "./apply.ts";

/** The calls of volunteering, mounted below /api. */
export function volunteerRoutes(app: FastifyInstance, services: ApplyServices) {
  app.register(async (uploads) => {
    await takeUploads(uploads);
    mount(uploads, applyCall, async ({ body, files }, request) =>
      applyToVolunteer(services, body, { files, address: request.ip }),
    );
  });
}

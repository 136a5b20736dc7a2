import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { mount } from "#shared/http/mount.ts";
import { opensPath } from "#shared/http/signed-link.ts";
import { takeUploads } from "#shared/http/uploads.ts";
import { requireDocumentKey } from "#shared/links/document-links.ts";
import { applicationPhotoPath, paths } from "#shared/paths.ts";
import type { Sessions } from "#shared/sessions/sessions.ts";
import {
  applyCall,
  changeApplicationCall,
  leaveShiftCall,
  takeShiftCall,
  withdrawApplicationCall,
} from "../contract.ts";
import {
  type ApplicantServices,
  changeDetails,
  findPhotoPreview,
  leaveShift,
  takeShift,
  withdrawApplication,
} from "./applicant.ts";
import { type ApplyServices, applyToVolunteer } from "./apply.ts";

export function volunteerRoutes(app: FastifyInstance, services: ApplyServices & { readonly sessions: Sessions }) {
  app.register(async (uploads) => {
    await takeUploads(uploads);
    mount(uploads, applyCall, async ({ body, files }, request) => {
      const userId = await services.sessions.findUserId(request);
      return applyToVolunteer(services, body, { files, address: request.ip, userId });
    });
  });
}

/** Calls about one application, authorised by the key in its link. */
export function applicantRoutes(app: FastifyInstance, services: ApplicantServices): void {
  const requireKey = (id: string, key: string) => requireDocumentKey(services, { kind: "application", id }, key);
  mount(app, changeApplicationCall, async ({ params: { id }, body: { key, ...change } }) => {
    await requireKey(id, key);
    return changeDetails(services, id, change);
  });
  mount(app, withdrawApplicationCall, async ({ params: { id }, body: { key } }) => {
    await requireKey(id, key);
    return withdrawApplication(services, id);
  });
}

/** Calls about a volunteer's shifts, authorised in the same way. */
export function shiftRoutes(app: FastifyInstance, services: ApplicantServices): void {
  mount(app, takeShiftCall, async ({ params: { id, shift }, body: { key, role } }) => {
    await requireDocumentKey(services, { kind: "application", id }, key);
    return takeShift(services, { applicationId: id, shiftId: shift, role });
  });
  mount(app, leaveShiftCall, async ({ params: { id, shift }, body: { key } }) => {
    await requireDocumentKey(services, { kind: "application", id }, key);
    return leaveShift(services, { applicationId: id, shiftId: shift });
  });
}

/** The photo on an applicant's page, behind its signed link. The headers keep browsers from running or storing it. */
export function applicantPhoto(app: FastifyInstance, services: ApplicantServices): void {
  type Signed = { readonly key?: unknown };
  const { config, now } = services;
  app.get<{ Params: { id: string }; Querystring: Signed }>(applicationPhotoPath(":id"), async (request, response) => {
    const { id } = request.params;
    const isOpen =
      z.uuid().safeParse(id).success && opensPath(config.secretKey, applicationPhotoPath(id), request.query.key, now());
    const preview = isOpen ? await findPhotoPreview(services, id) : undefined;
    if (preview === undefined) return response.callNotFound();
    return response
      .type("image/jpeg")
      .headers({
        "cache-control": "private, no-store",
        "content-disposition": 'inline; filename="photo.jpg"',
        "content-security-policy": "default-src 'none'; sandbox",
        "x-content-type-options": "nosniff",
        "x-robots-tag": "noindex",
      })
      .send(preview);
  });
}

/** The older address in the specification (NAV-2). */
export function redirectOlderAddress(app: FastifyInstance): void {
  app.get("/volunteerApplication", { schema: { hide: true } as object }, async (_, response) =>
    response.header("cache-control", "public, max-age=86400").redirect(paths.volunteer, 301),
  );
}

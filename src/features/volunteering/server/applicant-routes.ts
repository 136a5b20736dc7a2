import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { mount } from "#shared/http/mount.ts";
import { opensPath } from "#shared/http/signed-link.ts";
import { requireDocumentKey } from "#shared/links/document-links.ts";
import { applicationPhotoPath } from "#shared/paths.ts";
import { changeApplicationCall, withdrawApplicationCall } from "../contract.ts";
import { type ApplicantServices, changeDetails, findPhotoPreview, withdrawApplication } from "./applicant.ts";

/** What applicants may do with their own application, below /api; the key of its link is the right to. */
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

/** The picture on an applicant's page, behind its signed link; whatever it is, no browser runs it or keeps it. */
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

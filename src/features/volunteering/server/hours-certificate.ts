import type { FastifyInstance, FastifyReply } from "fastify";
import { readDocumentLook } from "#shared/brand/document-look.ts";
import { sendPdf } from "#shared/http/send-pdf.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { dayInSydney } from "#shared/language.ts";
import { opensDocument } from "#shared/links/document-links.ts";
import type { Organisation } from "#shared/organisation.ts";
import { applicationHoursPath } from "#shared/paths.ts";
import { runInWorker } from "#shared/workers/run-in-worker.ts";
import type { HoursDocument } from "./hours-pdf.ts";
import { listHours } from "./shift-places.ts";

/** Undefined if no hours are recorded. */
export async function drawCertificate(
  services: CoreServices<"database" | "files">,
  { id, organisation, now }: { id: string; organisation: Organisation; now: Date },
): Promise<{ readonly bytes: Buffer; readonly reference: string } | undefined> {
  const { database } = services;
  const person = await database
    .selectFrom("volunteer_applications")
    .select(["name", "reference"])
    .where("id", "=", id)
    .executeTakeFirst();
  const shifts = await listHours(database, id);
  if (person === undefined || shifts.length === 0) return undefined;
  const look = await readDocumentLook(services);
  const input: HoursDocument = { organisation, ...person, shifts, day: dayInSydney(now), madeAt: now, look };
  const module = new URL("./hours-pdf.ts", import.meta.url);
  return { bytes: await runInWorker({ module, run: "drawHours", input }), reference: person.reference };
}

export const sendCertificate = (reply: FastifyReply, { bytes, reference }: { bytes: Buffer; reference: string }) =>
  sendPdf(reply, `hours-${reference}`, bytes);

type CertificateServices = CoreServices<"database" | "files" | "organisation" | "now", "secretKey">;
type Signed = { Params: { id: string }; Querystring: { key?: unknown } };

/** The certificate of a volunteer's hours, opened by the key of the application's page. */
export function hoursCertificate(app: FastifyInstance, services: CertificateServices): void {
  const { organisation, now } = services;
  app.get<Signed>(applicationHoursPath(":id"), { schema: { hide: true } as object }, async (request, response) => {
    const { id } = request.params;
    const isOpen = await opensDocument(services, { kind: "application", id }, request.query.key);
    const given = { id, organisation: organisation.current(), now: now() };
    const drawn = isOpen ? await drawCertificate(services, given) : undefined;
    return drawn === undefined ? response.callNotFound() : sendCertificate(response, drawn);
  });
}

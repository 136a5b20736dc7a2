import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { type Action, action } from "#admin/actions.ts";
import { recordAct } from "#admin/audit.ts";
import { type ArchivePart, writeArchive } from "#admin/export/archive.ts";
import { writeReadableData } from "#admin/export/readable-data.ts";
import type { AdminPart } from "#admin/feature.ts";
import type { PersonData } from "#admin/person-data.ts";
import type { AdminReads } from "#admin/screen.ts";
import type { StaffSessions } from "#admin/staff-sessions.ts";
import { typedText } from "#admin/typed-text.ts";
import { AppError } from "#shared/errors.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { clockIn } from "#shared/language.ts";
import type { ErasurePlan } from "#shared/retention/retention.ts";
import { personDataAuditWords } from "../audit-words.ts";

declare module "#admin/screen.ts" {
  interface AdminReads {
    /** What erasing this person changes, feature by feature. */
    readonly planErasure: (email: string) => Promise<ErasurePlan[]>;
  }
}

export type PersonDataServices = CoreServices<"database" | "now"> & {
  readonly personData: PersonData;
  readonly staffSessions: StaffSessions;
};

/** The download of everything about a person, and their erasure. */
export function personDataPart(services: PersonDataServices): AdminPart {
  return {
    reads: { planErasure: services.personData.planErasure } satisfies Partial<AdminReads>,
    actions: [eraseAction(services)],
    routes: (admin) => downloadRoute(admin, services),
    auditWords: personDataAuditWords,
  };
}

function downloadRoute(admin: FastifyInstance, { database, now, personData, staffSessions }: PersonDataServices): void {
  const path = "/admin/people/:id/data.zip";
  const access = { config: { access: "people.export", needsProof: true }, schema: { hide: true } as object } as const;
  admin.get<{ Params: { id: string } }>(path, access, async (request, reply) => {
    const { id } = request.params;
    const { staff } = (await staffSessions.find(request))!;
    const email = await personData.findEmail(staff, id);
    if (email === null) throw new AppError("not_found");
    const { data, about } = await personData.exportPerson({ id, email });
    const at = now();
    await recordAct(database, { staff, ipAddress: request.ip }, { verb: "person.export", ...about }, at);
    const day = clockIn("Australia/Sydney", at).slice(0, 10);
    reply.header("content-disposition", `attachment; filename="person_${day}.zip"`).type("application/zip");
    return reply.send(Readable.from(writeArchive(listFiles(email, data)), { objectMode: false }));
  });
}

/** The same data twice: to be read by people and by programs. */
async function* listFiles(email: string, data: object): AsyncGenerator<ArchivePart> {
  const title = `Personal information about ${email}`;
  const about = "Everything that this site keeps under this email address. Times are in Sydney.";
  yield { name: "person.html", bytes: [Buffer.from(writeReadableData({ title, about }, data))] };
  yield { name: "person.json", bytes: [Buffer.from(JSON.stringify(data, null, 2))] };
}

function eraseAction({ personData }: PersonDataServices): Action {
  const path = "/admin/people/:id/erase";
  return action({
    path,
    screen: path,
    right: "donors.erase",
    needsProof: true,
    fields: z.object({
      email: z.string("Type their email address").trim().min(1, "Type their email address").max(254),
      reason: typedText("Say why: who asked, and when", 500),
    }),
    async run({ params: { id = "" }, fields: { email, reason }, staff, actor }) {
      const theirs = await personData.findEmail(staff, id);
      if (theirs === null) throw new AppError("not_found");
      if (email.toLowerCase() !== theirs.toLowerCase()) {
        throw new AppError("invalid_input", { fields: { email: ["This is not their email address"] } });
      }
      await personData.erasePerson({ email: theirs, reason }, actor);
      return { to: "/admin/donations", toast: "The person is erased, except for what has to stay." };
    },
  });
}

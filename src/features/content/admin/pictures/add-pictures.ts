import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { action, type SentFile } from "#admin/actions.ts";
import type { Actor } from "#admin/audit.ts";
import { AppError } from "#shared/errors.ts";
import { MULTIPART, refuseOtherBodies, takeUploads, withUpload } from "#shared/http/uploads.ts";
import { plural } from "#shared/language.ts";
import { type AddedPicture, addPicture, pictureName, toJson } from "../../server/pictures/library.ts";
import type { ContentAdminServices } from "../content-services.ts";

/** In one form without script. */
const MAX_AT_ONCE = 20;

type Outcome = AddedPicture | { readonly fault: string };

/** Adds one file of a form, or says why it cannot be added. */
async function addFile(services: ContentAdminServices, file: SentFile, actor: Actor): Promise<Outcome> {
  if ("fault" in file) return { fault: file.fault };
  try {
    return await addPicture(services, { name: file.name, bytes: file.bytes, actor });
  } catch (error) {
    const [fault] = error instanceof AppError ? (error.fields?.image ?? []) : [];
    if (fault === undefined) throw error;
    return { fault };
  }
}

/** The form without script: what can be added is, and each other file gets its sentence. */
export const addAction = (services: ContentAdminServices) =>
  action({
    path: "/admin/pictures",
    screen: "/admin/pictures",
    right: "content.change",
    files: { name: "pictures", max: MAX_AT_ONCE },
    fields: z.looseObject({}),
    run: async ({ files, actor }) => {
      if (files.length === 0) throw invalid(["Choose one or more pictures first."]);
      const faults: string[] = [];
      let added = 0;
      // One after the other, so that the newest is the last that was chosen.
      for (const file of files) {
        const outcome = await addFile(services, file, actor);
        if ("fault" in outcome) faults.push(`${pictureName(file.name)}: ${outcome.fault}`);
        else added += 1;
      }
      const toast = plural(added, {
        one: "One picture is in the library.",
        other: `${added} pictures are in the library.`,
      });
      if (faults.length > 0) throw invalid(added === 0 ? faults : [toast, ...faults]);
      return { to: "/admin/pictures", toast };
    },
  });

const invalid = (pictures: readonly string[]) => new AppError("invalid_input", { fields: { pictures } });

function whileAway(error: unknown): AppError {
  if (error instanceof AppError && error.problem === "files_away") return error;
  throw error;
}

/** One file at a time, for the script that shows how far each is. Answers the picture, or the sentence to show. */
export function addRoute(services: ContentAdminServices) {
  const { staffSessions } = services;
  return (admin: FastifyInstance): void => {
    admin.register(async (uploads) => {
      await takeUploads(uploads);
      const schema = { hide: true, consumes: [MULTIPART] } as object;
      const options = { config: { access: "content.change" as const }, schema, preHandler: refuseOtherBodies };
      uploads.post("/admin/pictures/add.json", options, (request, reply) =>
        withUpload(request, ["picture"], async ({ files, faults, fileNames }) => {
          const { staff } = (await staffSessions.find(request))!;
          const name = fileNames.picture ?? "";
          const [refused = "Choose a picture first."] = faults.picture ?? [];
          const sent = files.picture === undefined ? { name, fault: refused } : { name, bytes: files.picture.bytes };
          const outcome = await addFile(services, sent, { staff, ipAddress: request.ip }).catch(whileAway);
          if ("retryAfterSeconds" in outcome) {
            request.log.warn({ err: outcome }, "a picture was not added, because the bucket for files is away");
            return reply.code(503).header("retry-after", outcome.retryAfterSeconds).send({ error: outcome.text });
          }
          if ("fault" in outcome) return reply.code(422).send({ error: outcome.fault });
          return { ...toJson(outcome.picture), isNew: outcome.isNew };
        }),
      );
    });
  };
}

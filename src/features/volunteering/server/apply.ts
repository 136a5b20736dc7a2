import { randomUUID } from "node:crypto";
import { newReference } from "#payments/reference.ts";
import { type Captcha, checkCaptcha, type SolvedCaptcha, spendEffort } from "#shared/captcha/captcha.ts";
import type { Config } from "#shared/config/config.ts";
import { accepted, type Reply } from "#shared/contract/envelope.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { Files } from "#shared/database/stored-file.ts";
import { AppError, type FieldErrors } from "#shared/errors.ts";
import type { UploadedFile } from "#shared/http/uploads.ts";
import { type PrivateFile, type WrittenFile, writePrivateFiles } from "#shared/images/private-files.ts";
import { encodePrivateImage } from "#shared/images/private-image.ts";
import { countMessage } from "#shared/limits/message-limits.ts";
import { SENT } from "../application.ts";
import { type SentApplication, wireFile } from "../contract.ts";
import { volunteeringProblems } from "../problems.ts";
import { insertEvents } from "./events.ts";
import { findByKey, insertApplication, keepFiles, type VolunteerServices } from "./store.ts";

export type ApplyServices = VolunteerServices & {
  readonly files: Files;
  readonly config: Pick<Config, "limits" | "secretKey">;
  readonly captcha: Captcha;
};

type SentFiles = Readonly<Record<string, UploadedFile>>;
type Created = Reply<{ reference: string }>;

/**
 * Receives an application to volunteer: re-encodes the pictures, then stores everything and queues the emails in one
 * transaction (VOL-11, REL-2). Nothing is kept of a refused application. A repeated request gets the earlier answer
 * before its captcha is checked.
 * @throws AppError if the captcha or a picture is refused, too many came from the same sender, or the bucket for
 * files is away.
 */
export async function applyToVolunteer(
  services: ApplyServices,
  sent: SentApplication,
  { files, address, userId }: { files: SentFiles; address: string; userId: number | null },
): Promise<Created> {
  const { database, captcha, now } = services;
  const key = sent.key ?? randomUUID();
  // A bot must not learn that it was recognised.
  if (sent.website !== "") return accepted({ reference: newReference("V") }, SENT);
  const earlier = await findByKey(database, key);
  if (earlier !== undefined) return accepted({ reference: earlier }, SENT);

  const checked = await checkCaptcha(captcha, sent.captcha, { action: "volunteer", address, now: now() });
  if ("refusal" in checked) return checked.refusal;
  const pictures = await encodePictures(files);
  const [photo, signature] = await writePrivateFiles(services.files, [pictures.photo, pictures.signature]);
  const reference = newReference("V");
  const isNew = await database.transaction().execute((transaction) =>
    keep(services, transaction, {
      sent,
      key,
      reference,
      address,
      userId,
      solved: checked.solved,
      photo: photo!,
      signature: signature!,
    }),
  );
  return accepted({ reference: isNew ? reference : (await findByKey(database, key))! }, SENT);
}

/** Encodes both even if the first fails, so that all errors are reported together. */
async function encodePictures(files: SentFiles): Promise<{ photo: PrivateFile; signature: PrivateFile }> {
  const [photo, signature] = await Promise.allSettled([
    encodePrivateImage(files[wireFile.photo]!.bytes, "photo", wireFile.photo),
    encodePrivateImage(files[wireFile.signature]!.bytes, "signature", wireFile.signature),
  ]);
  if (photo.status === "fulfilled" && signature.status === "fulfilled") {
    return { photo: photo.value, signature: signature.value };
  }
  const fields: Record<string, readonly string[]> = {};
  for (const result of [photo, signature]) {
    if (result.status === "fulfilled") continue;
    if (!(result.reason instanceof AppError)) throw result.reason;
    Object.assign(fields, result.reason.fields satisfies FieldErrors | undefined);
  }
  throw new AppError("invalid_input", { fields });
}

type Keeping = {
  readonly sent: SentApplication;
  readonly key: string;
  readonly reference: string;
  readonly address: string;
  /** Null for a guest. */
  readonly userId: number | null;
  readonly solved: SolvedCaptcha;
  readonly photo: WrittenFile;
  readonly signature: WrittenFile;
};

/** False, with nothing stored, if a copy of this request was first. */
async function keep(
  { config, jobs, now }: ApplyServices,
  transaction: Connection,
  { sent, key, reference, address, userId, solved, photo, signature }: Keeping,
): Promise<boolean> {
  const at = now();
  const id = randomUUID();
  // A simultaneous copy waits here for the first one.
  if (!(await insertApplication(transaction, { id, reference, key, userId, application: sent }, at))) return false;
  const limits = {
    secretKey: config.secretKey,
    ...config.limits.applications,
    kind: "application",
    tooMany: volunteeringProblems.too_many_applications,
  };
  const effort = await countMessage(transaction, { address, email: sent.email }, limits, at);
  await spendEffort(transaction, solved, { effort, now: at });
  await keepFiles(transaction, id, { photo, signature }, at);
  await insertEvents(transaction, [{ applicationId: id, event: "received", actor: "applicant" }], at);
  await jobs.send(transaction, "emails", { template: "application-received", applicationId: id });
  await jobs.send(transaction, "emails", { template: "new-application", applicationId: id });
  return true;
}

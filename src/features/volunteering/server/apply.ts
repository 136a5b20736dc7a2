import { randomUUID } from "node:crypto";
import { newReference } from "#payments/reference.ts";
import { type Captcha, checkCaptcha, type SolvedCaptcha, spendEffort } from "#shared/captcha/captcha.ts";
import type { Config } from "#shared/config.ts";
import { accepted, type Reply } from "#shared/contract/envelope.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError, type FieldErrors } from "#shared/errors.ts";
import type { PrivateFile } from "#shared/files/private-files.ts";
import type { UploadedFile } from "#shared/http/uploads.ts";
import { encodePrivateImage } from "#shared/images/private-image.ts";
import { countMessage } from "#shared/limits/message-limits.ts";
import { SENT } from "../application.ts";
import { type SentApplication, wireFile } from "../contract.ts";
import { insertEvents } from "./events.ts";
import { findByKey, insertApplication, keepFiles, type VolunteerServices } from "./store.ts";

export type ApplyServices = VolunteerServices & {
  readonly config: Pick<Config, "limits" | "secretKey">;
  readonly captcha: Captcha;
};

type Files = Readonly<Record<string, UploadedFile>>;
type Created = Reply<{ reference: string }>;

/**
 * Takes in an application to volunteer: the pictures made our own, then everything kept, and its letters sent on their way,
 * in one transaction (VOL-11, REL-2). Nothing stays of one that is refused. A copy of an earlier sending is answered like
 * that one, before its captcha is looked at.
 * @throws AppError when the captcha or a picture is refused, or when too many came from the same sender.
 */
export async function applyToVolunteer(
  services: ApplyServices,
  sent: SentApplication,
  { files, address, userId }: { files: Files; address: string; userId: number | null },
): Promise<Created> {
  const { database, captcha, now } = services;
  const key = sent.key ?? randomUUID();
  // A program that fills in everything must not learn that it was found out.
  if (sent.website !== "") return accepted({ reference: newReference("V") }, SENT);
  const earlier = await findByKey(database, key);
  if (earlier !== undefined) return accepted({ reference: earlier }, SENT);

  const checked = await checkCaptcha(captcha, sent.captcha, { action: "volunteer", address, now: now() });
  if ("refusal" in checked) return checked.refusal;
  const pictures = await encodePictures(files);
  const reference = newReference("V");
  const isNew = await database
    .transaction()
    .execute((transaction) =>
      keep(services, transaction, { sent, key, reference, address, userId, solved: checked.solved, ...pictures }),
    );
  return accepted({ reference: isNew ? reference : (await findByKey(database, key))! }, SENT);
}

/** Both pictures are looked at, so that both are refused together. */
async function encodePictures(files: Files): Promise<{ photo: PrivateFile; signature: PrivateFile }> {
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
  /** Who is logged in; null for a guest. */
  readonly userId: number | null;
  readonly solved: SolvedCaptcha;
  readonly photo: PrivateFile;
  readonly signature: PrivateFile;
};

/** False, with nothing kept, when a copy of this sending was quicker. */
async function keep(
  { config, jobs, now }: ApplyServices,
  transaction: Connection,
  { sent, key, reference, address, userId, solved, photo, signature }: Keeping,
): Promise<boolean> {
  const at = now();
  const id = randomUUID();
  // A copy that came at the same moment waits here for the first one.
  if (!(await insertApplication(transaction, { id, reference, key, userId, application: sent }, at))) return false;
  const limits = { secretKey: config.secretKey, ...config.limits.applications };
  const effort = await countMessage(transaction, { address, email: sent.email }, limits, at);
  await spendEffort(transaction, solved, { effort, now: at });
  await keepFiles(transaction, id, { photo, signature }, at);
  await insertEvents(transaction, [{ applicationId: id, event: "received", actor: "applicant" }], at);
  await jobs.send(transaction, "letters", { letter: "application-received", applicationId: id });
  await jobs.send(transaction, "letters", { letter: "new-application", applicationId: id });
  return true;
}

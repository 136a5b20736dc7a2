import { randomUUID } from "node:crypto";
import { newReference } from "#payments/reference.ts";
import { DAY_MS } from "#shared/day-length.ts";
import type { PrivateFile } from "#shared/images/private-files.ts";
import { addDays, dayInSydney } from "#shared/language.ts";
import { recordCheck, verifyCheck } from "../server/checks.ts";
import { insertEvents } from "../server/events.ts";
import { moveApplication } from "../server/pipeline.ts";
import { insertApplication, keepFiles } from "../server/store.ts";
import { drawPortrait, drawSignature } from "./draw-portrait.ts";
import { type PlannedApplication, plannedApplications } from "./plan-applications.ts";

type Services = Parameters<typeof moveApplication>[0];

const walls = [
  [222, 206, 178],
  [196, 214, 208],
  [214, 198, 214],
] as const;
/** The name of the demo’s administrator, who decides. */
const ACTOR = "Priya Nair";

/** Adds applications to volunteer in all stages, each with a photo. */
export async function addApplications(services: Services, now: Date): Promise<void> {
  const signature = await drawSignature();
  const photos = await Promise.all(walls.map(drawPortrait));
  for (const [index, planned] of plannedApplications.entries()) {
    const files = { photo: photos[index % photos.length]!, signature };
    await addApplication(services, planned, files, now);
  }
}

async function addApplication(
  services: Services,
  { application, daysAgo, stages, roles, check }: PlannedApplication,
  files: { readonly photo: PrivateFile; readonly signature: PrivateFile },
  now: Date,
): Promise<void> {
  const { database } = services;
  const sentAt = new Date(now.getTime() - daysAgo * DAY_MS);
  const id = randomUUID();
  const written = { id, reference: newReference("V"), key: randomUUID(), userId: null, application };
  await insertApplication(database, written, sentAt);
  await keepFiles(database, id, files, sentAt);
  await insertEvents(database, [{ applicationId: id, event: "received", actor: "applicant" }], sentAt);
  for (const [index, to] of stages.entries()) {
    const movedAt = new Date(sentAt.getTime() + (index + 1) * 4 * DAY_MS);
    const at = { ...services, now: () => movedAt };
    if (index === 0 && check !== null) await addCheck(at, id, check, addDays(dayInSydney(now), check.daysLeft));
    const actor = to === "withdrawn" ? "applicant" : ACTOR;
    const moved = await moveApplication(at, { id, to, actor, ...(to === "approved" ? { roles } : {}) });
    if (!moved.ok) throw new Error(`The demo could not move an application: ${moved.text}`);
  }
}

async function addCheck(
  services: Services,
  applicationId: string,
  { isVerified, daysLeft }: NonNullable<PlannedApplication["check"]>,
  expiresOn: string,
): Promise<void> {
  const number = `WWC0${String(123_456 + daysLeft)}E`;
  const check = { state: "NSW", number, kind: "volunteer", expiresOn } as const;
  const recorded = await recordCheck(services, { applicationId, check, actor: ACTOR });
  if (!recorded.ok) throw new Error(`The demo could not record a check: ${recorded.text}`);
  if (isVerified) await verifyCheck(services, { id: recorded.id, actor: ACTOR });
}

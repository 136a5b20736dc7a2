import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signPath } from "#shared/http/signed-link.ts";
import { putPrivateFile } from "#shared/images/private-files.ts";
import { sharp } from "#shared/images/sharp.ts";
import { documentLink } from "#shared/links/document-links.ts";
import { applicationPath, applicationPhotoPath } from "#shared/paths.ts";
import { openWholeSite, type WholeSite } from "#test/project/whole-site.ts";
import type { Visitor } from "#test/site.ts";
import { makeApplication } from "#test/volunteer-rows.ts";
import { listApplicationEvents } from "./events.ts";
import { moveApplication } from "./pipeline.ts";

let site: WholeSite;
let visitor: Visitor;
beforeAll(async () => {
  site = await openWholeSite();
  visitor = await site.visitor();
});
afterAll(() => site.close());

const make = (changes?: Parameters<typeof makeApplication>[1]) => makeApplication(site.database, changes);
const madeAt = new Date();
const link = (id: string) => documentLink(site.config, { kind: "application", id }, madeAt).path;
const signFor = (path: string, milliseconds: number) =>
  signPath(site.config.secretKey, path, {
    madeAt,
    until: new Date(site.clock.now().getTime() + milliseconds),
  });
const keyOf = (id: string) => link(id).split("key=")[1]!;
const change = (id: string, changes: object, key = keyOf(id)) =>
  visitor.post(`/api/volunteer/application/${id}`, { key, ...changes });
const withdraw = (id: string, key = keyOf(id)) => visitor.post(`/api/volunteer/application/${id}/withdrawal`, { key });
const findRow = async (id: string) =>
  (await site.pool.query("select * from volunteer_applications where id = $1", [id])).rows[0];
const countFiles = async () => Number((await site.pool.query("select count(*) as n from private_files")).rows[0].n);

async function listJobs(id: string): Promise<string[]> {
  const { rows } = await site.pool.query("select data from pgboss.job where name = 'emails' order by created_on");
  return rows.filter(({ data }) => data.applicationId === id).map(({ data }) => data.template);
}

/** The text of the page. */
async function readPage(id: string): Promise<string> {
  const { body } = await visitor.ask({ url: link(id) });
  return body
    .replace(/<script.*?<\/script>|data-props="[^"]*"/gs, " ")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
}

test("VOL-11, API-9: the email's link opens the applicant's page, uncached and hidden from search engines", async () => {
  const id = await make({ name: "آمنہ رضا", skills: "First aid\n\nDriving" });
  const { statusCode, headers, body } = await visitor.ask({ url: link(id) });
  expect(statusCode).toBe(200);
  expect(headers["cache-control"]).toBe("private, no-store");
  expect(headers["referrer-policy"]).toBe("no-referrer");
  expect(headers.etag).toBeUndefined();
  expect(body).toContain('<meta name="robots" content="noindex"');
  expect(body).not.toContain(keyOf(id));
  for (const text of [
    "آمنہ رضا",
    "Received",
    "12 Harbour Street",
    "0412 345 678",
    "First aid",
    "Events, Fundraising",
  ]) {
    expect(body).toContain(text);
  }
  const row = await findRow(id);
  expect(body).toContain(row.reference);
});

test("VOL-5: the page names the emergency contact and shows no more than it must, because others may see the link", async () => {
  const id = await make();
  const { body } = await visitor.ask({ url: link(id) });
  expect(body).toContain("Bilal Raza");
  expect(body).toMatch(/ending in 432/);
  expect(body).not.toContain("bilal@example.com");
  // However it is written; its first digits alone may also turn up in a random id.
  expect(body.replace(/[\s-]/g, "")).not.toContain("98765432");
});

test("API-9: with a wrong, foreign or missing key, or an unknown application, page and calls are not found", async () => {
  const [id, other] = [await make(), await make()];
  const before = await findRow(id);
  const nobody = randomUUID();
  for (const url of [
    applicationPath(id),
    `${applicationPath(id)}?key=`,
    `${applicationPath(id)}?key=${keyOf(other)}`,
    `${applicationPath(id)}?key=${"x".repeat(61)}`,
    signFor(applicationPhotoPath(id), 60_000).replace(applicationPhotoPath(id), applicationPath(id)),
    link(nobody),
    link("not-a-uuid"),
  ]) {
    const { statusCode, body } = await visitor.ask({ url });
    expect(statusCode, url).toBe(404);
    expect(body.includes(before.reference), url).toBe(false);
  }
  for (const key of ["", keyOf(other), keyOf(id).slice(1)]) {
    expect(await change(id, { mobile: "0400 000 000" }, key)).toMatchObject({ code: "404", error: "not_found" });
    expect(await withdraw(id, key)).toMatchObject({ code: "404", error: "not_found" });
  }
  expect(await change(nobody, { mobile: "0400 000 000" })).toMatchObject({ code: "404", error: "not_found" });
  expect(await withdraw(nobody)).toMatchObject({ code: "404", error: "not_found" });
  expect(await withdraw("not-a-uuid")).toMatchObject({ code: "404", error: "not_found" });
  expect(await visitor.post(`/api/volunteer/application/${id}`, { mobile: "0400 000 000" })).toMatchObject({
    code: "422",
  });
  expect(await findRow(id)).toEqual(before);
});

test.each([
  ["received", {}, "We have your application"],
  ["in_review", { decided_at: new Date("2026-11-01T00:00:00Z") }, "Since 1 November 2026"],
  ["approved", { roles: ["Field Work", "Events"] }, "Your roles: Field Work and Events."],
  ["waiting", {}, "On the waiting list"],
  [
    "declined",
    { decided_at: new Date("2026-11-01T00:00:00Z") },
    "delete your photo and signature after 30 January 2027",
  ],
  ["withdrawn", {}, "You can apply again at any time."],
] as const)("VOL-11: the page explains the stage %s in plain English", async (stage, more, text) => {
  const page = await readPage(await make({ stage, ...more, roles: "roles" in more ? [...more.roles] : [] }));
  expect(page).toContain(text);
  const isClosed = stage === "declined" || stage === "withdrawn";
  expect(page.includes("Withdraw my application")).toBe(!isClosed);
  expect(page.includes("Apply again")).toBe(isClosed);
});

test("VOL-2, VOL-3, VOL-5: a correction is stored, all else stays, and the history names the fields without their values", async () => {
  const id = await make();
  const before = await findRow(id);
  const text = "ٹائپنگ اور ترجمہ ".repeat(200).slice(0, 3000).trim();
  const answer = await change(id, {
    street: " 5 Lake Road ",
    skills: text,
    interests: ["Newsletter Production", "Administration"],
    emergencyMobile: "0411 111 111",
    mobile: before.mobile,
    name: "Somebody Else",
    country: "Nowhere",
    stage: "approved",
  });
  expect(answer).toMatchObject({ code: "200", message: "Your details have been changed.", data: {} });
  expect(await findRow(id)).toEqual({
    ...before,
    street: "5 Lake Road",
    skills: text,
    interests: ["Administration", "Newsletter Production"],
    emergency_mobile: "0411 111 111",
    updated_at: expect.any(Date),
  });
  const events = await listApplicationEvents(site.database, id);
  expect(events).toMatchObject([
    {
      event: "details_changed",
      actor: "applicant",
      detail: { fields: ["street", "skills", "interests", "emergencyMobile"] },
    },
  ]);
  expect(JSON.stringify(events)).not.toContain("Lake");
  expect(await listJobs(id)).toEqual([]);
});

test("VOL-7: a correction follows the form's rules field by field, and stores nothing if one is broken", async () => {
  const id = await make();
  const before = await findRow(id);
  const wrong = {
    street: "",
    email: "amina@",
    mobile: "12",
    interests: [],
    skills: "ر".repeat(3001),
    emergencyName: " ",
  };
  expect((await change(id, { ...wrong, postcode: "2000" })).data).toEqual({
    street: ["Street Address is required"],
    email: ["Invalid email format"],
    mobile: ["Enter a mobile number of 6 to 14 digits"],
    interests: ["Area of Interest is required"],
    skills: ["Please shorten this to at most 3,000 characters"],
    emergencyName: ["Name is required"],
  });
  expect(await findRow(id)).toEqual(before);
  expect(await change(id, { street: before.street, skills: before.skills })).toMatchObject({ code: "200" });
  expect(await findRow(id)).toEqual(before);
  expect(await listApplicationEvents(site.database, id)).toEqual([]);
});

test("VOL-11: a new address is sent the link, within the limit of applications for one address", async () => {
  const id = await make();
  const email = `new-${id}@example.com`;
  for (const time of [1, 2, 3]) {
    expect(await change(id, { email }), String(time)).toMatchObject({ code: "200" });
    expect(await change(id, { email: `old-${id}-${time}@example.com` })).toMatchObject({ code: "200" });
  }
  expect(await listJobs(id)).toEqual(Array(6).fill("application-received"));
  expect(await change(id, { email })).toMatchObject({ code: "429", error: "too_many_emails" });
  expect((await findRow(id)).email).toBe(`old-${id}-3@example.com`);
});

test("VOL-11: an application can be changed at most twenty times in a quarter of an hour", async () => {
  const id = await make();
  for (let time = 0; time < 20; time += 1) await change(id, { street: `${time} Lake Road` });
  expect(await change(id, { street: "20 Lake Road" })).toMatchObject({ code: "429", error: "too_many_tries" });
  site.clock.advance(901_000);
  expect(await change(id, { street: "20 Lake Road" })).toMatchObject({ code: "200" });
});

test("VOL-11: withdrawing deletes photo and signature immediately, and repeating it gives the same answer", async () => {
  const id = await make({ stage: "in_review", stage_version: 2 });
  const files = await countFiles();
  const answers = await Promise.all([withdraw(id), withdraw(id), withdraw(id)]);
  for (const answer of answers) expect(answer).toMatchObject({ code: "200" });
  expect(await findRow(id)).toMatchObject({ stage: "withdrawn", photo_file_id: null, signature_file_id: null });
  expect(await countFiles()).toBe(files - 2);
  const events = await listApplicationEvents(site.database, id);
  expect(events.map(({ event, actor }) => `${event} by ${actor}`)).toEqual([
    "withdrawn by applicant",
    "files_deleted by applicant",
  ]);
  expect(await listJobs(id)).toEqual([]);
  expect(await readPage(id)).toContain("deleted its photo and signature");
  expect(await change(id, { street: "5 Lake Road" })).toMatchObject({ code: "409", error: "application_closed" });
});

test("VOL-11: the coordinator is told when an accepted volunteer leaves, whatever was decided since", async () => {
  const id = await make({ stage: "in_review", stage_version: 2 });
  const actor = "Sana";
  await moveApplication(site.services, { id, version: 2, to: "approved", roles: ["Fundraising"], actor });
  expect(await withdraw(id)).toMatchObject({ code: "200" });
  expect(await listJobs(id)).toEqual(["application-decided", "volunteer-withdrew"]);
});

test("VOL-11: a declined application can be neither changed nor withdrawn", async () => {
  const id = await make({ stage: "declined", decided_at: new Date() });
  const before = await findRow(id);
  expect(await withdraw(id)).toMatchObject({ code: "409", error: "application_closed" });
  expect(await change(id, { street: "5 Lake Road" })).toMatchObject({ code: "409", error: "application_closed" });
  expect(await findRow(id)).toEqual(before);
});

async function withPhoto(id: string): Promise<void> {
  const plain = { width: 1600, height: 900, channels: 3, background: "#2a6f77" } as const;
  const bytes = await sharp({ create: plain }).jpeg().toBuffer();
  const file = { media_type: "image/jpeg", width: 1600, height: 900, bytes } as const;
  const photo = await putPrivateFile(site.database, file, new Date());
  await site.pool.query("update volunteer_applications set photo_file_id = $2 where id = $1", [id, photo]);
}

test("VOL-11, API-9: the photo is shown small, at a signed address that works for ten minutes, as nothing but a picture", async () => {
  const id = await make();
  await withPhoto(id);
  const { body } = await visitor.ask({ url: link(id) });
  const url = /<img src="(\/volunteer\/application\/[^"]+)"/.exec(body)![1]!.replaceAll("&amp;", "&");
  const { statusCode, headers, rawPayload } = await site.app.inject(url);
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    "content-type": "image/jpeg",
    "cache-control": "private, no-store",
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "x-robots-tag": "noindex",
    "cross-origin-resource-policy": "same-origin",
  });
  expect(await sharp(rawPayload).metadata()).toMatchObject({ format: "jpeg", width: 320, height: 180 });

  const path = applicationPhotoPath(id);
  const refused = [path, `${path}?key=${keyOf(id)}`, signFor(path, -1), url.replace(id, randomUUID())];
  for (const wrong of refused) expect((await site.app.inject(wrong)).statusCode, wrong).toBe(404);
  site.clock.advance(600_000);
  expect((await site.app.inject(url)).statusCode).toBe(404);
  const fresh = signFor(path, 60_000);
  expect((await site.app.inject(fresh)).statusCode).toBe(200);
  await withdraw(id);
  expect((await site.app.inject(fresh)).statusCode).toBe(404);
  expect((await site.app.inject(link(id))).statusCode).toBe(200);
});

test("API-8: neither call works without the page's forgery token", async () => {
  const id = await make();
  for (const url of [`/api/volunteer/application/${id}`, `/api/volunteer/application/${id}/withdrawal`]) {
    const answer = await site.app.inject({ method: "POST", url, payload: { key: keyOf(id) } });
    expect(answer.json()).toMatchObject({ code: "403", error: "csrf" });
  }
});

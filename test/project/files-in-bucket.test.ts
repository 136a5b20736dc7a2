import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { filesCommand } from "#app/commands/files.ts";
import { listHoldings, rulesOf } from "#app/holdings.ts";
import { readDocumentLook } from "#shared/brand/document-look.ts";
import { signPath } from "#shared/http/signed-link.ts";
import { addAvif } from "#shared/images/add-avif.ts";
import { encodeAvif } from "#shared/images/encode-avif.ts";
import { createFiles } from "#shared/images/files/create-files.ts";
import { sharp } from "#shared/images/sharp.ts";
import { describePicture, forgetPictures, storeImage } from "#shared/images/store.ts";
import { applicationPhotoPath } from "#shared/paths.ts";
import { applyRetention } from "#shared/retention/retention.ts";
import { type AdminSite, openAdminSite } from "../admin-site.ts";
import {
  APPLY,
  applicationFields,
  type FormPart,
  filePart,
  formType,
  PHOTO,
  SIGNATURE,
  textParts,
  writeForm,
} from "../application-form.ts";
import { readArchive } from "../read-archive.ts";
import { runWithin } from "../run-command.ts";
import { openS3Server, type S3Server } from "../s3-server.ts";
import { createVisitor } from "../site.ts";
import { openPages } from "./whole-site.ts";

const DAY_MS = 86_400_000;
let s3: S3Server;
let site: AdminSite;
let editor: Awaited<ReturnType<AdminSite["logIn"]>>;
beforeAll(async () => {
  s3 = await openS3Server();
  const limits = { LIMITS_APPLICATIONS: "1000", LIMITS_APPLICATIONS_PER_EMAIL: "1000" };
  site = await openAdminSite({ ...s3.environment, ...limits });
});
beforeEach(async () => {
  Object.assign(s3, { fault: null, onRequest: undefined });
  // Sessions of staff end, and tests move the clock.
  editor = await site.logIn("administrator");
});
afterAll(async () => {
  await site.close();
  await s3.close();
});

let made = 0;
async function draw(width = 500): Promise<Buffer> {
  made += 1;
  const background = { r: made * 9, g: 90, b: 60, alpha: 1 };
  return sharp({ create: { width, height: 300, channels: 3, background } })
    .png()
    .toBuffer();
}

const send = (url: string, parts: readonly FormPart[], visitor = editor.visitor) =>
  visitor.ask({ method: "POST", url, headers: { "content-type": formType }, payload: writeForm(parts) });

async function addPicture(bytes: Buffer): Promise<{ address: string; hash: string }> {
  const answer = await send("/admin/pictures/add.json", [filePart("picture", bytes, "roof.png", "image/png")]);
  expect(answer.statusCode, answer.body).toBe(200);
  const { address } = answer.json();
  return { address, hash: address.replace("/images/", "") };
}

async function apply() {
  const visitor = await createVisitor(site.app);
  const picture = await draw();
  const fields = { ...applicationFields, captcha: await visitor.solveCaptcha("volunteer") };
  const answer = await send(
    APPLY,
    [...textParts(fields), filePart(PHOTO, picture), filePart(SIGNATURE, picture)],
    visitor,
  );
  const { rows } = await site.pool.query(
    "select id, photo_file_id as photo from volunteer_applications where reference = $1",
    [answer.json().data?.reference],
  );
  return { answer, ...(rows[0] as { id: string; photo: string }) };
}

/** The names of the objects of all rows. */
async function listReferredTo(): Promise<string[]> {
  const { rows } = await site.pool.query(
    `select object_key from image_variants union all select object_key from image_originals
     union all select object_key from private_files`,
  );
  return rows.flatMap(({ object_key }) => (object_key === null ? [] : [`files/${object_key}`])).sort();
}
/** Lets the scheduled task delete what has become due. */
async function deleteUnneeded(): Promise<void> {
  site.clock.advance(11 * 60_000);
  await site.services.files.deleteUnneeded();
}
const countRows = async (table: string) =>
  Number((await site.pool.query(`select count(*) as count from ${table}`)).rows[0].count);
const run = (...words: string[]) => runWithin(site.services, filesCommand, words, 2);

test("STO-1: a picture that staff add is in the bucket and not in the database, and is served as ever; its AVIF too", async () => {
  const bytes = await draw(700);
  const { address, hash } = await addPicture(bytes);
  const { rows } = await site.pool.query("select bytes from image_variants where hash = $1", [hash]);
  expect(rows.length).toBeGreaterThan(4);
  expect(rows.every((row) => row.bytes === null)).toBe(true);
  expect(s3.listFiles().sort()).toEqual(await listReferredTo());
  expect((await editor.get(`/admin/pictures/${hash}`)).html).toContain("roof.png");

  site.clock.advance(11 * 60_000);
  await addAvif({ ...site.services, encode: encodeAvif });
  forgetPictures(site.database);
  expect(await describePicture(site.database, address)).toMatchObject({ widths: [320, 480, 640, 700] });
  for (const file of ["320.webp", "700.jpg"]) {
    const served = await site.app.inject(`${address}/${file}`);
    expect(served.headers).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "content-type": file.endsWith("jpg") ? "image/jpeg" : "image/webp",
    });
    expect((await sharp(served.rawPayload).metadata()).width).toBe(Number.parseInt(file, 10));
    expect([...s3.objects.values()].some(({ body }) => body.equals(served.rawPayload))).toBe(true);
  }
});

test("STO-4: the objects of a deleted picture go with it", async () => {
  const { address, hash } = await addPicture(await draw());
  // So that nothing is left to check but what is deleted.
  await deleteUnneeded();
  editor = await site.logIn("administrator");
  const all = await listReferredTo();
  expect((await editor.post(`/admin/pictures/${hash}/delete`)).status).toBe(303);
  const kept = await listReferredTo();
  expect(kept.length).toBeLessThan(all.length);
  await deleteUnneeded();
  expect(s3.listFiles().sort()).toEqual(kept);
  expect((await site.app.inject(address)).statusCode).toBe(404);
});

test("STO-3, STO-4: an applicant's photo is only seen through the site, is in their download, and goes from the bucket when its time is over", async () => {
  const before = s3.listFiles().length;
  const { answer, id, photo } = await apply();
  expect(answer.json()).toMatchObject({ code: "200" });
  expect(s3.listFiles()).toHaveLength(before + 2);
  const { rows } = await site.pool.query("select bytes, object_key from private_files where id = $1", [photo]);
  expect(rows[0].bytes).toBeNull();
  const object = `files/${rows[0].object_key}`;
  const unsigned = await fetch(`${s3.settings.endpoint}/${s3.settings.bucket}/${object}`);
  expect(unsigned.status).toBe(403);

  const path = applicationPhotoPath(id);
  const madeAt = site.clock.now();
  const signed = signPath(site.config.secretKey, path, { madeAt, until: new Date(madeAt.getTime() + 60_000) });
  expect((await site.app.inject(path)).statusCode).toBe(404);
  const shown = await site.app.inject(signed);
  expect(shown.headers).toMatchObject({ "content-type": "image/jpeg", "cache-control": "private, no-store" });
  const dataUrl = `data:image/jpeg;base64,${s3.objects.get(object)!.body.toString("base64")}`;
  const look = await editor.post(`/admin/volunteers/${id}/look`, { what: "photo", why: "To greet her" });
  expect(look.html).toContain(dataUrl);
  const archive = await editor.visitor.ask({ url: `/admin/people/${id}/data.zip` });
  expect(archive.statusCode, archive.body).toBe(200);
  expect(readArchive(archive.rawPayload)["person.json"]).toContain(dataUrl);

  await site.pool.query("update volunteer_applications set stage = 'declined', decided_at = $2 where id = $1", [
    id,
    site.clock.now(),
  ]);
  await deleteUnneeded();
  expect(s3.objects.has(object)).toBe(true);
  site.clock.advance(91 * DAY_MS);
  await applyRetention(site.services, rulesOf(listHoldings(site.services)));
  expect(s3.objects.has(object)).toBe(true);
  await deleteUnneeded();
  expect(s3.objects.has(object)).toBe(false);
  expect(s3.listFiles()).toHaveLength(before);
});

test.each(["down", "deny", "damage"] as const)(
  "STO-5: while the bucket answers with %s, pages stand and pictures are 503, to be asked for again and never cached",
  async (fault) => {
    const { address } = await addPicture(await draw());
    await site.pool.query(
      `insert into news (slug, title, excerpt, html, image, published_on)
       values ($1, 'A roof', 'E', '<p>One</p>', $2, current_date)`,
      [`roof-${fault}`, address],
    );
    const pages = await openPages(site.services);
    s3.fault = fault;
    expect((await pages.app.inject("/")).statusCode).toBe(200);
    expect((await pages.app.inject("/news")).body).toContain(address);
    const picture = await pages.app.inject(address);
    expect(picture.statusCode).toBe(503);
    expect(picture.headers).toMatchObject({ "retry-after": "30", "cache-control": "no-store" });
    expect(picture.rawPayload.length).toBeLessThan(400);
    s3.fault = null;
    // Once it is not left alone any more.
    await expect.poll(async () => (await pages.app.inject(address)).statusCode).toBe(200);
    await pages.close();
  },
);

test("STO-5: a form with files is refused with a sentence while the bucket is away, keeps nothing, and can be sent again", async () => {
  s3.fault = "deny";
  const counts = () =>
    Promise.all(["volunteer_applications", "captcha_uses", "private_files", "images"].map(countRows));
  const before = await counts();
  const { answer } = await apply();
  expect(answer.headers["retry-after"]).toBe("30");
  expect(answer.json()).toMatchObject({
    code: "503",
    error: "files_away",
    message: "We can’t reach the place where we keep pictures and files. Please try again in a minute.",
  });
  const picture = filePart("picture", await draw(), "roof.png");
  const one = await send("/admin/pictures/add.json", [picture]);
  expect([one.statusCode, one.headers["retry-after"]]).toEqual([503, "30"]);
  expect(one.json()).toEqual({ error: expect.stringMatching(/Please try again in a minute/) });
  const form = await send("/admin/pictures", [filePart("pictures", await draw(), "roof.png")]);
  expect([form.statusCode, form.headers["retry-after"]]).toEqual([503, "30"]);
  expect(form.body).toContain("Please try again in a minute");
  expect(await counts()).toEqual(before);
  s3.fault = null;
  expect((await apply()).answer.json()).toMatchObject({ code: "200" });
});

test("STO-5: while the bucket is away, emails and PDFs have no logo, and a look at a photo says why it is not shown", async () => {
  const { address } = await addPicture(await draw(900));
  const { id } = await apply();
  const value = JSON.stringify({ logoOnLight: address });
  await site.database.insertInto("site_settings").values({ key: "brand", value }).execute();
  s3.fault = "deny";
  expect((await readDocumentLook(site.services)).logo).toBeNull();
  const look = await editor.post(`/admin/volunteers/${id}/look`, { what: "photo", why: "To greet her" });
  expect(look.status).toBe(200);
  expect(look.html).toContain("where we keep files does not answer");
  s3.fault = null;
  expect((await readDocumentLook(site.services)).logo).not.toBeNull();
  await site.pool.query("delete from site_settings where key = 'brand'");
});

test("STO-6: files move into the bucket and back while the site runs, are the same to the byte, and an interrupted move goes on", async () => {
  await storeImage(site.database, await draw(700));
  const readAll = async () => {
    const { rows } = await site.pool.query(
      `select hash || width || format as name, bytes, object_key, object_sha256, object_bytes from image_variants
       union all select hash, bytes, object_key, object_sha256, object_bytes from image_originals
       union all select id::text, bytes, object_key, object_sha256, object_bytes from private_files`,
    );
    const read = rows.map(async ({ name, ...row }) => [name, (await site.services.files.read(row)).toString("base64")]);
    return Object.fromEntries(await Promise.all(read));
  };
  const countInRows = async () =>
    Number(
      (
        await site.pool.query(
          "select count(bytes) + (select count(bytes) from image_originals) as n from image_variants",
        )
      ).rows[0].n,
    );
  const all = await readAll();
  expect(await countInRows()).toBeGreaterThan(4);
  let puts = 0;
  s3.onRequest = (request) => {
    if (request.startsWith("PUT files/")) puts += 1;
    s3.fault = puts > 3 ? "deny" : null;
  };
  expect(await run("--to-bucket")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("The key may not do this"),
  });
  const left = await countInRows();
  expect(left).toBeGreaterThan(0);
  Object.assign(s3, { fault: "damage", onRequest: undefined });
  expect(await run("--to-bucket")).toMatchObject({ code: 2, stderr: expect.stringContaining("other bytes") });
  expect(await countInRows()).toBe(left);
  s3.fault = null;
  expect(await run("--to-bucket")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`${left} files were moved`),
  });
  expect(await countInRows()).toBe(0);
  expect(await readAll()).toEqual(all);
  await deleteUnneeded();
  expect(s3.listFiles().sort()).toEqual(await listReferredTo());

  expect(await run("--to-database")).toMatchObject({ code: 2, stderr: expect.stringContaining("S3_NEW_FILES=off") });
  const { database, log, now } = site.services;
  const leaving = createFiles({ database, settings: { ...s3.settings, isForNew: false }, log, now });
  const back = await runWithin({ ...site.services, files: leaving }, filesCommand, ["--to-database"], 2);
  expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining("In the bucket: 0 files, 0 MB.") });
  expect(await listReferredTo()).toEqual([]);
  expect(await readAll()).toEqual(all);
  await deleteUnneeded();
  expect(s3.listFiles()).toEqual([]);
});

test("STO-2, STO-6: a trial says that all is well, or which setting is wrong, and leaves nothing; unknown words are refused", async () => {
  const before = s3.listFiles();
  expect(await run("--try")).toMatchObject({ code: 0, stdout: expect.stringContaining("is this site's own") });
  expect(await run("--sweep")).toMatchObject({ code: 0, stdout: expect.stringContaining("0 objects were deleted") });
  s3.fault = "redirect";
  const refused = await run("--try");
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("correct S3_ENDPOINT and S3_REGION") });
  expect(JSON.stringify(refused)).not.toContain("letmein");
  expect(s3.listFiles()).toEqual(before);
  for (const words of [["--sideways"], ["--try", "--sweep"]]) {
    expect(await run(...words)).toMatchObject({ code: 2, stderr: expect.stringContaining("npm run files") });
  }
});

test("STO-5: a bucket that hangs holds up no page", async () => {
  const { address } = await addPicture(await draw(900));
  const pages = await openPages(site.services);
  s3.fault = "hang";
  const ended: string[] = [];
  const ask = async (url: string) => {
    const { statusCode } = await pages.app.inject(url);
    ended.push(`${url} ${statusCode}`);
  };
  const widths = [320, 480, 640, 900].flatMap((width) => [`${width}.jpg`, `${width}.webp`]);
  const pictures = widths.map((file) => ask(`${address}/${file}`));
  await Promise.all(["/", "/news", "/vision", "/api/checkout"].map(ask));
  expect(ended).toHaveLength(4);
  await Promise.all(pictures);
  expect(ended.slice(4).every((line) => line.endsWith(" 503"))).toBe(true);
  await pages.close();
});

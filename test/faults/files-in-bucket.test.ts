import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { filePart, PHOTO, SIGNATURE } from "#test/application-form.ts";
import { type ChildSite, createChildSite } from "#test/child-site.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { openS3Server, type S3Server } from "#test/s3-server.ts";
import { onePixel } from "../application-form.ts";
import { openApplicant } from "./applicant.ts";

let db: TestDatabase;
let s3: S3Server;
let site: ChildSite;
let dataDir: string;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "files-in-bucket-"));
  [db, s3] = await Promise.all([createTestDatabase(), openS3Server()]);
  const paywayUrl = "http://127.0.0.1:9/payway/rest/v1";
  site = await createChildSite({ databaseUrl: db.url, dataDir, paywayUrl, environment: s3.environment });
  await site.start();
});
afterAll(async () => {
  await site.stop();
  await Promise.all([db.stop(), s3.close()]);
  rmSync(dataDir, { recursive: true, force: true });
});

const files = [filePart(PHOTO, onePixel), filePart(SIGNATURE, onePixel)];
const countRows = async () =>
  (
    await db.pool.query(
      "select (select count(*) from private_files) + (select count(*) from volunteer_applications) as n",
    )
  ).rows[0].n;

test("STO-4: of a form whose process is killed between the objects and the commit no row stays, and no object; the next one is kept", async () => {
  const applicant = await openApplicant(site, "198.51.100.1");
  let puts = 0;
  s3.onRequest = async (request) => {
    if (!request.startsWith("PUT files/")) return;
    puts += 1;
    if (puts === 2) await site.kill();
  };
  await expect(applicant.apply(files)).rejects.toThrow();
  s3.onRequest = undefined;
  await expect.poll(() => s3.listFiles().length).toBe(2);
  expect(await countRows()).toBe(0);
  // The ten minutes that a form may take are over.
  await db.pool.query("update objects_to_check set check_at = now()");
  await site.start();
  await expect.poll(() => s3.listFiles()).toEqual([]);

  const again = await openApplicant(site, "198.51.100.1");
  expect((await again.apply(files)).status).toBe(200);
  await db.pool.query("update objects_to_check set check_at = now()");
  const countToCheck = async () => (await db.pool.query("select count(*)::int as n from objects_to_check")).rows[0].n;
  await expect.poll(countToCheck).toBe(0);
  expect(s3.listFiles()).toHaveLength(2);
  expect(await countRows()).toBe(3);
});

test("STO-7: a site does not start on the bucket of another, and its log and output have no secret", async () => {
  const other = await createTestDatabase();
  const settings = { databaseUrl: other.url, dataDir, paywayUrl: "http://127.0.0.1:9/payway/rest/v1" };
  const second = await createChildSite({ ...settings, name: "second", environment: s3.environment });
  await expect(second.start()).rejects.toThrow("ended before it was ready");
  const log = readFileSync(second.logFile, "utf8");
  expect(log).toContain("belongs to another site");
  expect(log).not.toContain("letmein");
  await other.stop();
});

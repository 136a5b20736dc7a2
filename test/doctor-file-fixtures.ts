import { randomUUID } from "node:crypto";
import { pino } from "pino";
import type { DoctorContext } from "#app/doctor/check.ts";
import { createFiles } from "#shared/images/files/create-files.ts";
import { putPrivateFile, writePrivateFiles } from "#shared/images/private-files.ts";
import type { Fixtures } from "./doctor-fixtures.ts";
import { openS3Server, type S3Server } from "./s3-server.ts";
import type { TestSite } from "./site.ts";

type WithConfig = (changes: Partial<NonNullable<DoctorContext["config"]>>) => Partial<DoctorContext>;

/** The fixtures of the checks of files, on a bucket that is opened when the first is asked for. */
export function createFileFixtures(site: TestSite, withConfig: WithConfig) {
  let opened: Promise<S3Server> | undefined;
  const open = () => {
    opened ??= openS3Server();
    return opened;
  };
  /** A bucket where all is well but for `spoil`, which may also return other settings. */
  const bucket =
    (spoil: (s3: S3Server) => unknown = () => undefined, changes: Partial<S3Server["settings"]> = {}) =>
    async (): Promise<Partial<DoctorContext>> => {
      const s3 = await open();
      Object.assign(s3, { fault: null, isPublic: false, versioning: null });
      s3.objects.clear();
      const { database, pool } = site;
      await pool.query("delete from private_files; delete from objects_to_check");
      const settings = { ...s3.settings, isForNew: true };
      const files = createFiles({ database, settings, log: pino({ level: "silent" }), now: site.clock.now });
      const photo = { media_type: "image/png", width: 1, height: 1, bytes: Buffer.from("photo") } as const;
      const [written] = await writePrivateFiles(files, [photo]);
      await putPrivateFile(database, written!, site.clock.now());
      await spoil(s3);
      return withConfig({ files: { ...settings, ...changes } });
    };
  const waiting = (hours: number) =>
    bucket(async () => {
      const at = new Date(site.clock.now().getTime() - hours * 3_600_000);
      await site.pool.query("insert into objects_to_check values ($1, $2)", [randomUUID(), at]);
    });
  const other = { body: Buffer.from("x"), changedAt: new Date() };
  const dropFiles = (s3: S3Server) => s3.listFiles().forEach((name) => void s3.objects.delete(name));

  const fixtures: Readonly<Record<string, Fixtures>> = {
    "files.bucket": {
      good: bucket(),
      bad: [
        ["fail", bucket(undefined, { secretAccessKey: "hunter2" })],
        ["fail", bucket(undefined, { endpoint: "http://127.0.0.1:1" })],
        ["fail", bucket(dropFiles)],
        ["fail", bucket((s3) => s3.listFiles().forEach((name) => void s3.objects.set(name, other)))],
        ["fail", bucket((s3) => s3.objects.set("owner", { body: Buffer.from(randomUUID()), changedAt: new Date() }))],
        ["fail", async () => ({ ...(await bucket()()), ...withConfig({ files: null }) })],
      ],
    },
    "files.private": {
      good: bucket(),
      bad: [
        ["fail", bucket((s3) => Object.assign(s3, { isPublic: true }))],
        // The address stands for one that is not this machine's.
        [
          "warn",
          async () => {
            const { config } = await bucket()();
            const files = { ...config!.files!, endpoint: config!.files!.endpoint.replace("127.0.0.1", "0.0.0.0") };
            return withConfig({ files });
          },
        ],
      ],
    },
    "files.versions": {
      good: bucket(),
      bad: [
        ["warn", bucket((s3) => Object.assign(s3, { versioning: "Enabled" }))],
        ["note", bucket((s3) => Object.assign(s3, { versioning: "Suspended" }))],
        ["fail", bucket((s3) => Object.assign(s3, { fault: "deny" }))],
      ],
    },
    "files.deleted": {
      good: waiting(0.5),
      bad: [
        ["warn", waiting(2)],
        ["fail", waiting(25)],
      ],
    },
  };
  return { fixtures, close: async () => (await opened)?.close() };
}

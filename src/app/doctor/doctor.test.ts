import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listMigrations } from "#database/migrate.ts";
import { createDoctorFixtures, type Fixture } from "#test/doctor-fixtures.ts";
import { openTestSite, type TestSite } from "#test/site.ts";
import { runDoctor } from "../commands/doctor.ts";
import type { DoctorContext } from "./check.ts";
import { noteSecretKey } from "./key-check.ts";
import { thisMachine } from "./machine.ts";
import { openContext } from "./open-context.ts";
import { checks, describeResults, exitCodeOf, runChecks } from "./run-checks.ts";

let site: TestSite;
let folder: string;
let context: DoctorContext;
let made: ReturnType<typeof createDoctorFixtures>;

beforeAll(async () => {
  site = await openTestSite();
  folder = mkdtempSync(join(tmpdir(), "almoner-doctor-"));
  writeFileSync(join(folder, ".env"), "PORT=7000\n", { mode: 0o600 });
  const { config } = site.services;
  context = {
    settingsFile: join(folder, ".env"),
    fileSettings: ["PORT"],
    config: { ...config, dataDir: folder },
    configFault: "",
    pool: site.pool,
    databaseFault: "",
    migrations: listMigrations(),
    machine: thisMachine,
    now: site.clock.now,
  };
  made = createDoctorFixtures(site, folder, context);
});
afterAll(async () => {
  made.close();
  rmSync(folder, { recursive: true, force: true });
  await site.close();
});

test.each(checks.map((check) => [check.id, check] as const))(
  "DOC-1: %s passes where all is well, and says what to do where it is not",
  async (id, check) => {
    const { good, bad } = made.fixtures[id]!;
    const look = async (fixture: Fixture) => {
      const changes = ((await fixture()) ?? {}) as Partial<DoctorContext>;
      return (await runChecks([check], { ...context, ...changes }))[0]!;
    };
    const well = await look(good);
    expect([well.state, well.says]).toEqual(["ok", expect.stringMatching(/\.$/)]);
    for (const [state, fixture] of bad) {
      const found = await look(fixture);
      expect([found.state, found.says]).toEqual([state, expect.stringMatching(/[.]$/)]);
      if (state !== "note" || found.does !== undefined) expect(found.does).toMatch(/\S/);
      expect(JSON.stringify(found)).not.toMatch(/letmein|hunter2|T_wrong|T10000_SEC|simulator_private/);
    }
  },
);

test("STO-8: whoever uses a bucket is told if it is open to anybody, keeps versions, or misses a file", async () => {
  const find = async (id: string, index: number) => {
    const changes = (await made.fixtures[id]!.bad[index]![1]()) as Partial<DoctorContext>;
    return (
      await runChecks(
        checks.filter((check) => check.id === id),
        { ...context, ...changes },
      )
    )[0]!.says;
  };
  expect(await find("files.private", 0)).toBe("Anybody can read the bucket for files.");
  expect(await find("files.versions", 0)).toMatch(/keeps old versions/);
  expect(await find("files.bucket", 3)).toMatch(/another size/);
  expect(await find("files.bucket", 4)).toBe("The bucket belongs to another site.");
  expect(await find("files.bucket", 5)).toBe("Files are in a bucket, and S3_ENDPOINT is not set.");
});

test("DOC-2: what depends on something that is missing is not checked; a check that hangs or breaks holds up no other", async () => {
  const without = await runChecks(checks, { ...context, config: null, pool: null, configFault: "PORT: too big." });
  expect(without.find(({ id }) => id === "settings.valid")?.state).toBe("fail");
  expect(without.find(({ id }) => id === "payments.open")).toMatchObject({
    state: "note",
    says: "Not checked, because the database cannot be reached.",
  });
  const odd = [
    { id: "odd.hangs", about: "", run: () => new Promise<never>(() => undefined) },
    { id: "odd.breaks", about: "", run: () => Promise.reject(new Error("password=secret")) },
    { id: "odd.works", about: "", run: async () => ({ state: "ok", says: "Fine." }) as const },
  ];
  const unmigrated = { id: "odd.old", about: "", run: () => Promise.reject({ code: "42P01" }) };
  expect(await runChecks([unmigrated], context)).toMatchObject([{ state: "warn", does: "See database.migrations." }]);
  const results = await runChecks(odd, context, 20);
  expect(results.map(({ state }) => state)).toEqual(["warn", "warn", "ok"]);
  expect(describeResults(results)).not.toContain("secret");
  expect(describeResults(results).split("\n")[0]).toMatch(/^ok {4}odd\.works/);
  expect([exitCodeOf(results), exitCodeOf([{ state: "note" }]), exitCodeOf([{ state: "fail" }])]).toEqual([1, 0, 2]);
});

test("SEC-1: a start notices that the secret key is another than before, once", async () => {
  const note = (key: string) => noteSecretKey(site.services.database, key);
  await note("one");
  expect([await note("one"), await note("two"), await note("two")]).toEqual([false, true, false]);
  await site.pool.query("delete from site_settings where key = 'secret-key-mark'");
  expect(await note("three")).toBe(false);
});

test("DOC-3: it creates nothing where there is no site, and says to start it first", async () => {
  const dataDir = join(folder, "none");
  const own = { migrations: listMigrations(), start: () => Promise.reject(new Error("must not start")) };
  const opened = await openContext({ DATA_DIR: dataDir }, own, join(folder, "missing.env"));
  const unstarted = checks.filter(({ id }) => ["machine.disk", "database.reached"].includes(id));
  expect(await runChecks(unstarted, opened.context)).toMatchObject([
    { state: "note", says: `There is no folder ${dataDir} yet.` },
    {
      state: "fail",
      says: "There is no database in the data folder yet.",
      does: "Start the site, or correct DATA_DIR.",
    },
  ]);
  expect(thisMachine.readMode(dataDir)).toBeNull();
  await expect(runDoctor(["--only", "weather"], opened.context)).rejects.toThrow("There is no check weather.");
  await expect(runDoctor(["--sideways"], opened.context)).rejects.toThrow("npm run doctor");
  const away = await openContext({ DATA_DIR: folder, DATABASE_URL: "postgres://u:secret@127.0.0.1:1/x" }, own);
  expect(away.context.databaseFault).toBe("The database does not answer (ECONNREFUSED).");
});

test("DOC-4: docs/operations.md has a line for each check", () => {
  const text = readFileSync("docs/operations.md", "utf8");
  expect(checks.filter(({ id, about }) => !text.includes(`| \`${id}\` | ${about} |`)).map(({ id }) => id)).toEqual([]);
});

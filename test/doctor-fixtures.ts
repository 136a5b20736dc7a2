import { randomUUID } from "node:crypto";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import type { CheckState, DoctorContext } from "#app/doctor/check.ts";
import { noteSecretKey } from "#app/doctor/key-check.ts";
import { thisMachine } from "#app/doctor/machine.ts";
import { makeAttempt, makeDonation } from "#database/factories.ts";
import { listMigrations } from "#database/migrate.ts";
import { createFileFixtures } from "./doctor-file-fixtures.ts";
import { createOnlineFixtures } from "./doctor-online-fixtures.ts";
import type { TestSite } from "./site.ts";

/** What a fixture changes of the context in which all is well. */
export type Fixture = () => Promise<Partial<DoctorContext> | unknown>;
export type Fixtures = { readonly good: Fixture; readonly bad: readonly (readonly [CheckState, Fixture])[] };

/** For each of the doctor's checks one fixture that passes, and others with the state that each must have. */
export function createDoctorFixtures(site: TestSite, folder: string, context: DoctorContext) {
  const HOUR = 3_600_000;
  const ago = (hours: number) => new Date(site.clock.now().getTime() - hours * HOUR);
  const withConfig = (changes: Partial<NonNullable<DoctorContext["config"]>>): Partial<DoctorContext> => ({
    config: { ...context.config!, ...changes },
  });
  const withMachine = (changes: Partial<DoctorContext["machine"]>): Partial<DoctorContext> => ({
    machine: { ...thisMachine, ...changes },
  });
  const withReceipt = (changes: Partial<NonNullable<DoctorContext["config"]>["organisation"]["receipt"]>) => {
    const { organisation } = context.config!;
    const receipt = { ...organisation.receipt, ...changes };
    return withConfig({ organisation: { ...organisation, receipt }, isDemo: false });
  };
  /** What the database would say in a state that a test cannot bring about: the real one answers the other fixtures. */
  const answering = (row: object): Partial<DoctorContext> => ({
    pool: { query: async () => ({ rows: [row] }) } as unknown as pg.Pool,
  });
  const sql = (text: string, values: unknown[] = []) => site.pool.query(text, values);

  const backup = (changes: Partial<NonNullable<DoctorContext["config"]>["backup"]>) =>
    withConfig({ backup: { ...context.config!.backup, folder, ...changes } });
  const takeBackup = (taken: number, proved: number | null) =>
    sql(
      `insert into backups (day, started_at, file, bytes, taken_at, proved_at)
       values (($1::timestamptz)::date, $1, 'b', 1, $1, $2) on conflict (day) do update set taken_at = $1, proved_at = $2`,
      [ago(taken), proved === null ? null : ago(proved)],
    );
  /** The backups on another disk than `folder`, and the archive in a folder below. */
  const elsewhere = (archive: string): Partial<DoctorContext> => ({
    ...withConfig({
      backup: { ...context.config!.backup, folder: join(folder, "other-disk") },
      archiveDir: join(folder, archive),
    }),
    ...withMachine({
      readDevice: (path) => (path.endsWith("nowhere") ? null : path === folder ? 1 : 2),
    }),
  });
  const emptyBackups = () => sql("delete from backups");

  const nothing: Fixture = async () => ({});

  const online = createOnlineFixtures({ config: context.config!, withConfig, withMachine });
  const files = createFileFixtures(site, withConfig);
  const fixtures: Readonly<Record<string, Fixtures>> = {
    ...online.fixtures,
    ...files.fixtures,
    "settings.valid": { good: nothing, bad: [["fail", async () => ({ config: null, configFault: "PORT: too big." })]] },
    "settings.known": { good: nothing, bad: [["warn", async () => ({ fileSettings: ["PORT", "SMPT_URL"] })]] },
    "settings.files": {
      good: nothing,
      bad: [
        [
          "fail",
          async () => {
            const settingsFile = join(folder, "open.env");
            writeFileSync(settingsFile, "");
            chmodSync(settingsFile, 0o644);
            return { settingsFile };
          },
        ],
      ],
    },
    "settings.secret-key": {
      good: () => noteSecretKey(site.services.database, context.config!.secretKey),
      bad: [
        ["fail", () => noteSecretKey(site.services.database, "another key")],
        ["note", () => sql("delete from site_settings where key like 'secret-key%'")],
      ],
    },
    "settings.live": { good: async () => withConfig({ isLive: true }), bad: [["note", nothing]] },
    "charity.receipts": {
      good: nothing,
      bad: [
        ["fail", async () => withReceipt({ giftStatement: "" })],
        ["fail", async () => withReceipt({ giftStatement: "Thank you.", isDeductibleGiftRecipient: true })],
        [
          "warn",
          async () => ({
            ...withReceipt({ giftStatement: "Gifts are deductible.", isDeductibleGiftRecipient: false }),
          }),
        ],
        ["fail", async () => answering({ value: { name: "" } })],
      ],
    },
    "charity.card-fee": {
      good: async () => ({ now: () => new Date("2026-09-30T13:59:59Z") }),
      bad: [
        ["note", async () => ({ now: () => new Date("2026-09-30T14:00:00Z") })],
        ["note", async () => ({ now: () => new Date("2027-01-01T00:00:00Z"), ...answering({ value: { card: 120 } }) })],
      ],
    },
    "machine.node": { good: nothing, bad: [["fail", async () => withMachine({ nodeVersion: "20.19.0" })]] },
    "machine.zones": {
      good: nothing,
      bad: [["fail", async () => withMachine({ formatTime: (at) => at.toISOString() })]],
    },
    "machine.disk": {
      good: async () => withMachine({ readDisk: async () => ({ free: 0.5, freeInodes: 0.9 }) }),
      bad: [
        ["warn", async () => withMachine({ readDisk: async () => ({ free: 0.15, freeInodes: null }) })],
        ["fail", async () => withMachine({ readDisk: async () => ({ free: 0.5, freeInodes: 0.05 }) })],
        ["note", async () => withConfig({ dataDir: "/none" })],
      ],
    },
    "machine.memory": {
      good: async () => withMachine({ readMemory: () => 0.5 }),
      bad: [
        ["warn", async () => withMachine({ readMemory: () => 0.05 })],
        ["note", async () => withMachine({ readMemory: () => null })],
      ],
    },
    "machine.files": {
      good: async () => withMachine({ readFileLimit: () => 65_536 }),
      bad: [
        ["warn", async () => withMachine({ readFileLimit: () => 1024 })],
        ["note", async () => withMachine({ readFileLimit: () => null })],
      ],
    },
    "database.reached": {
      good: nothing,
      bad: [
        ["fail", async () => ({ pool: null, databaseFault: "The database does not answer (ECONNREFUSED)." })],
        ["fail", async () => answering({ version: "14.9" })],
      ],
    },
    "database.migrations": {
      good: nothing,
      bad: [
        ["warn", async () => ({ migrations: [...listMigrations(), "9999_next.sql"] })],
        // The first is one that no other version can run on.
        ["fail", async () => ({ migrations: listMigrations().slice(1) })],
      ],
    },
    "database.clock": {
      good: async () => ({ now: () => new Date() }),
      bad: [
        ["warn", async () => ({ now: () => new Date(Date.now() + 10_000) })],
        ["fail", async () => ({ now: () => new Date(Date.now() - 60_000) })],
      ],
    },
    "database.connections": {
      good: nothing,
      bad: [
        ["warn", async () => answering({ used: 85, most: 100 })],
        ["fail", async () => answering({ used: 97, most: 100 })],
      ],
    },
    // test/faults/pooler.test.ts has a real PgBouncer.
    "database.sessions": {
      good: nothing,
      bad: [
        [
          "fail",
          async () => {
            const { query } = answering({ pid: 7 }).pool!;
            return { pool: { connect: async () => ({ query, release: () => undefined }) } as unknown as pg.Pool };
          },
        ],
      ],
    },
    "database.transactions": {
      good: nothing,
      bad: [
        ["warn", async () => answering({ seconds: 400 })],
        ["fail", async () => answering({ seconds: 4000 })],
      ],
    },
    "database.locks": { good: nothing, bad: [["warn", async () => answering({ waiting: 2 })]] },
    "database.checksums": {
      good: async () => answering({ on: "on" }),
      bad: [["warn", async () => answering({ on: "off" })]],
    },
    "database.slots": { good: nothing, bad: [["warn", async () => answering({ count: 1 })]] },
    // test/faults/replica.test.ts has a real replica.
    "database.replica": {
      good: nothing,
      bad: [
        ["warn", async () => withConfig({ databaseReadUrl: "postgres://us:hunter2@127.0.0.1:1/none" })],
        ["fail", async () => withConfig({ databaseReadUrl: site.services.databaseUrl })],
      ],
    },
    "database.archiver": {
      good: async () => answering({ mode: "on", failing: false, failures: 3 }),
      bad: [["fail", async () => answering({ mode: "on", failing: true, failures: 3 })]],
    },
    "mail.waiting": {
      good: nothing,
      bad: [
        [
          "warn",
          () =>
            sql("insert into pgboss.job (id, name, data) values ($1, 'failed', '{}')", [randomUUID()]).then(() => ({})),
        ],
        [
          "fail",
          () =>
            sql("insert into pgboss.job (id, name, data, start_after) values ($1, 'emails', '{}', $2)", [
              randomUUID(),
              ago(3),
            ]).then(() => ({})),
        ],
      ],
    },
    "payments.payway": {
      good: nothing,
      bad: [
        ["fail", async () => withConfig({ payway: { ...context.config!.payway, url: "http://127.0.0.1:1/payway" } })],
        ["fail", async () => withConfig({ payway: { ...context.config!.payway, secretKey: "T_wrong" } })],
      ],
    },
    "payments.braintree": {
      good: nothing,
      bad: [
        ["fail", async () => withConfig({ braintree: { ...context.config!.braintree, url: "http://127.0.0.1:1" } })],
      ],
    },
    "payments.circuits": {
      good: nothing,
      bad: [
        [
          "warn",
          () =>
            sql(
              `insert into provider_health (provider, failures, opened_at) values ('payway', 3, now())
                 on conflict (provider) do update set opened_at = now()`,
            ).then(() => ({})),
        ],
      ],
    },
    "payments.open": {
      good: nothing,
      bad: [
        [
          "warn",
          async () => {
            const donation = await makeDonation(site.services.database);
            await makeAttempt(site.services.database, donation, { state: "unknown", sent_at: ago(1) });
            return {};
          },
        ],
        ["fail", () => sql("update payment_attempts set sent_at = $1", [ago(30)]).then(() => ({}))],
      ],
    },
    "payments.comparison": {
      good: () =>
        sql(
          `insert into reconciliation_runs (provider, day, state, started_at, finished_at)
             values ('payway', '2026-01-01', 'done', $1, $1)`,
          [ago(5)],
        ).then(() => ({})),
      bad: [
        ["note", () => sql("delete from reconciliation_runs").then(() => ({}))],
        [
          "fail",
          () =>
            sql(
              `insert into reconciliation_runs (provider, day, state, started_at, finished_at)
                 values ('payway', '2026-01-01', 'done', $1, $1)`,
              [ago(60)],
            ).then(() => ({})),
        ],
        [
          "warn",
          async () => {
            await sql("update reconciliation_runs set finished_at = $1", [ago(1)]);
            await sql(
              `insert into reconciliation_findings (provider, kind, reference, day, found_at, last_seen_at)
                 values ('payway', 'charge_without_payment', 'x', '2026-01-01', now(), now())`,
            );
          },
        ],
      ],
    },
    "backup.age": {
      good: async () => {
        await takeBackup(3, null);
        return backup({});
      },
      bad: [
        ["warn", async () => withConfig({ backup: { ...context.config!.backup, folder: null } })],
        [
          "fail",
          async () => {
            await emptyBackups();
            await takeBackup(70, null);
            return backup({});
          },
        ],
      ],
    },
    "backup.proof": {
      good: async () => {
        await emptyBackups();
        await takeBackup(3, 2);
        return backup({ prove: "weekly" });
      },
      bad: [
        ["note", async () => backup({ prove: "off" })],
        [
          "warn",
          async () => {
            await takeBackup(3, 9 * 24);
            return backup({ prove: "weekly" });
          },
        ],
      ],
    },
    "backup.archive": {
      good: async () => ({ ...withConfig({ archiveDir: folder }), ...answering({ mode: "on", minutes: 5 }) }),
      bad: [
        ["note", nothing],
        // The database of the tests has no archive.
        ["fail", async () => withConfig({ archiveDir: folder })],
        ["warn", async () => ({ ...withConfig({ archiveDir: folder }), ...answering({ mode: "on", minutes: 16 }) })],
        ["fail", async () => ({ ...withConfig({ archiveDir: folder }), ...answering({ mode: "on", minutes: 61 }) })],
      ],
    },
    "backup.place": {
      good: async () => elsewhere("other-disk"),
      bad: [
        ["warn", async () => backup({})],
        ["warn", async () => elsewhere(".")],
        ["warn", async () => elsewhere("nowhere")],
        ["warn", async () => backup({ folder: join(folder, "nowhere") })],
      ],
    },
  };
  return { fixtures, close: () => [...online.close(), files.close()] };
}

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { paidStates } from "#payments/states.ts";
import { isInstalled } from "#test/proxies.ts";
import { openTestSite, type TestSite } from "#test/site.ts";
import { openPages } from "./whole-site.ts";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const alerts = read("deploy/prometheus/alerts.yml");
const alarmCount = alerts.match(/- alert: /g)!.length;

let site: TestSite;
let pages: Awaited<ReturnType<typeof openPages>>;
beforeAll(async () => {
  site = await openTestSite({
    BACKUP_DIR: "/nowhere/backups",
    ARCHIVE_DIR: "/nowhere/archive",
    DATABASE_READ_URL: "postgres://nobody@127.0.0.1:1/none",
  });
  pages = await openPages(site.services);
});
afterAll(async () => {
  await pages.close();
  await site.close();
});

const readMetrics = async () => (await pages.app.inject("/metrics")).body;
const readValue = (metrics: string, name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1]);

test("WATCH-1: the metrics say when somebody last paid, what the books lack, how long emails wait, and how old backups are", async () => {
  const now = site.clock.now();
  const before = await readMetrics();
  for (const name of [
    "payments_last_paid_timestamp_seconds",
    "reconciliation_findings_open",
    "backup_last_taken_timestamp_seconds",
    "archive_last_copied_timestamp_seconds",
  ]) {
    expect([name, readValue(before, name)]).toEqual([name, 0]);
  }
  await site.give(await site.visitor());
  await site.pool.query(
    "update pgboss.job set start_after = $1::timestamptz - interval '10 minutes' where name = 'emails'",
    [now],
  );
  await site.pool.query(
    `insert into reconciliation_findings (provider, kind, reference, day, found_at, last_seen_at)
     values ('payway', 'missing_here', 'x', '2026-11-01', $1::timestamptz - interval '2 hours', $1)`,
    [now],
  );
  const after = await readMetrics();
  expect(Math.abs(readValue(after, "payments_last_paid_timestamp_seconds") - now.getTime() / 1000)).toBeLessThan(60);
  expect(readValue(after, "reconciliation_findings_open")).toBe(1);
  expect(readValue(after, "reconciliation_oldest_finding_seconds")).toBeGreaterThanOrEqual(7200);
  expect(readValue(after, "emails_oldest_waiting_seconds")).toBeGreaterThanOrEqual(600);
});

test("WATCH-1: a site without backups of its own says nothing about them, so that no alarm is raised", async () => {
  const other = await openTestSite();
  try {
    expect((await other.app.inject("/metrics")).body).not.toMatch(/backup_last|archive_last/);
  } finally {
    await other.close();
  }
});

test("WATCH-2: every alarm asks for metrics that there are, and names a paragraph that says what to do", async () => {
  const metrics = await readMetrics();
  const expressions = [...alerts.matchAll(/^\s+expr: (.*)$/gm)].map(([, expression]) => expression!);
  expect(expressions).toHaveLength(alarmCount);
  const functions = new Set(["time", "delta", "increase", "and", "job", "state", "failed", "almoner", "up", "h", "m"]);
  const names = expressions
    .flatMap((expression) => expression.match(/[a-z_]+/g)!)
    .filter((name) => !functions.has(name));
  for (const name of names) expect(metrics, name).toMatch(new RegExp(`^# TYPE ${name} `, "m"));
  const anchors = [...read("docs/operations.md").matchAll(/^#{2,3} (.*)$/gm)].map(
    ([, title]) =>
      `#${title!
        .toLowerCase()
        .replace(/[^\w -]/g, "")
        .replaceAll(" ", "-")}`,
  );
  const runbooks = [...alerts.matchAll(/runbook: "(.*)"/g)].map(([, anchor]) => anchor!);
  expect(runbooks).toHaveLength(alarmCount);
  expect(runbooks.filter((anchor) => !anchors.includes(anchor))).toEqual([]);
});

test.runIf(isInstalled("promtool"))(
  "WATCH-2: each alarm is raised when it should be, and none when all is well",
  () => {
    const run = (...args: string[]) =>
      spawnSync("promtool", args, { cwd: join(root, "deploy/prometheus"), encoding: "utf8" });
    for (const { status, stdout, stderr } of [
      run("check", "rules", "alerts.yml"),
      run("test", "rules", "alerts.test.yml"),
    ]) {
      expect(status, stdout + stderr).toBe(0);
    }
  },
);

test("WATCH-3: the metrics say what was paid in a day, the version, the connections, and the room on the disk", async () => {
  const value = async (pattern: RegExp) => Number(pattern.exec(await readMetrics())?.[1]);
  const paid = /^payments_paid_cents\{provider="payway"\} (\d+)$/m;
  const lastPaid = /^payments_last_paid_timestamp_seconds (\S+)$/m;
  await site.give(await site.visitor());
  const { rows: sums } = await site.pool.query("select sum(amount_cents) as cents from payment_attempts");
  expect(await value(paid)).toBe(Number(sums[0].cents));
  for (const state of paidStates.filter((each) => each !== "succeeded")) {
    await site.pool.query("update payment_attempts set state = $1", [state]);
    expect(await value(paid), state).toBe(Number(sums[0].cents));
    expect(await value(lastPaid), state).toBeGreaterThan(0);
  }
  site.clock.advance(86_400_000);
  expect(await value(paid)).toBe(0);

  const { rows } = await site.pool.query("select max(name) as latest from migrations");
  expect(await readMetrics()).toContain(`build_info{version="0.1.0",migration="${rows[0].latest}"} 1`);
  expect(await value(/^data_disk_free_ratio (\S+)$/m)).toBeGreaterThan(0);
  const waiting = /^database_connections\{state="waiting"\} (\d+)$/m;
  expect(await value(waiting)).toBe(0);
});

test("WATCH-3: the dashboard asks for metrics that there are", async () => {
  const metrics = await readMetrics();
  const { panels } = JSON.parse(read("deploy/grafana/almoner.json")) as {
    panels: { id: number; type: string; targets?: { expr: string }[] }[];
  };
  expect(panels.filter(({ type }) => type === "row")).toHaveLength(4);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(expressions.length).toBeGreaterThan(15);
  for (const expression of expressions) {
    const [name] = /[a-z_0-9]+(?=\{)/.exec(expression)!;
    expect(metrics, name).toMatch(new RegExp(`^# TYPE ${name.replace(/_(count|bucket)$/, "")} `, "m"));
  }
});

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isInstalled } from "../proxies.ts";

const pathOf = (name: string) => join(import.meta.dirname, "../../deploy/cluster", name);
const read = (name: string) => readFileSync(pathOf(name), "utf8").replace(/^\s*[#;].*$/gm, "");
const [patroni, haproxy, pgbouncer, etcd] = ["patroni.yml", "haproxy.cfg", "pgbouncer.ini", "etcd.env"].map(read) as [
  string,
  string,
  string,
  string,
];
const numberOf = (text: string, name: string) => Number(new RegExp(`\\b${name} ?[:=] ?(\\d+)`).exec(text)?.[1]);

test("FAIL-5: Patroni's sample waits for a standby with each commit, and promotes one within 30 seconds", () => {
  expect(patroni).toMatch(/^ {4}synchronous_mode: true$/m);
  expect(patroni).toMatch(/^ {4}primary_start_timeout: 0$/m);
  // Patroni before 3.0.3 overwrites the leader's key of etcd3.
  expect(patroni).toMatch(/^etcd:$/m);
  expect(etcd).toMatch(/^ETCD_ENABLE_V2=true$/m);
  const [ttl, loop, retry] = ["ttl", "loop_wait", "retry_timeout"].map((name) => numberOf(patroni, name));
  expect(ttl).toBeLessThanOrEqual(20);
  // Patroni's own rule: otherwise a primary that only tries again loses its place.
  expect(loop! + 2 * retry!).toBeLessThanOrEqual(ttl!);
});

test("FAIL-5: HAProxy's sample leads to the primary alone, and cuts the connections to one that no longer is", () => {
  expect(haproxy).toMatch(/option httpchk OPTIONS \/primary/);
  expect(haproxy).toMatch(/on-marked-down shutdown-sessions/);
  const nodes = ["10.0.0.1", "10.0.0.2", "10.0.0.3"];
  expect(haproxy.match(/server db\d (\S+):5432 check port 8008/g)).toHaveLength(nodes.length);
  for (const node of nodes) for (const text of [haproxy, patroni, etcd]) expect(text).toContain(`${node}:`);
});

test("FAIL-5: PgBouncer's sample is in session mode, and the samples leave enough connections for two processes", () => {
  expect(pgbouncer).toMatch(/^pool_mode = session$/m);
  // A pool of 20, one that listens and one that watches, of each process.
  const twoProcesses = 2 * (20 + 2);
  expect(numberOf(pgbouncer, "default_pool_size")).toBeGreaterThanOrEqual(twoProcesses);
  expect(numberOf(patroni, "max_connections")).toBeGreaterThan(numberOf(pgbouncer, "default_pool_size"));
});

test("FAIL-5: HAProxy takes its sample", { skip: !isInstalled("haproxy") }, () => {
  const { status, stderr } = spawnSync("haproxy", ["-c", "-f", pathOf("haproxy.cfg")], { encoding: "utf8" });
  expect(status, stderr).toBe(0);
});

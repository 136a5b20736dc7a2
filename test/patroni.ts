import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { findFreePort } from "./child-site.ts";
import { type Account, listTree, type Supervised, signalAll, supervise } from "./supervisor.ts";

const BOOT_MS = 10_000;
const FREEZE_MS = 40_000;
/** This only ends what hangs. */
const WHOLE_MS = 180_000;
const OWNER = "almoner";

/** How a primary is lost. */
export const losses = {
  machine: "Patroni, PostgreSQL and etcd are killed, and come back after ten seconds",
  server: "PostgreSQL is killed",
  freeze: "Patroni and PostgreSQL stand still for 40 seconds, and then go on",
} as const;
export type Loss = keyof typeof losses;

export type PatroniCluster = {
  /** The database's address through HAProxy, and through PgBouncer and HAProxy. */
  readonly urls: Readonly<Record<"haproxy" | "pgbouncer", string>>;
  /** Waits for a primary, a synchronous standby and another standby. @throws after three minutes */
  untilWhole(): Promise<void>;
  /** Takes the primary away, and returns its name. */
  lose(loss: Loss): Promise<string>;
  stop(): Promise<void>;
};

const uses = ["postgres", "rest", "etcd", "peer"] as const;
type Node = {
  readonly name: string;
  readonly folder: string;
  readonly ports: Readonly<Record<(typeof uses)[number], number>>;
};
type Member = { readonly name: string; readonly role: string; readonly state: string };

/** Why a cluster cannot run on this machine; undefined if it can. */
export function whyNoCluster(): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(":"), "/usr/sbin"];
  const isInstalled = (program: string) => folders.some((folder) => existsSync(join(folder, program)));
  const missing = ["patroni", "etcd", "haproxy", "pgbouncer"].filter((program) => !isInstalled(program));
  if (findServerPrograms() === undefined) missing.push("postgresql");
  if (missing.length > 0)
    return `A cluster needs Debian's patroni, etcd-server, haproxy, pgbouncer and postgresql; ${missing.join(", ")} not found.`;
  return findAccount() === undefined ? "PostgreSQL refuses root, and there is no account 'postgres'." : undefined;
}

/** Three servers under Patroni with etcd, and HAProxy and PgBouncer before them, by the samples of deploy/cluster. */
export async function openPatroniCluster(): Promise<PatroniCluster> {
  const account = findAccount()!;
  const folder = mkdtempSync(join(tmpdir(), "cluster-"));
  chmodSync(folder, 0o755);
  giveTo(account, folder);
  const nodes = await Promise.all(["db1", "db2", "db3"].map((name) => prepareNode(name, folder, account)));
  const [etcd, patroni] = [new Map<string, Supervised>(), new Map<string, Supervised>()];
  for (const node of nodes) {
    const options = { folder, account };
    const environment = etcdEnvironment(node, nodes);
    etcd.set(node.name, supervise(["etcd"], { ...options, name: `${node.name}-etcd`, environment }));
    const file = join(node.folder, "patroni.yml");
    writeFileSync(file, patroniSettings(node, nodes));
    patroni.set(node.name, supervise(["patroni", file], { ...options, name: `${node.name}-patroni` }));
  }
  const proxies = await startProxies(folder, nodes, account);
  const thaws: NodeJS.Timeout[] = [];
  const cluster: PatroniCluster = {
    urls: proxies.urls,
    untilWhole: () => untilWhole(nodes),
    async lose(loss) {
      const { name } = (await readMembers(nodes)).find(isPrimary)!;
      const server = listTree(findPostmaster(nodes.find((node) => node.name === name)!)!);
      if (loss === "freeze") {
        const frozen = [patroni.get(name)!.pid(), ...server];
        signalAll(frozen, "SIGSTOP");
        thaws.push(setTimeout(() => signalAll(frozen, "SIGCONT"), FREEZE_MS));
      } else {
        if (loss === "machine") for (const each of [patroni, etcd]) each.get(name)!.kill(BOOT_MS);
        signalAll(server, "SIGKILL");
      }
      return name;
    },
    async stop() {
      for (const thaw of thaws) clearTimeout(thaw);
      await Promise.all([...proxies.all, ...patroni.values(), ...etcd.values()].map((each) => each.stop()));
      const servers = nodes.map(findPostmaster).filter((pid) => pid !== undefined);
      signalAll(servers.flatMap(listTree), "SIGKILL");
      rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    },
  };
  try {
    await cluster.untilWhole();
    await createOwner(nodes);
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/** Of the newest version that a Debian package has put there. */
function findServerPrograms(): string | undefined {
  const folder = "/usr/lib/postgresql";
  const versions = existsSync(folder) ? readdirSync(folder).map(Number).filter(Number.isInteger) : [];
  const programs = join(folder, String(Math.max(...versions)), "bin");
  return existsSync(join(programs, "pg_rewind")) ? programs : undefined;
}

/** PostgreSQL refuses root: then all of it runs as the account of Debian's package. */
function findAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return {};
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync("/etc/passwd", "utf8")) ?? [];
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

function giveTo({ uid, gid }: Account, path: string) {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

async function prepareNode(name: string, parent: string, account: Account): Promise<Node> {
  const folder = join(parent, name);
  mkdirSync(folder, { mode: 0o700 });
  giveTo(account, folder);
  const ports = await Promise.all(uses.map(async (use) => [use, await findFreePort()] as const));
  return { name, folder, ports: Object.fromEntries(ports) as Node["ports"] };
}

const sample = (name: string) => readFileSync(join(import.meta.dirname, "../deploy/cluster", name), "utf8");

/** A sample's text with the addresses of these nodes instead of those of three machines. */
function placeNodes(text: string, nodes: readonly Node[]): string {
  const used = { 5432: "postgres", 8008: "rest", 2379: "etcd", 2380: "peer" } as const;
  return text
    .replace(/10\.0\.0\.(\d):(\d+) check port 8008/g, (_, nth) => {
      const { postgres, rest } = nodes[nth - 1]!.ports;
      return `127.0.0.1:${postgres} check port ${rest}`;
    })
    .replace(
      /10\.0\.0\.(\d):(\d+)/g,
      (_, nth, port) => `127.0.0.1:${nodes[nth - 1]!.ports[used[port as keyof typeof used]]}`,
    )
    .replaceAll("10.0.0.0/24", "127.0.0.0/8");
}

/** The first machine's sample as that of `node`: only its own lines differ. */
function asOwn(text: string, node: Node, nodes: readonly Node[]): string {
  const nth = nodes.indexOf(node) + 1;
  const own = text.replace(/^(?!.*_CLUSTER=| *hosts:).*$/gm, (line) =>
    line.replace(/\bdb1\b/, `db${nth}`).replace(/10\.0\.0\.1(?=:)/, `10.0.0.${nth}`),
  );
  return placeNodes(own, nodes);
}

function patroniSettings(node: Node, nodes: readonly Node[]): string {
  return asOwn(sample("patroni.yml"), node, nodes)
    .replace(/data_dir: .*/, `data_dir: ${join(node.folder, "data")}`)
    .replace(/bin_dir: .*/, `bin_dir: ${findServerPrograms()}`)
    .replace(/pgpass: .*/, `pgpass: ${join(node.folder, "pgpass")}`)
    .replace(/unix_socket_directories: .*/, `unix_socket_directories: ${node.folder}`);
}

function etcdEnvironment(node: Node, nodes: readonly Node[]): Record<string, string> {
  const lines = asOwn(sample("etcd.env"), node, nodes).split("\n");
  const settings = lines.filter((line) => /^\w/.test(line)).map((line) => /^(\w+)=(.*)$/.exec(line)!.slice(1));
  return { ...Object.fromEntries(settings), ETCD_DATA_DIR: join(node.folder, "etcd") };
}

async function startProxies(folder: string, nodes: readonly Node[], account: Account) {
  const [haproxy, pgbouncer] = [await findFreePort(), await findFreePort()];
  const write = (name: string, text: string) => {
    const file = join(folder, name);
    writeFileSync(file, text.replaceAll("5000", String(haproxy)).replaceAll("6432", String(pgbouncer)));
    return file;
  };
  const users = write("userlist.txt", `"${OWNER}" "${OWNER}"\n`);
  const files = {
    haproxy: write("haproxy.cfg", placeNodes(sample("haproxy.cfg"), nodes)),
    pgbouncer: write(
      "pgbouncer.ini",
      sample("pgbouncer.ini").replace(/auth_file = .*/, `auth_file = ${users}\nunix_socket_dir =`),
    ),
  };
  const url = (port: number) => `postgres://${OWNER}:${OWNER}@127.0.0.1:${port}/${OWNER}`;
  return {
    all: [
      supervise(["haproxy", "-db", "-f", files.haproxy], { folder, account, name: "haproxy" }),
      supervise(["pgbouncer", files.pgbouncer], { folder, account, name: "pgbouncer" }),
    ],
    urls: { haproxy: url(haproxy), pgbouncer: url(pgbouncer) },
  };
}

async function createOwner(nodes: readonly Node[]) {
  const [, password = ""] = /superuser: .*password: ([^ ]+)/.exec(sample("patroni.yml"))!;
  const { name } = (await readMembers(nodes)).find(isPrimary)!;
  const { postgres: port } = nodes.find((node) => node.name === name)!.ports;
  const client = new pg.Client({ host: "127.0.0.1", port, user: "postgres", password });
  await client.connect();
  try {
    await client.query(`create role ${OWNER} login password '${OWNER}'`);
    await client.query(`create database ${OWNER} owner ${OWNER}`);
  } finally {
    await client.end();
  }
}

const isPrimary = ({ role, state }: Member) => role === "leader" && state === "running";

/** What Patroni says of its servers; nothing while none answers. */
async function readMembers(nodes: readonly Node[]): Promise<Member[]> {
  for (const { ports } of nodes) {
    try {
      const answer = await fetch(`http://127.0.0.1:${ports.rest}/cluster`, { signal: AbortSignal.timeout(2000) });
      if (answer.ok) return ((await answer.json()) as { members: Member[] }).members;
    } catch {
      // The next one may answer.
    }
  }
  return [];
}

async function untilWhole(nodes: readonly Node[]) {
  const deadline = Date.now() + WHOLE_MS;
  for (;;) {
    const members = await readMembers(nodes);
    const standbys = members.filter(({ role, state }) => role !== "leader" && /running|streaming/.test(state));
    const isWhole = standbys.length === 2 && standbys.some(({ role }) => role === "sync_standby");
    if (isWhole && members.some(isPrimary)) return;
    if (Date.now() > deadline) throw new Error(`The cluster is not whole: ${JSON.stringify(members)}`);
    await sleep(250);
  }
}

function findPostmaster({ folder }: Node): number | undefined {
  const file = join(folder, "data/postmaster.pid");
  return existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : undefined;
}

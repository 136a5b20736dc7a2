import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "./load.ts";
import { cpuSeconds, findFreePorts, median, type RunningProcess, run } from "./processes.ts";

type PageLoad = { readonly requestsPerSecond: number; readonly cpuMicroseconds: number };

const headers = { "accept-encoding": "br" };
const rounds = 3;
const secondsEach = 3;
const WARM_UP_SECONDS = 5;
const nginx = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"].find((file) => existsSync(file));

export const startHello = (folder: string): Promise<RunningProcess> => startReference("hello", folder);

/** A bare `node:http` server that sends the site's own bytes for its home page. */
export const startSameBytes = (folder: string, homeUrl: string) => startReference("same-bytes", folder, homeUrl);

async function startReference(name: string, folder: string, ...args: string[]): Promise<RunningProcess> {
  const port = await findFreePorts();
  return run({
    program: process.execPath,
    args: [join(import.meta.dirname, `${name}.ts`), String(port), ...args],
    port,
    readyPath: "/",
    logFile: join(folder, `${name}.log`),
    environment: { NODE_ENV: "production" },
  });
}

/** nginx with one process, serving the same bytes as the site; null if it is not installed. */
export async function startNginx(folder: string, homeUrl: string): Promise<RunningProcess | null> {
  if (nginx === undefined) return null;
  const port = await findFreePorts();
  const root = join(folder, "nginx");
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "home"), await readCompressed(homeUrl));
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${root}/${name};`,
  );
  const configuration = `daemon off; master_process off; pid ${root}/pid; error_log ${root}/error.log;
    events { worker_connections 1024; }
    http { access_log off; sendfile on; keepalive_requests 10000000; open_file_cache max=10; ${temporary.join(" ")}
      server { listen 127.0.0.1:${port}; location = / { root ${root}; try_files /home =404; default_type text/html;
        add_header content-encoding br; add_header vary accept-encoding; } } }`;
  writeFileSync(join(root, "nginx.conf"), configuration);
  return run({
    program: nginx,
    args: ["-c", join(root, "nginx.conf"), "-e", join(root, "error.log")],
    port,
    readyPath: "/",
    logFile: join(root, "output"),
  });
}

/** The bytes on the wire: `fetch` would decompress them. */
export async function readCompressed(url: string): Promise<Buffer> {
  const { get } = await import("node:http");
  return new Promise((resolve, reject) => {
    get(url, { headers }, async (response) => resolve(Buffer.concat(await response.toArray()))).once("error", reject);
  });
}

/** The medians of several rounds of load on each server in turn, so that a slow moment affects all. */
export async function measureLoads(servers: ReadonlyMap<string, RunningProcess>): Promise<Map<string, PageLoad>> {
  // Warms up: in its first seconds a site prepares its pages, and compiles what it runs often.
  for (const server of servers.values()) await loadPage(server, WARM_UP_SECONDS);
  const results = new Map<string, PageLoad[]>([...servers.keys()].map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, server] of servers) results.get(name)!.push(await loadPage(server, secondsEach));
  }
  const middle = (loads: PageLoad[]): PageLoad => ({
    requestsPerSecond: median(loads.map(({ requestsPerSecond }) => requestsPerSecond)),
    cpuMicroseconds: median(loads.map(({ cpuMicroseconds }) => cpuMicroseconds)),
  });
  return new Map([...results].map(([name, loads]) => [name, middle(loads)]));
}

async function loadPage({ url, pid }: RunningProcess, seconds: number): Promise<PageLoad> {
  const before = cpuSeconds(pid);
  const { answers, perSecond, refused, unanswered } = await load(url, { connections: 16, seconds });
  if (refused + unanswered > 0) throw new Error(`${url} refused ${refused} requests, ${unanswered} had no answer.`);
  return { requestsPerSecond: perSecond, cpuMicroseconds: ((cpuSeconds(pid) - before) / answers) * 1e6 };
}

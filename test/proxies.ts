import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export type ProxyName = "nginx" | "caddy";

export const isInstalled = (program: string) => spawnSync(program, ["--version"]).error === undefined;

const sample = (name: string) => readFileSync(join(import.meta.dirname, "../deploy", name), "utf8");

/** Starts a proxy with the sample of `deploy/`, without TLS, before these two processes. */
export async function startProxy(
  name: ProxyName,
  { folder, port, sites }: { readonly folder: string; readonly port: number; readonly sites: readonly string[] },
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const [one, two] = sites.map((url) => new URL(url).host);
  const before = (text: string) => text.replaceAll("127.0.0.1:3000", one!).replaceAll("127.0.0.1:3001", two!);
  const file = join(folder, name === "nginx" ? "nginx.conf" : "Caddyfile");
  if (name === "nginx") {
    const servers = before(sample("nginx.conf"))
      .replace(/server \{\s+listen 80;[\s\S]*?\n\}\n/, "")
      .replace(/^ *(?:ssl_\w+ .*|listen \[::\].*)\n/gm, "")
      .replace(/listen 443 .*;/, `listen 127.0.0.1:${port};`);
    const logs = `error_log ${join(folder, "nginx.log")};\npid ${join(folder, "nginx.pid")};\ndaemon off;\n`;
    writeFileSync(file, `${logs}events {}\nhttp {\naccess_log off;\n${servers}\n}\n`);
  } else {
    const site = before(sample("Caddyfile")).replace("www.ourcharity.org.au {", `http://127.0.0.1:${port} {`);
    writeFileSync(file, `{\n\tadmin off\n}\n${site}`);
  }
  const args = name === "nginx" ? ["-c", file] : ["run", "--adapter", "caddyfile", "--config", file];
  const child: ChildProcess = spawn(name, args, { stdio: "ignore", env: { ...process.env, HOME: folder } });
  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (let tries = 0; !(await isUp()); tries += 1) {
    if (child.exitCode !== null || tries > 200) throw new Error(`${name} did not start: see ${folder}`);
    await sleep(50);
  }
  return {
    url,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

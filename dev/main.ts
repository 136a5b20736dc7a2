import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync, watch } from "node:fs";
import { relative, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createBuilder, type Plugin, type ViteBuilder } from "vite";
import { writeScripts } from "#app/rendering/script-files.ts";
import { startEmbeddedDatabase } from "#database/embedded.ts";
import { readConfig } from "#shared/config/config.ts";
import { startSimulators } from "#simulators/start.ts";

// `npm run dev`: starts the database once; after each change it rebuilds the affected parts and restarts the site.
const watched = ["src", "dev", "database", "simulators", "organisation.json", ".env"];
/** Excludes temporary files of editors. */
const isSource = (file: string) =>
  /(?:\.(?:tsx?|css|svg|sql|json|js|html|woff2)|\.env)$/.test(file) && !/\.test\./.test(file);
const client = "dist/dev/client";
/** An editor writes a file in several steps, and a branch brings many files. */
const QUIET_MS = 20;

const print = (line: string) => process.stdout.write(`${line}\n`);

/** The source files of each part that could be built. */
const inputs = new Map<string, Set<string>>();
const rememberInputs: Plugin = {
  name: "remember-inputs",
  buildStart() {
    inputs.delete(this.environment.name);
  },
  buildEnd(error) {
    if (error !== undefined) return;
    const files = [...this.getModuleIds()].map((id) => id.split("?", 1)[0] ?? id);
    inputs.set(this.environment.name, new Set(files));
  },
};

/** Builds every part that uses one of these files. A changed style rebuilds the client, because styles are not imported. */
async function buildPages(builder: ViteBuilder, changed: ReadonlySet<string>) {
  const hasStyle = [...changed].some((file) => file.endsWith(".css"));
  const isIn = (name: string) => {
    const files = inputs.get(name);
    return files === undefined || (hasStyle && name === "client") || [...changed].some((file) => files.has(file));
  };
  const stale = Object.values(builder.environments).filter(({ name }) => isIn(name));
  const results = await Promise.allSettled(stale.map((part) => builder.build(part)));
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  writeScripts(client);
}

/** Kills it, which loses nothing: the site can be killed at any moment. */
async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** Collects changes until they are taken. */
function collectChanges() {
  let changed = new Set<string>();
  let notify = () => {};
  for (const path of watched.filter(existsSync)) {
    watch(path, { recursive: true }, (_event, name) => {
      const file = path.includes(".") ? path : `${path}/${name}`;
      if (!isSource(file)) return;
      changed.add(resolve(file));
      notify();
    });
  }
  return async () => {
    if (changed.size === 0) await new Promise<void>((happened) => (notify = happened));
    const startedAt = performance.now();
    await sleep(QUIET_MS);
    const files = changed;
    changed = new Set();
    return { files, startedAt };
  };
}

async function main() {
  if (existsSync(".env")) process.loadEnvFile(".env");
  const config = readConfig({ ...process.env });
  process.env.NODE_ENV ??= "production";
  const embedded =
    config.databaseUrl === undefined ? await startEmbeddedDatabase({ ...config, log: print }) : undefined;
  const environment = { ...process.env, DATABASE_URL: config.databaseUrl ?? embedded?.url };
  const simulators = await startSimulators({ port: config.simulatorPort, dataDir: config.dataDir, log: print });
  rmSync(`${client}/assets`, { recursive: true, force: true });
  const builder = await createBuilder({ mode: "development", logLevel: "error", plugins: [rememberInputs] });
  const nextChange = collectChanges();
  const prepareSite = () => fork("dev/site.ts", { env: environment });
  let site: ChildProcess | undefined;
  let spare = prepareSite();
  const stop = async () => {
    await Promise.all([site, spare].map((child) => child && end(child)));
    await simulators.stop();
    await embedded?.stop();
    process.exit();
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);

  /** Replaces the site with one that has the changes; resolves to whether it is up. */
  const serve = async (changed: ReadonlySet<string>) => {
    const next = spare;
    next.send("start");
    const isUp = Promise.race([once(next, "message").then(() => true), once(next, "exit").then(() => false)]);
    try {
      await buildPages(builder, changed);
    } catch (error) {
      await end(next);
      throw error;
    }
    if (!next.connected) return false;
    if (site !== undefined) await end(site);
    site = next;
    next.send("built");
    return isUp;
  };
  for (let change = { files: new Set<string>(), startedAt: performance.now() }; ; change = await nextChange()) {
    const isUp = await serve(change.files).catch((error: Error) => print(error.message));
    const files = [...change.files].map((file) => relative(".", file)).join(", ") || "The site";
    if (isUp) print(`${files}: at ${config.publicUrl} after ${Math.round(performance.now() - change.startedAt)} ms`);
    spare = prepareSite();
  }
}

await main();

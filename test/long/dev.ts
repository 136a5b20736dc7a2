import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const origin = "http://127.0.0.1:3917";
const read = async (path: string) => (await fetch(origin + path)).text();

type Edit = { readonly file: string; readonly from: string; readonly to: string; isShown(): Promise<boolean> };

const edits: Readonly<Record<string, Edit>> = {
  "a page": {
    file: "src/features/content/ui/home/home-page.tsx",
    from: "<h2",
    to: "<h2 data-edited",
    isShown: async () => (await read("/")).includes("data-edited"),
  },
  "an island": {
    file: "src/features/content/ui/contact/contact-form.tsx",
    from: "<form",
    to: "<form data-edited",
    isShown: async () => (await read("/contact")).includes("data-edited"),
  },
  "a style": {
    file: "src/shared/ui/styles/base.css",
    from: "",
    to: "body { --edited: 1 }\n",
    isShown: async () => {
      const [, sheet = ""] = /href="(\/assets\/site[^"]+)"/.exec(await read("/")) ?? [];
      return (await read(sheet)).includes("--edited");
    },
  },
  "the server": {
    file: "src/app/health.ts",
    from: '"/healthz"',
    to: '"/healthz-edited"',
    isShown: async () => (await fetch(`${origin}/healthz-edited`)).ok,
  },
};

/** Edits a copy of the project under `npm run dev`, and prints how long each change takes to be served. */
export async function run(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "almoner-dev-"));
  const copied = ["src", "dev", "database", "simulators", "package.json", "organisation.json", "vite.config.ts"];
  for (const name of copied) cpSync(name, join(folder, name), { recursive: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  const site = spawn(process.execPath, ["dev/main.ts"], {
    cwd: folder,
    env: { ...process.env, PORT: "3917", SIMULATOR_PORT: "3918", DATA_DIR: join(folder, "data"), LOG_LEVEL: "error" },
    stdio: "ignore",
  });
  try {
    await wait(async () => (await fetch(origin)).ok, 120_000);
    let areAllShown = true;
    for (const [name, { file, from, to, isShown }] of Object.entries(edits)) {
      // Time for the next process to get ready.
      await sleep(3000);
      const startedAt = performance.now();
      save(join(folder, file), (text) => text.replace(from, to));
      const isSeen = await wait(isShown, 30_000);
      const took = isSeen ? `${Math.round(performance.now() - startedAt)} ms` : "never";
      process.stdout.write(`a change of ${name}: ${took}\n`);
      areAllShown &&= isSeen;
    }
    return areAllShown;
  } finally {
    site.kill("SIGINT");
    await once(site, "exit");
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Replaces the file with a new one, as many editors do. */
function save(file: string, change: (text: string) => string) {
  writeFileSync(`${file}~`, change(readFileSync(file, "utf8")));
  renameSync(`${file}~`, file);
}

async function wait(check: () => Promise<boolean>, forMs: number): Promise<boolean> {
  const deadline = Date.now() + forMs;
  while (Date.now() < deadline) {
    if (await check().catch(() => false)) return true;
    await sleep(10);
  }
  return false;
}

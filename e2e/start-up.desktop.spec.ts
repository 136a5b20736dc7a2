import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { findPostmaster } from "#database/embedded/postmaster.ts";
import { makePlace } from "#database/embedded/server.ts";
import { findFreePorts } from "../bench/processes.ts";
import { startBenchSite } from "../bench/site.ts";

const compiled = "node_modules/.cache/start";

/** The compiled files that one start leaves for the next, with the time each was written. */
function listCompiled(): string[] {
  const files = readdirSync(compiled, { recursive: true, encoding: "utf8" }).map((name) => join(compiled, name));
  return files.filter((file) => statSync(file).isFile()).map((file) => `${file} ${statSync(file).mtimeMs}`);
}

test("REL-11: a start reuses what an earlier one compiled", { tag: "@long" }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "start-up-"));
  const start = async () => (await startBenchSite(folder)).stop();
  try {
    rmSync(compiled, { recursive: true, force: true });
    // The first start also creates the database, which needs more code.
    await start();
    await start();
    const before = listCompiled();
    expect(before.length).toBeGreaterThan(200);
    await start();
    expect(listCompiled().sort()).toEqual(before.sort());
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
});

test("REL-16: a start whose port is in use says what to do, and nothing after that", async () => {
  const folder = mkdtempSync(join(tmpdir(), "start-up-"));
  const port = await findFreePorts();
  const other = createServer().listen(port, "127.0.0.1");
  await once(other, "listening");
  // Of two pipes nobody would know what was said last.
  const said = join(folder, "said.txt");
  const output = openSync(said, "a");
  const site = spawn(process.execPath, ["src/app/start.js"], {
    stdio: ["ignore", output, output],
    env: { ...process.env, PORT: String(port), DATA_DIR: join(folder, "data"), DATABASE_URL: "", PAYMENTS: "off" },
  });
  closeSync(output);
  try {
    expect(await once(site, "close")).toEqual([1, null]);
    expect(readFileSync(said, "utf8")).toMatch(
      /The site did not start\. [^\n]*EADDRINUSE[^\n]*\. Stop what runs there, or set PORT\.\n$/,
    );
  } finally {
    site.kill("SIGKILL");
    other.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
});

test("REL-15: a signal while the site starts ends all that the start has begun", async () => {
  for (const moment of ["Simulators listen at", "Tables created in the empty database", "Demo content added"]) {
    const folder = mkdtempSync(join(tmpdir(), "start-up-"));
    const port = await findFreePorts();
    const environment = {
      ...process.env,
      NODE_ENV: "production",
      PORT: String(port),
      DATA_DIR: folder,
      DATABASE_URL: "",
    };
    const site = spawn(process.execPath, ["src/app/start.js"], {
      stdio: ["ignore", "pipe", "inherit"],
      env: environment,
    });
    let said = "";
    site.stdout.on("data", (chunk) => {
      const isBefore = !said.includes(moment);
      said += chunk;
      if (isBefore && said.includes(moment)) site.kill("SIGTERM");
    });
    try {
      expect(await once(site, "close")).toEqual([0, null]);
      expect(said).toMatch(/\nStopping …\n$/);
      expect(findPostmaster(makePlace(folder).data)).toBeNull();
      await expect(fetch(`http://127.0.0.1:${port + 1}`)).rejects.toThrow();
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    }
  }
});

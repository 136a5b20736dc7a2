import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const listLoaded = `
  import { registerHooks } from "node:module";
  const packages = new Set();
  registerHooks({
    load(url, context, next) {
      packages.add(/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1]);
      return next(url, context);
    },
  });
  process.on("exit", () => console.log(JSON.stringify([...packages])));
`;

/** The packages that are loaded with a module. */
async function listPackages(...modules: string[]): Promise<string[]> {
  const imports = modules.map((name) => `await import(${JSON.stringify(name)});`).join("");
  const args = ["--import", `data:text/javascript,${encodeURIComponent(listLoaded)}`, "--input-type=module", "-e"];
  const { stdout } = await promisify(execFile)(process.execPath, [...args, imports], { cwd: root });
  return JSON.parse(stdout);
}

test("PERF-5: a start loads no package that only some requests or jobs need", async () => {
  const heavy = [
    ...["sharp", "pdfkit", "nodemailer", "braintree", "@simplewebauthn/server", "piscina", "qrcode"],
    ...["@fastify/swagger", "@fastify/swagger-ui", "yaml", "sanitize-html", "parse5", "libphonenumber-js"],
  ];
  const loaded = await listPackages("#app/main.ts");
  expect(loaded).toContain("fastify");
  expect(loaded.filter((name) => heavy.includes(name))).toEqual([]);
  // Negative control: what loads them is seen.
  expect(await listPackages("#shared/workers/threads.ts")).toContain("piscina");
});

test("PERF-5: what launches database and simulators loads nothing of the site, which they need not wait for", async () => {
  const loaded = await listPackages("#app/start-site.ts");
  expect(loaded).toContain("pg");
  expect(loaded.filter((name) => ["fastify", "kysely", "pg-boss", "react"].includes(name))).toEqual([]);
});

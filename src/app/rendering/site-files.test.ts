import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { deliveredFrame } from "#shared/brand/delivered-frame.ts";
import { serveFiles } from "./site-files.ts";

test("HOME-12: built files are cached permanently and compressed; drawings have plain addresses", async () => {
  const folder = mkdtempSync(join(tmpdir(), "almoner-files-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ["client/assets", "client/identity/brand", "server"]) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  writeFileSync(join(folder, "server/render.js"), "secret");
  writeFileSync(join(folder, "client/assets/shell.js"), "plain");
  writeFileSync(join(folder, "client/assets/shell.js.br"), "compressed");
  cpSync("src/shared/ui/identity/brand/favicon.svg", join(folder, "client/identity/brand/favicon.svg"));
  const app = Fastify();
  onTestFinished(() => app.close());
  await serveFiles(app, join(folder, "client"), { brand: () => deliveredFrame });

  const script = await app.inject({ url: "/assets/shell.js", headers: { "accept-encoding": "br" } });
  expect([script.body, script.headers["cache-control"]]).toEqual(["compressed", "public, max-age=31536000, immutable"]);
  const icon = await app.inject("/identity/brand/favicon.svg");
  expect([icon.statusCode, icon.headers["content-type"]]).toEqual([200, "image/svg+xml"]);
  expect(icon.headers["cache-control"]).toContain("max-age=86400");
  expect((await app.inject("/assets/../server/render.js")).statusCode).toBe(404);
  const rules = await app.inject("/speculation-rules.json");
  expect(rules.headers["content-type"]).toContain("application/speculationrules+json");
  expect(rules.body).toContain("/donation*");
});

import { execFileSync } from "node:child_process";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { trace } from "../dev/trace.ts";

const assets = readdirSync("dist/client/assets").filter((name) => name.endsWith(".js"));
const read = (name: string) => readFileSync(`dist/client/assets/${name}`, "utf8");

/** The stack of an error thrown by this code, in a process that reads source maps as the site does. */
function stackOf(code: string): string {
  const script = `import { setSourceMapsSupport } from "node:module";
    setSourceMapsSupport(true, { nodeModules: false });
    try { ${code} } catch (error) { console.log(error.stack); }`;
  return execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
}

/** The first line of our source in a stack. */
function firstLine(stack: string): string {
  const [, file = "", line = ""] = /\((?:file:\/\/)?([^()]*\.tsx?):(\d+):\d+\)/.exec(stack) ?? [];
  return readFileSync(file, "utf8").split("\n")[Number(line) - 1] ?? "";
}

test("a server error names its source file and line", () => {
  const [built] = globSync("dist/server/environment-*.js");
  const stack = stackOf(`const exported = Object.values(await import("./${built}"));
    exported.find(({ name }) => name === "parseEnvironment")({ PORT: "none" });`);
  expect(stack).toContain("src/shared/config/environment.ts:");
  expect(stack).not.toContain("dist/server");
  expect(firstLine(stack)).toContain("throw new Error(parsed.error");
});

test("an error of a built page names its source file and line", () => {
  const stack = stackOf(`const { listPages, renderPage } = await import("./dist/server/render.js");
    renderPage(listPages().find(({ path }) => path === "/news"), "/news", undefined, {});`);
  expect(stack).toMatch(/src\/\S+\.tsx?:\d+:\d+/);
  expect(stack).not.toContain("dist/server");
});

test("a browser error is traced to its source with maps that the site does not serve", () => {
  const text = "We didn’t receive your payment.";
  const name = assets.find((one) => read(one).includes(text)) ?? "";
  const lines = read(name).split("\n");
  const line = lines.findIndex((one) => one.includes(text));
  const place = `at e (https://give.example/assets/${name}:${line + 1}:${lines[line]!.indexOf(text) + 1})`;
  const [, file = "", number = ""] = /\((\S+\.tsx?):(\d+):\d+\)/.exec(trace(place, "dist/maps")) ?? [];
  expect(readFileSync(file, "utf8").split("\n")[Number(number) - 1]).toContain(text);
  expect(trace("at e (https://give.example/assets/gone-12345678.js:1:2)", "dist/maps")).toContain(
    "gone-12345678.js:1:2",
  );

  const served = readdirSync("dist/client", { recursive: true, encoding: "utf8" });
  expect(served.filter((one) => one.endsWith(".map"))).toEqual([]);
  expect(assets.filter((one) => read(one).includes("sourceMappingURL"))).toEqual([]);
});

test("live reload is in no script of the site", () => {
  expect(readFileSync("dev/reload/follow-changes.ts", "utf8")).toContain("/dev/changes");
  expect(assets.filter((one) => read(one).includes("/dev/changes"))).toEqual([]);
});

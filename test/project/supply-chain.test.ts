import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  findSupplyChainFaults,
  isAllowed,
  type Locked,
  nameOf,
  readInstalled,
  readLock,
  readPackageManifest,
} from "../supply-chain.ts";

const root = join(import.meta.dirname, "../..");
const lock = readLock();
const manifest = readPackageManifest();
const integrity = `sha512-${"A".repeat(86)}==`;

test("SEC-13: every package has an allowed licence, a hash and the registry as its source, and runs a script only if we decided so", () => {
  expect(Object.keys(lock.packages).length).toBeGreaterThan(500);
  expect(findSupplyChainFaults(lock, manifest)).toEqual([]);
});

test("SEC-13: package.json names each package that code imports, in exactly one version", () => {
  const files = execFileSync("git", ["ls-files", "*.ts", "*.tsx", "*.js"], { cwd: root, encoding: "utf8" });
  const imported = files
    .trim()
    .split("\n")
    .flatMap((file) => [
      ...readFileSync(join(root, file), "utf8").matchAll(
        /^(?:import [^"=\n]*|(?:export [^"=\n]*|\} )from |[^"`\n]*\bimport\()"(?!node:|[./#])((?:@[\w.-]+\/)?[\w.-]+)[^"]*"/gm,
      ),
    ])
    .map(([, name]) => name!);
  expect(imported).toEqual(expect.arrayContaining(["fastify", "@fastify/cookie", "pino", "sharp"]));
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  const named: Record<string, string> = { ...dependencies, ...devDependencies, ...optionalDependencies };
  expect([...new Set(imported)].filter((name) => named[name] === undefined)).toEqual([]);
  expect(Object.entries(named).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});

test("SEC-13: installed packages match the lock file, to the hash", () => {
  const installed = Object.entries(readInstalled().packages).filter(([path]) => lock.packages[path] !== undefined);
  expect(installed.length).toBeGreaterThan(500);
  const others = installed.filter(([path, one]) => one.integrity !== lock.packages[path]!.integrity);
  expect(others.map(([path]) => path)).toEqual([]);
});

test("SEC-13: each installed package declares the licence in the lock file", () => {
  for (const [path, { license }] of Object.entries(readInstalled().packages)) {
    const own = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8")).license;
    expect(own ?? undefined, path).toBe(license);
  }
  const text = readFileSync(join(root, "node_modules/png-js/LICENSE"), "utf8");
  expect(text).toMatch(/^MIT License\n/);
});

describe("the check finds", () => {
  const whole: Locked = { version: "1.0.0", license: "MIT", integrity };
  const find = (one: Locked, allowScripts = {}) =>
    findSupplyChainFaults({ packages: { "": whole, "node_modules/@a/b": one } }, { ...manifest, allowScripts });

  test.each([
    ["a licence that is not on the list", { ...whole, license: "AGPL-3.0-only" }, "@a/b has the licence AGPL-3.0-only"],
    ["no licence", { version: "1.0.0", integrity }, "@a/b has the licence (none)"],
    ["an install script", { ...whole, hasInstallScript: true }, "@a/b has an install script"],
    ["no hash", { version: "1.0.0", license: "MIT" }, "@a/b has no integrity hash"],
    ["a weak hash", { ...whole, integrity: "sha1-AAAA" }, "@a/b has no integrity hash"],
    ["a folder beside", { ...whole, link: true }, "@a/b is not from a registry"],
    ["a repository", { ...whole, resolved: "git+ssh://git@host.example/a/b.git" }, "@a/b is not from a registry"],
    ["a plain connection", { ...whole, resolved: "http://host.example/b.tgz" }, "@a/b is not from a registry"],
  ])("SEC-13: %s", (_, one, fault) => {
    expect(find(whole)).toEqual([]);
    expect(find(one)).toEqual([fault]);
  });

  test("SEC-13: the check finds a second registry, and a permission for a script that no package has", () => {
    const from = (host: string) => ({ ...whole, resolved: `https://${host}/a.tgz` });
    const packages = { "node_modules/a": from("one.example"), "node_modules/b": from("two.example") };
    expect(findSupplyChainFaults({ packages }, { ...manifest, allowScripts: {} })).toEqual([
      "packages come from 2 places",
    ]);
    expect(find(whole, { "@a/b": true })).toEqual(["@a/b may run an install script and has none"]);
  });

  test("SEC-13: all licences joined by AND must be allowed, or one joined by OR", () => {
    expect(["MIT AND OFL-1.1", "(MIT OR EUPL-1.1+)", "GPL-2.0-only OR MIT"].map(isAllowed)).toEqual([true, true, true]);
    expect(["MIT AND GPL-3.0-only", "GPL-2.0-only OR AGPL-3.0-only"].map(isAllowed)).toEqual([false, false]);
  });
});

test("SEC-13: npm run sbom writes every package with its version, hash and licence, without a network", () => {
  const output = execFileSync(process.execPath, ["test/sbom.ts"], { cwd: root, encoding: "utf8", maxBuffer: 1e7 });
  const sbom = JSON.parse(output);
  expect(sbom).toMatchObject({
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    metadata: { component: { name: "almoner" } },
  });
  const listed = new Set(sbom.components.map(({ name, version }: Locked & { name: string }) => `${name}@${version}`));
  const locked = Object.entries(lock.packages).filter(([path]) => path !== "");
  for (const [path, { version }] of locked) expect(listed).toContain(`${nameOf(path)}@${version}`);
  const byName = (name: string) => sbom.components.find((one: { name: string }) => one.name === name);
  expect(byName("fastify")).toMatchObject({ scope: "required", licenses: [{ expression: "MIT" }] });
  expect(byName("fastify").hashes[0].content).toMatch(/^[0-9a-f]{128}$/);
  expect(byName("vitest").scope).toBe("excluded");
});

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** One file for each rule of docs/architecture.md that breaks it, and for each kind of place one that breaks none. */
const planted = {
  breaches: {
    "src/shared/a.ts": "#features/donations/cart.ts",
    "src/shared/b.ts": "#app/main.ts",
    "src/shared/http/c.ts": "../../features/donations/cart.ts",
    "src/shared/http/d.ts": "../../app/main.ts",
    "src/shared/http/e.ts": "#database/migrate.ts",
    "src/shared/http/f.ts": "#simulators/start.ts",
    "src/shared/g.ts": "node:fs",
    "src/shared/contract/h.ts": "node:crypto",
    "src/shared/contract/i.ts": "react",
    "src/shared/contract/j.ts": "#shared/http/mount.ts",
    "src/shared/contract/k.ts": "#shared/database/connect.ts",
    "src/features/donations/l.ts": "#features/accounts/return-path.ts",
    "src/features/donations/m.ts": "../accounts/return-path.ts",
    "src/features/donations/n.ts": "#app/main.ts",
    "src/features/donations/o.ts": "node:fs",
    "src/features/donations/p.ts": "./server/store.ts",
    "src/features/donations/q.ts": "./ui/device.ts",
    "src/features/donations/r.ts": "kysely",
    "src/features/donations/server/s.ts": "#features/accounts/return-path.ts",
    "src/features/donations/server/t.ts": "../../accounts/return-path.ts",
    "src/features/donations/server/u.ts": "../ui/device.ts",
    "src/features/donations/server/v.ts": "react",
    "src/features/donations/server/w.ts": "#shared/ui/icon.tsx",
    "src/features/donations/server/x.ts": "./letter.tsx",
    "src/features/donations/server/y.ts": "#simulators/start.ts",
    "src/features/donations/ui/z.tsx": "#features/content/contract.ts",
    "src/features/donations/ui/aa.tsx": "../server/store.ts",
    "src/features/donations/ui/ab.tsx": "#payments/states.ts",
    "src/shared/ah.ts": "#payments/states.ts",
    "src/payments/ai.ts": "#features/donations/cart.ts",
    "src/payments/aj.ts": "../app/main.ts",
    "src/payments/ak.ts": "#database/migrate.ts",
    "src/features/donations/ui/ac.tsx": "#shared/http/mount.ts",
    "src/features/donations/ui/ad.tsx": "#shared/database/connect.ts",
    "src/features/donations/ui/ae.tsx": "node:fs",
    "src/app/af.ts": "#database/migrate.ts",
    "src/app/ag.ts": "#simulators/start.ts",
  },
  allowed: {
    "src/shared/http/ok.ts": "node:crypto",
    "src/shared/contract/ok.ts": "#shared/errors.ts",
    "src/features/donations/ok.ts": "#shared/money.ts",
    "src/features/donations/server/ok.ts": "../cart.ts",
    "src/features/donations/ui/donate/ok.tsx": "../../cart.ts",
    "src/payments/ok.ts": "#shared/database/connect.ts",
    "src/features/donations/ui/ok.tsx": "react",
    "src/app/ok.ts": "#features/donations/server/routes.ts",
    "src/app/start-site.ts": "#database/migrate.ts",
    "src/app/commands/command.ts": "#database/migrate.ts",
  },
};

type Diagnostic = { readonly category: string; readonly location: { readonly path: string } };

/** Files in which Biome, under our own configuration, sees a forbidden import. */
function lintPlanted(files: Record<string, string>): Set<string> {
  const folder = mkdtempSync(join(tmpdir(), "almoner-imports-"));
  try {
    cpSync(join(root, "biome.json"), join(folder, "biome.json"));
    for (const [file, from] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), `import { thing } from "${from}";\n\nexport const used = thing;\n`);
    }
    const program = join(root, "node_modules/.bin/biome");
    const rest = ["lint", "--reporter=json", "--max-diagnostics=none"];
    const { stdout } = spawnSync(program, rest, { cwd: folder, encoding: "utf8" });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] };
    const forbidden = diagnostics.filter(({ category }) => category === "lint/style/noRestrictedImports");
    return new Set(forbidden.map(({ location }) => relative(folder, resolve(folder, location.path))));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("lint refuses each import that goes against the house's directions, and no other", () => {
  const found = lintPlanted({ ...planted.breaches, ...planted.allowed });
  expect([...found].sort()).toEqual(Object.keys(planted.breaches).sort());
});

type Import = { readonly from: string; readonly to: string };

/** Every import of our own files by the file it leads to, however it is spelt. Tests may import what they like. */
function listImports(): Import[] {
  return ["src", "database", "simulators"].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: "utf8" })
      .map((name) => join(top, name))
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\.d\.ts$/.test(file))
      .flatMap((from) =>
        [...readFileSync(join(root, from), "utf8").matchAll(/(?:from|import)\s*\(?\s*"([#.][^"]+)"/g)].map(
          ([, target = ""]) => ({ from, to: followImport(from, target) }),
        ),
      ),
  );
}

function followImport(from: string, target: string): string {
  const [, alias, rest = ""] = /^#(\w+)\/(.*)$/.exec(target) ?? [];
  if (alias === undefined) return relative(root, resolve(root, dirname(from), target));
  return join(["database", "simulators", "test"].includes(alias) ? alias : join("src", alias), rest);
}

/** The rule that an import breaks, or undefined. */
function breach({ from, to }: Import): string | undefined {
  const layers = ["src/shared/", "src/payments/", "src/features/", "src/app/"];
  const layer = (file: string) => layers.findIndex((one) => file.startsWith(one));
  const feature = (file: string) => /^src\/features\/(\w+)\//.exec(file)?.[1];
  const isBeside = (file: string) => file.startsWith("database/") || file.startsWith("simulators/");
  if (to.startsWith("test/")) return "the product never imports its tests";
  if (isBeside(from)) return layer(to) > 1 ? "database/ and simulators/ know nothing of features and app" : undefined;
  if (isBeside(to))
    return /^src\/app\/(start-site|commands\/command)\.ts$/.test(from)
      ? undefined
      : "start-site.ts and command.ts alone import it";
  if (layer(from) < layer(to)) return "imports run app to features to payments to shared";
  if (feature(from) && feature(to) && feature(from) !== feature(to)) return "features never import each other";
  if (/\/server\//.test(from) && (/\/ui\//.test(to) || to.endsWith(".tsx"))) return "server/ imports no page";
  if (/\/ui\//.test(from) && /\/server\//.test(to)) return "ui/ imports no server";
  return undefined;
}

test("every import in the tree keeps the house's directions, however it is spelt", () => {
  const imports = listImports();
  expect(imports.length).toBeGreaterThan(100);
  const breaches = imports.flatMap((one) => (breach(one) ? [`${one.from} → ${one.to}: ${breach(one)}`] : []));
  expect(breaches).toEqual([]);
});

test("what the import walk looks for, it sees", () => {
  const from = "src/features/donations/server/donate.ts";
  expect(breach({ from, to: followImport(from, "../../accounts/return-path.ts") })).toBe(
    "features never import each other",
  );
  expect(breach({ from, to: followImport(from, "../../../../database/migrate.ts") })).toMatch(
    "start-site.ts and command.ts alone",
  );
  expect(breach({ from, to: followImport(from, "#app/main.ts") })).toMatch("app to features to payments to shared");
  expect(breach({ from, to: followImport(from, "../ui/device.ts") })).toBe("server/ imports no page");
  expect(breach({ from, to: followImport(from, "#shared/money.ts") })).toBeUndefined();
});

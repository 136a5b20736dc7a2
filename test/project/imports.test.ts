import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** A file that breaks each rule of docs/architecture.md, and for each kind of place one that breaks none. */
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
    "src/features/donations/server/x.ts": "./email.tsx",
    "src/features/donations/server/y.ts": "#simulators/start.ts",
    "src/features/donations/ui/z.tsx": "#features/content/contract.ts",
    "src/features/donations/ui/aa.tsx": "../server/store.ts",
    "src/features/donations/ui/ab.tsx": "#payments/states.ts",
    "src/shared/ah.ts": "#payments/states.ts",
    "src/payments/ai.ts": "#features/donations/cart.ts",
    "src/payments/aj.ts": "../app/main.ts",
    "src/payments/ak.ts": "#database/migrate.ts",
    "src/payments/al.ts": "#dev/gallery/page.tsx",
    "src/shared/an.ts": "#admin/rights.ts",
    "src/payments/ao.ts": "#admin/rights.ts",
    "src/admin/ap.ts": "#features/donations/cart.ts",
    "src/admin/aq.ts": "#payments/states.ts",
    "src/features/donations/ui/am.tsx": "#dev/gallery/page.tsx",
    "src/features/donations/ui/ac.tsx": "#shared/http/mount.ts",
    "src/features/donations/ui/ad.tsx": "#shared/database/connect.ts",
    "src/features/donations/ui/ae.tsx": "node:fs",
    "src/features/donations/admin/ar.ts": "./one-screen.tsx",
    "src/features/donations/admin/as.ts": "#features/staff/server/people/people.ts",
    "src/features/donations/admin/at.tsx": "#app/main.ts",
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
    "src/admin/ok.ts": "#shared/database/connect.ts",
    "src/features/donations/admin/ok.ts": "#admin/audit.ts",
    "src/features/donations/admin/ok.tsx": "#admin/ui/form.tsx",
    "src/app/ok.ts": "#features/donations/server/routes.ts",
    "src/app/start-site.ts": "#database/migrate.ts",
    "src/app/commands/command.ts": "#database/migrate.ts",
  },
};

type Diagnostic = { readonly category: string; readonly location: { readonly path: string } };

/** Files with imports that Biome forbids under our configuration. */
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

test("lint refuses exactly the imports that break the rules", () => {
  const found = lintPlanted({ ...planted.breaches, ...planted.allowed });
  expect([...found].sort()).toEqual(Object.keys(planted.breaches).sort());
});

type Import = { readonly from: string; readonly to: string };

/** Every import of our own files, resolved to its file. Tests may import anything. */
function listImports(): Import[] {
  return ["src", "dev", "database", "simulators"].flatMap((top) =>
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
  return join(["database", "dev", "simulators", "test"].includes(alias) ? alias : join("src", alias), rest);
}

/** The rule that an import breaks, or undefined. */
function breach({ from, to }: Import): string | undefined {
  const layers = ["src/shared/", "src/payments/", "src/admin/", "src/features/", "src/app/"];
  const layer = (file: string) => layers.findIndex((one) => file.startsWith(one));
  const feature = (file: string) => /^src\/features\/(\w+)\//.exec(file)?.[1];
  const isBeside = (file: string) => file.startsWith("database/") || file.startsWith("simulators/");
  if (to.startsWith("test/")) return "the product never imports its tests";
  if (isBeside(from)) return layer(to) > 2 ? "database/ and simulators/ know nothing of features and app" : undefined;
  if (isBeside(to))
    return /^(src\/app\/(start-site|commands\/command)|dev\/main)\.ts$/.test(from)
      ? undefined
      : "start-site.ts and command.ts alone import it, and dev/main.ts";
  if (from.startsWith("dev/")) return undefined;
  if (to.startsWith("dev/"))
    return /^src\/app\/(pages|server|shell\/shell)\.ts$/.test(from)
      ? undefined
      : "the table of pages, the server and the shell alone import dev/";
  if (layer(from) < layer(to)) return "imports run app to features to admin to payments to shared";
  if (feature(from) && feature(to) && feature(from) !== feature(to)) return "features never import each other";
  if (/\/server\//.test(from) && (/\/ui\//.test(to) || to.endsWith(".tsx"))) return "server/ imports no page";
  if (/\/ui\//.test(from) && /\/server\//.test(to)) return "ui/ imports no server";
  if (/\/admin\/.*\.ts$/.test(from) && !from.includes(".test.") && /src\/.*\.tsx$/.test(to) && feature(from))
    return "a screen is imported by screens alone";
  return undefined;
}

test("every import in the tree keeps the rules, however it is spelt", () => {
  const imports = listImports();
  expect(imports.length).toBeGreaterThan(100);
  const breaches = imports.flatMap((one) => (breach(one) ? [`${one.from} → ${one.to}: ${breach(one)}`] : []));
  expect(breaches).toEqual([]);
});

test("negative control: the import walk finds planted breaches", () => {
  const from = "src/features/donations/server/donate.ts";
  expect(breach({ from, to: followImport(from, "../../accounts/return-path.ts") })).toBe(
    "features never import each other",
  );
  expect(breach({ from, to: followImport(from, "../../../../database/migrate.ts") })).toMatch(
    "start-site.ts and command.ts alone",
  );
  expect(breach({ from, to: followImport(from, "#app/main.ts") })).toMatch("app to features to admin to payments");
  expect(breach({ from, to: followImport(from, "../ui/device.ts") })).toBe("server/ imports no page");
  expect(breach({ from, to: followImport(from, "#shared/money.ts") })).toBeUndefined();
});

/** The folder directly in `src/shared` that has the file, or the file itself. */
const roomOf = (file: string) => /^src\/shared\/[^/]+/.exec(file)?.[0] ?? "";

/** The number of arrows between the folders of `shared`, and the length of the longest chain. */
function measureShared(imports: readonly Import[]) {
  const arrows = new Map<string, Set<string>>();
  for (const { from, to } of imports.filter((one) => /\.tsx?$/.test(one.to))) {
    const [here, there] = [roomOf(from), roomOf(to)];
    if (here !== "" && there !== "" && here !== there) arrows.set(here, (arrows.get(here) ?? new Set()).add(there));
  }
  const circles: string[] = [];
  const levelOf = (room: string, above: readonly string[] = []): number => {
    if (above.includes(room)) circles.push([...above, room].join(" → "));
    if (above.includes(room)) return 0;
    return 1 + Math.max(0, ...[...(arrows.get(room) ?? [])].map((next) => levelOf(next, [...above, room])));
  };
  const levels = Math.max(...[...arrows.keys()].map((room) => levelOf(room)));
  return { levels, arrows: [...arrows.values()].reduce((sum, { size }) => sum + size, 0), circles };
}

test("ARC-2: the folders of shared have at most five levels and 68 arrows, without a circle", () => {
  const { levels, arrows, circles } = measureShared(listImports());
  expect(circles).toEqual([]);
  expect(levels).toBeLessThanOrEqual(5);
  expect(arrows).toBeLessThanOrEqual(68);
});

test("ARC-2: no folder of code has more than 30 files beside their tests", () => {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  const counts = new Map<string, number>();
  for (const file of files.filter((name) => /(?<!\.test|\.d)\.tsx?$/.test(name))) {
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  }
  expect(counts.size).toBeGreaterThan(30);
  expect([...counts].filter(([, count]) => count > 30)).toEqual([]);
});

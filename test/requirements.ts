import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const folders = ["src", "dev", "database", "simulators", "test", "e2e"];

type Requirement = { readonly id: string; readonly built: "yes" | "partly" | "no"; readonly text: string };

/** The rows of docs/requirements.md: `| ID | mark | built | requirement |`. */
export function readRequirements(file = join(root, "docs/requirements.md")): Requirement[] {
  const rows = readFileSync(file, "utf8").matchAll(/^\| ([A-Z]+-\d+) \| [SMB] \| (yes|partly|no)\b[^|]*\| (.*) \|$/gm);
  return [...rows].map(([, id = "", built, text = ""]) => ({ id, built: built as Requirement["built"], text }));
}

/**
 * The title after `test(`, `test.each(…)(` and so on. Skipped and planned tests show nothing, nor do those of
 * `npm run test:long`.
 */
const titles =
  /(\b(?:test|it|describe)[\w.]*|\))\(\s*(["'`])((?:(?!\2)[^\\]|\\.)*)\2\s*,(?!\s*\{\s*tag: (?:"@long"|\[[^\]]*"@long"))/g;

/** The files whose test titles name each requirement, for tests in `npm test`. */
export function listNamed(base = root): Map<string, Set<string>> {
  const named = new Map<string, Set<string>>();
  for (const file of folders.flatMap((folder) => listTestFiles(base, folder))) {
    for (const [, call = "", , title = ""] of readFileSync(join(base, file), "utf8").matchAll(titles)) {
      if (/\.(?:skip|todo)/.test(call)) continue;
      for (const [id] of title.matchAll(/\b[A-Z]{3,5}-\d+\b/g)) named.set(id, (named.get(id) ?? new Set()).add(file));
    }
  }
  return named;
}

function listTestFiles(base: string, folder: string): string[] {
  const names = readdirSync(join(base, folder), { recursive: true, encoding: "utf8" });
  return names.filter((name) => /(?<!\.long)\.(?:test|spec)\.tsx?$/.test(name)).map((name) => join(folder, name));
}

/** The differences between the list and the tests, as sentences. */
export function compareRequirements(requirements: readonly Requirement[], named: Map<string, Set<string>>): string[] {
  const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]));
  const faults = requirements
    .filter(({ id, built }) => built !== "no" && !named.has(id))
    .map(({ id, text }) => `${id} is built, but no test names it: ${text.slice(0, 80)}`);
  for (const requirement of requirements) {
    if (byId.get(requirement.id) !== requirement) faults.push(`${requirement.id} is the ID of two requirements`);
  }
  for (const [id, files] of named) {
    const where = [...files].join(", ");
    if (!byId.has(id)) faults.push(`${id} is named by a test but is no requirement: ${where}`);
    else if (byId.get(id)?.built === "no") faults.push(`${id} is named by a test but not marked as built: ${where}`);
  }
  return faults;
}

if (import.meta.main) {
  const requirements = readRequirements();
  const faults = compareRequirements(requirements, listNamed());
  const built = requirements.filter(({ built }) => built !== "no").length;
  process.stdout.write(`${[...faults, `${built} of ${requirements.length} requirements are built.`].join("\n")}\n`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

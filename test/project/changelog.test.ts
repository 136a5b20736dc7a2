import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { listMigrations } from "#database/migrate.ts";
import { settingNames } from "#shared/config/environment.ts";
import releases from "../../releases.json" with { type: "json" };

const changelog = readFileSync("CHANGELOG.md", "utf8");

/** Which of these names are not below 'Before you update' of what is not released yet. */
function listUnnamed(text: string, names: readonly string[]): string[] {
  const [, unreleased = ""] = /^## \[Unreleased\]\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(text) ?? [];
  const [, before = ""] = /^### Before you update\n([\s\S]*?)(?=^### |(?![\s\S]))/m.exec(unreleased) ?? [];
  return names.filter((name) => !new RegExp(`\`${name}\``).test(before));
}

test("UPG-7: what operators must know before they update names each new setting and migration", () => {
  const { settings, migration } = releases.last;
  expect(settingNames).toEqual(expect.arrayContaining(settings.slice(0, 3)));
  const added = [
    ...settingNames.filter((name) => !settings.includes(name)),
    ...listMigrations().filter((name) => name > migration),
  ];
  expect(listUnnamed(changelog, added)).toEqual([]);
});

test("UPG-7: negative control: a name in another part, another release or a longer name does not count", () => {
  const text = `## [Unreleased]
### Before you update
- \`NEW_SETTING_MS\` and \`0100_new.sql\`.
### Added
- \`NEW_SETTING\` is new.
## [0.1.0]
### Before you update
- \`OTHER_SETTING\`
`;
  expect(listUnnamed(text, ["NEW_SETTING", "NEW_SETTING_MS", "0100_new.sql", "OTHER_SETTING"])).toEqual([
    "NEW_SETTING",
    "OTHER_SETTING",
  ]);
});

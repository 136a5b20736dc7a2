import { join } from "node:path";
import { settingNames } from "#shared/config/environment.ts";
import { formatList, plural } from "#shared/language.ts";
import { checkLive } from "#shared/live-checks.ts";
import { type Check, configOf, fail, note, ok, warn } from "./check.ts";

const others = new Set(["NODE_ENV", "NODE_OPTIONS", "TZ"]);

export const settingsChecks: readonly Check[] = [
  {
    id: "settings.valid",
    about: "Every setting has a value that the site accepts",
    async run({ config, configFault }) {
      if (config !== null) return ok("The settings are valid.");
      return fail(configFault, "Correct it in .env, which .env.example explains.");
    },
  },
  {
    id: "settings.known",
    about: "`.env` has no setting that the site does not know, such as a misspelt one",
    async run({ fileSettings }) {
      const unknown = fileSettings.filter((name) => !settingNames.includes(name) && !others.has(name));
      if (unknown.length === 0) return ok("The settings in .env are all known.");
      const named = unknown.map((name) => `${name} (did you mean ${nearest(name)}?)`);
      return warn(
        `The site does not know ${formatList(named, "and")}.`,
        "Correct the name in .env, or remove the line.",
      );
    },
  },
  {
    id: "settings.files",
    about: "Only their owner can read `.env` and the secret key",
    async run({ settingsFile, config, machine }) {
      const files = [settingsFile, ...(config === null ? [] : [join(config.dataDir, "secret-key")])];
      const open = files.filter((file) => ((machine.readMode(file) ?? 0) & 0o077) !== 0);
      if (open.length === 0) return ok("Only their owner can read the files with secrets.");
      return fail("Other accounts can read a file with secrets.", `Run: chmod 600 ${open.join(" ")}`);
    },
  },
  {
    id: "settings.live",
    about: "What `PAYMENTS=live` requires",
    async run(context) {
      const config = configOf(context);
      if (config.isLive) return ok("The site takes real payments.");
      const missing = checkLive(config.liveSettings, config.organisation).filter(({ isMet }) => !isMet).length;
      const count = plural(missing, {
        one: "1 requirement of real ones is missing",
        other: `${missing} requirements of real ones are missing`,
      });
      const mode = config.isDemo ? "Payments are simulated" : "Payments are off";
      return note(`${mode}: ${count}.`, "The back office lists them under Settings, Going live.", { missing });
    },
  },
];

/** The known name with the fewest different letters. */
function nearest(name: string): string {
  const ranked = settingNames.map((known) => [distance(name, known), known] as const);
  return ranked.reduce((best, one) => (one[0] < best[0] ? one : best))[1];
}

/** How many letters have to be added, left out or changed (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const changed = row[to - 1]! + (one[at - 1] === other[to - 1] ? 0 : 1);
      next.push(Math.min(changed, row[to]! + 1, next[to - 1]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}

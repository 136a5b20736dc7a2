import { parseArgs } from "node:util";
import type { DoctorContext } from "../doctor/check.ts";
import { openContext } from "../doctor/open-context.ts";
import { checks, describeResults, exitCodeOf, runChecks } from "../doctor/run-checks.ts";
import { ownDatabase, print } from "./command.ts";

/** The doctor itself failed. */
const BROKEN = 3;

const usage = `npm run doctor                        looks at the site and its machine, and changes nothing
npm run doctor -- --only mail,backup  only these groups or checks
npm run doctor -- --offline           asks no other machine
npm run doctor -- --json              for programs: {"checks": [{"id", "state", "says", "does", "facts"}]}

It exits with 0 if there is nothing above a note, 1 for warnings, 2 for failures, 3 if it could not look.`;

/** `npm run doctor`. @throws Error for words that it does not know */
export async function runDoctor(words: readonly string[], context: DoctorContext): Promise<number> {
  const { json, offline, only } = readWords(words);
  const groups = only?.split(",") ?? [];
  const isWanted = (id: string) => groups.length === 0 || groups.some((one) => id === one || id.startsWith(`${one}.`));
  const wanted = checks.filter(({ id, isOnline }) => isWanted(id) && !(offline && isOnline));
  if (wanted.length === 0) throw new Error(`There is no check ${only}.\n\n${usage}`);
  const results = await runChecks(wanted, context);
  print(json ? JSON.stringify({ checks: results }) : describeResults(results));
  return exitCodeOf(results);
}

function readWords(words: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: { json: { type: "boolean" }, offline: { type: "boolean" }, only: { type: "string" } },
    });
    return values;
  } catch {
    throw new Error(usage);
  }
}

if (import.meta.main) {
  let code = BROKEN;
  try {
    readWords(process.argv.slice(2));
    const { context, close } = await openContext(process.env, ownDatabase);
    code = await runDoctor(process.argv.slice(2), context);
    await close();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
  }
  process.exit(code);
}

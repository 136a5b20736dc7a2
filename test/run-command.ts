import { execFile } from "node:child_process";
import { vi } from "vitest";
import type { Command } from "#app/commands/command.ts";
import type { Services } from "#app/services.ts";
import type { TestSite } from "./site.ts";

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** Runs an operator's command as a process. `killed` kills it, which leaves it without a code. */
export function runProgram(
  program: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  killed?: AbortSignal,
): Promise<Ended> {
  return new Promise((resolve) => {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const options = { env: { PATH, NODE_COMPILE_CACHE, ...env }, signal: killed, killSignal: "SIGKILL" } as const;
    execFile(process.execPath, [program, ...words], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

/** The same, with a test site's database and simulators. */
export function runOnSite(
  { config, services }: Pick<TestSite, "config" | "services">,
  program: string,
  words: readonly string[],
  { env, killed }: { env?: NodeJS.ProcessEnv; killed?: AbortSignal } = {},
): Promise<Ended> {
  const own = {
    DATA_DIR: config.dataDir,
    DATABASE_URL: services.databaseUrl,
    PAYWAY_URL: config.payway.url,
    BRAINTREE_URL: config.braintree.url,
  };
  return runProgram(program, words, { ...own, ...env }, killed);
}

/** The same within this process and on running services, which takes a hundredth of the time. */
export async function runWithin(
  services: Services,
  command: Command,
  words: readonly string[],
  codeOfError: number,
): Promise<Ended> {
  let stdout = "";
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    stdout += text;
    return true;
  });
  try {
    const code = await command(words)(services);
    return { code, stdout, stderr: "" };
  } catch (error) {
    return { code: codeOfError, stdout, stderr: `${(error as Error).message}\n` };
  } finally {
    write.mockRestore();
  }
}

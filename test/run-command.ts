import { execFile } from "node:child_process";
import { vi } from "vitest";
import type { Command } from "#app/commands/command.ts";
import type { Services } from "#app/services.ts";

export type Ended = { readonly code: number; readonly said: string; readonly log: string };

/** Runs an operator's command as a process: `said` is its standard output, `log` its standard error. */
export function runProgram(program: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((resolve) => {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    execFile(process.execPath, [program, ...words], { env: { PATH, NODE_COMPILE_CACHE, ...env } }, (error, said, log) =>
      resolve({ code: error === null ? 0 : Number(error.code), said, log }),
    );
  });
}

/** The same within this process and on running services, which takes a hundredth of the time. */
export async function runWithin(
  services: Services,
  command: Command,
  words: readonly string[],
  codeOfError: number,
): Promise<Ended> {
  let said = "";
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    said += text;
    return true;
  });
  try {
    const code = await command(words)(services);
    return { code, said, log: "" };
  } catch (error) {
    return { code: codeOfError, said, log: `${(error as Error).message}\n` };
  } finally {
    write.mockRestore();
  }
}

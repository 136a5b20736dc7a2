import { json } from "node:stream/consumers";
import { z } from "zod";

/** What `GET /__sim/health` answers: who is running, on whose books, and which process is to stop it. */
export const Health = z.object({
  program: z.literal("almoner-simulators"),
  pid: z.int(),
  dataDir: z.string(),
  fingerprint: z.string(),
  ownerPid: z.int().nullable(),
});
export type Health = z.infer<typeof Health>;

/** Checks whether a simulator serves a port of this machine. Null if nobody does, or another program. */
export async function findRunningSimulator(port: number): Promise<Health | null> {
  try {
    return Health.safeParse(await readJson(`http://127.0.0.1:${port}/__sim/health`)).data ?? null;
  } catch {
    return null;
  }
}

/** Without `fetch`, which an import of `node:http` would load too, and which delays the start of the site (PERF-5). */
function readJson(url: string): Promise<unknown> {
  const { get } = process.getBuiltinModule("node:http");
  return new Promise((resolve, reject) => {
    get(url, { signal: AbortSignal.timeout(2000) }, (answer) => void json(answer).then(resolve, reject)).once(
      "error",
      reject,
    );
  });
}

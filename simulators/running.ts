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
    const response = await fetch(`http://127.0.0.1:${port}/__sim/health`, { signal: AbortSignal.timeout(2000) });
    return Health.safeParse(await response.json()).data ?? null;
  } catch {
    return null;
  }
}

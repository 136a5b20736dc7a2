import type { FastifyInstance } from "fastify";
import type { Database } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import "./backup-tables.ts";

type Pause = {
  readonly isPaused: () => boolean;
  /**
   * Runs `work` once the site is open, which may be now. A failure to read is tried again, and given to `warn`. If `work`
   * fails later, nobody catches it and the process ends, as when it fails at the start.
   */
  whenOpen(work: () => Promise<unknown>, warn: (error: Error) => void): Promise<void>;
  stop(): void;
};

const READ_AGAIN_MS = 2000;
const RETRY_AFTER_S = 600;

/** Whether the site is paused because it was restored from a backup. It notices within two seconds that it was reopened. */
export async function followPause(database: Database): Promise<Pause> {
  let isPaused = await readPause(database);
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  return {
    isPaused: () => isPaused,
    async whenOpen(work, warn) {
      if (!isPaused) {
        await work();
        return;
      }
      const readAgain = async () => {
        try {
          isPaused = await readPause(database);
        } catch (error) {
          warn(error as Error);
        }
        if (isStopped) return;
        if (isPaused) timer = setTimeout(readAgain, READ_AGAIN_MS);
        else await work();
      };
      timer = setTimeout(readAgain, READ_AGAIN_MS);
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

async function readPause(database: Database): Promise<boolean> {
  const paused = await database.selectFrom("restores").select("id").where("opened_at", "is", null).executeTakeFirst();
  return paused !== undefined;
}

/** While the site is paused, requests that could change something are refused. Pages and documents stay. */
export function refuseWhilePaused(app: FastifyInstance, isPaused: () => boolean): void {
  app.addHook("onRequest", async ({ method }) => {
    if (!isPaused() || method === "GET" || method === "HEAD" || method === "OPTIONS") return;
    throw new AppError("paused", { retryAfterSeconds: RETRY_AFTER_S });
  });
}

import { statfs } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { opensPath } from "#shared/http/signed-link.ts";
import type { Services } from "./services.ts";

/** Monitors get an answer within two seconds, even while the database hangs. */
const READY_MS = 1500;
/** PostgreSQL writes its log in files of 16 MB and stops if it can't create the next one. */
const SPARE_BYTES = 32 * 1024 * 1024;

/**
 * `/healthz`: the process is alive; with a key of the doctor's, also how the request looks from here. `/readyz`: it can
 * serve, or 503 with the reason.
 */
export function addHealth(
  app: FastifyInstance,
  services: Services,
  { latestMigration, isStopping }: { readonly latestMigration: string; readonly isStopping: () => boolean },
): void {
  const { config, now } = services;
  app.get("/healthz", { logLevel: "warn" }, async ({ query, ip, protocol }) => {
    const { key } = query as { key?: unknown };
    const isAsked = key !== undefined && opensPath(config.secretKey, "/healthz", key, now());
    return { status: "alive", ...(isAsked && { address: ip, protocol }) };
  });
  app.get("/readyz", { logLevel: "warn" }, async (_, response) => {
    const fault = isStopping() ? "the process is stopping" : await findFault(services, latestMigration);
    if (fault === undefined) return { status: "ready" };
    return response.code(503).header("retry-after", "2").send({ status: fault });
  });
}

async function findFault({ pool, config }: Services, latestMigration: string): Promise<string | undefined> {
  const answer = pool
    .query<{ name: string; kind: string }>("select name, kind from migrations where name >= $1", [latestMigration])
    .then(({ rows }) => rows)
    .catch(() => undefined);
  const applied = await Promise.race([answer, sleep(READY_MS, undefined, { ref: false })]);
  if (applied === undefined) return "the database does not answer";
  if (!applied.some(({ name }) => name === latestMigration)) return "the database is not migrated";
  // A newer version that runs beside this one may have added to it.
  if (applied.some(({ name, kind }) => name !== latestMigration && kind !== "expand")) {
    return "the database is newer than this version";
  }
  const { bavail, bsize } = await statfs(config.dataDir);
  return bavail * bsize < SPARE_BYTES ? "the disk of DATA_DIR is full" : undefined;
}

import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "#shared/database/client.ts";
import { type Position, primaryPosition, refuseReplica, replicaPosition } from "#shared/database/replica.ts";
import { type Check, configOf, fail, ok, poolOf, readRow, warn } from "./check.ts";

const CATCH_UP_MS = 2000;
const ASK_AGAIN_MS = 50;

export const replicaCheck: Check = {
  id: "database.replica",
  about: "The replica for reports answers, is one of this database, and has what was written two seconds ago",
  isOnline: true,
  async run(context) {
    const { databaseReadUrl } = configOf(context);
    if (databaseReadUrl === undefined)
      return ok("Reports read from the database itself: DATABASE_READ_URL is not set.");
    poolOf(context);
    const primary = await readRow<Position>(context, primaryPosition);
    const client = createClient(databaseReadUrl);
    try {
      await client.connect();
      const ask = async () => (await client.query<Position>(replicaPosition)).rows[0]!;
      const replica = await ask();
      const refusal = refuseReplica(replica, primary);
      if (refusal !== null) return fail(refusal, "Correct it, or remove it: reports read from the database itself.");
      const until = performance.now() + CATCH_UP_MS;
      for (let { bytes } = replica; bytes < primary.bytes; { bytes } = await ask()) {
        if (performance.now() < until) {
          await sleep(ASK_AGAIN_MS);
          continue;
        }
        const says = "The replica does not have what was written two seconds ago.";
        const does =
          "Its log and pg_stat_replication say why. Once it is a minute behind, reports read from the database.";
        return warn(says, does, { bytesBehind: primary.bytes - bytes });
      }
      return ok("The replica follows the database.");
    } catch {
      return warn(
        "The replica at DATABASE_READ_URL does not answer.",
        "Start it, or correct the address. In the meantime reports read from the database itself.",
      );
    } finally {
      await client.end().catch(() => undefined);
    }
  },
};

import type { EventEmitter } from "node:events";
import pg from "pg";
import { cutConnection } from "./site-pool.ts";

const READ_ONLY = "25006";
/** PostgreSQL's function that waits for the synchronous standby: its name is the same in every language of the log. */
const STANDBY_WAIT = "SyncRepWaitForLSN";

type Message = { code?: string; routine?: string; message?: string };

/**
 * Ends a connection that no longer tells whether a change will last, and fails its statements as a lost connection
 * would, so that nobody takes the outcome for certain:
 * - its server only reads: it was the primary, and another one is by now (08006);
 * - the wait for the synchronous standby was cut short: a COMMIT is answered with success, but a failover would undo it
 *   (08007).
 */
export function reportUnknownOutcomes(client: pg.Client): void {
  // The types leave out the client's connection, which passes on the server's messages before the client sees them.
  const { connection } = client as pg.Client & { connection: EventEmitter };
  connection.prependListener("errorMessage", (error: Message) => {
    if (error.code !== READ_ONLY) return;
    error.code = "08006";
    cutConnection(client);
  });
  connection.on("notice", ({ routine, message = "" }: Message) => {
    if (routine !== STANDBY_WAIT) return;
    const error = Object.assign(new pg.DatabaseError(message, message.length, "error"), { code: "08007" });
    connection.emit("errorMessage", error);
    cutConnection(client);
  });
}

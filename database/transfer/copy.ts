import { once } from "node:events";
import { PassThrough, Readable } from "node:stream";
import type pg from "pg";

/** What `pg` has for COPY, and its types do not say. */
type CopyConnection = pg.Connection & {
  sendCopyFromChunk(bytes: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
};

/** What `pg` calls while one statement runs. */
const statement = (sql: string, end: (error: Error | null) => void) => ({
  submit: (connection: pg.Connection) => connection.query(sql),
  handleError: end,
  handleCommandComplete: () => {},
  handleReadyForQuery: () => end(null),
});

/** What `COPY … TO STDOUT` sends, as fast as it is read. */
export function copyOut(client: pg.Client, sql: string): Readable {
  let resume = () => {};
  const rows = new PassThrough({ highWaterMark: 1024 * 1024 });
  rows.on("drain", () => resume());
  client.query({
    ...statement(sql, (error) => (error === null ? rows.end() : rows.destroy(error))),
    handleCopyData({ chunk }: { chunk: Buffer }, { stream }: pg.Connection) {
      // The chunk is a part of a buffer that `pg` uses again.
      if (rows.write(Buffer.from(chunk))) return;
      stream.pause();
      resume = () => stream.resume();
    },
  });
  return rows;
}

/** Sends `bytes` to `COPY … FROM STDIN`. @throws Error of the database, or of `bytes` */
export function copyIn(client: pg.Client, sql: string, bytes: AsyncIterable<Buffer>): Promise<void> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    let failure: Error | null = null;
    const end = (error: Error | null) => {
      isOver = true;
      const cause = failure ?? error;
      if (cause === null) resolve();
      else reject(cause);
    };
    const send = async (connection: CopyConnection) => {
      for await (const piece of Readable.from(bytes)) {
        if (isOver) return;
        connection.sendCopyFromChunk(piece);
        if (connection.stream.writableNeedDrain) await once(connection.stream, "drain");
      }
      connection.endCopyFrom();
    };
    client.query({
      ...statement(sql, end),
      handleCopyInResponse(connection: CopyConnection) {
        send(connection).catch((error: Error) => {
          failure = error;
          connection.sendCopyFail("the file could not be read");
        });
      },
    });
  });
}

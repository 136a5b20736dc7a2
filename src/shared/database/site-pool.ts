import pg from "pg";

type Callback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** A pool that can be marked as away: new requests for connections fail immediately, and `cut` ends running queries. */
export class SitePool extends pg.Pool {
  #isAway = false;
  readonly #clients = new Set<pg.PoolClient>();
  readonly #waiting = new Set<() => void>();

  constructor(config: pg.PoolConfig) {
    super(config);
    this.on("connect", (client) => this.#clients.add(client));
    this.on("remove", (client) => this.#clients.delete(client));
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  /** True: the database is away, and waiting requests fail. False: it is back. */
  setAway(isAway: boolean): void {
    this.#isAway = isAway;
    if (!isAway) return;
    for (const giveUp of this.#waiting) giveUp();
    this.#waiting.clear();
  }

  /** Ends every connection and its unanswered queries. */
  cut(): void {
    for (const client of this.#clients) cutConnection(client);
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    if (callback === undefined) {
      return new Promise((resolve, reject) => {
        this.#connect((error, client) => (client === undefined ? reject(error) : resolve(client)));
      });
    }
    this.#connect(callback);
    return undefined;
  }

  #connect(callback: Callback): void {
    if (this.#isAway) {
      process.nextTick(callback, databaseAway(), undefined, () => undefined);
      return;
    }
    let hasGivenUp = false;
    const giveUp = () => {
      hasGivenUp = true;
      callback(databaseAway(), undefined, () => undefined);
    };
    this.#waiting.add(giveUp);
    super.connect((error, client, done) => {
      this.#waiting.delete(giveUp);
      if (hasGivenUp) done();
      else callback(error, client, done);
    });
  }
}

/** Ends a connection without waiting for the server. The types do not include the client's socket. */
export function cutConnection(client: pg.ClientBase): void {
  (client as pg.ClientBase & { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

/** SQLSTATE 08006, connection failure: answered with 503 like every other loss of the database. */
function databaseAway(): Error {
  return Object.assign(new Error("The database does not answer"), { code: "08006" });
}

import pg from "pg";

/**
 * The administrator of the cluster. The site uses the role `app`, which owns its database and may only create others:
 * rights that a migration revokes from it are really gone, and it cannot use up the last connections.
 */
const administrator = "postgres";
const applicationName = "almoner launcher";
const tooEarly = ["ENOENT", "ECONNREFUSED", "ECONNRESET", "EPIPE", "57P03"];

/** The address of the site's database for `pg`. */
export function databaseUrl(socketDirectory: string): string {
  return `postgres://app@localhost:5432/almoner?host=${encodeURIComponent(socketDirectory)}`;
}

/**
 * A connection that shows in `pg_stat_activity` that this process uses the server. It is to the database `postgres`, so
 * that others can be dropped and cloned. Null while the server is not ready.
 */
export async function connectPresence(socketDirectory: string): Promise<pg.Client | null> {
  const client = new pg.Client({
    host: socketDirectory,
    port: 5432,
    user: administrator,
    password: "",
    database: "postgres",
    ssl: false,
    application_name: `${applicationName} ${process.pid}`,
    connectionTimeoutMillis: 5000,
  });
  client.on("error", () => {}); // 'end' follows, and that is what the launcher listens to.
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    const { code, message } = error as NodeJS.ErrnoException;
    if (tooEarly.includes(code ?? "") || /terminated unexpectedly|timeout/.test(message)) return null;
    throw error;
  }
}

/** How many other processes use the server now. */
export async function countOthers(presence: pg.Client): Promise<number> {
  const { rows } = await presence.query<{ count: number }>(
    "select count(*)::int as count from pg_stat_activity where pid <> pg_backend_pid() and application_name like $1",
    [`${applicationName} %`],
  );
  return rows[0]!.count;
}

/** Creates the site's role and database where they are missing. */
export async function provision(presence: pg.Client): Promise<void> {
  const { rows } = await presence.query<{ has_role: boolean; has_database: boolean }>(
    `select exists (select from pg_roles where rolname = 'app') as has_role,
            exists (select from pg_database where datname = 'almoner') as has_database`,
  );
  if (!rows[0]!.has_role) await presence.query("create role app login createdb");
  if (!rows[0]!.has_database) await presence.query("create database almoner owner app");
}

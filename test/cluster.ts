import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** The command as it is, or for root as another user of a user namespace, since PostgreSQL and PgBouncer refuse root. */
export function asOtherUser(command: readonly string[]): [string, ...string[]] {
  const prefix = process.getuid?.() === 0 ? ["unshare", "--user", "--map-user=1000", "--map-group=1000"] : [];
  return [...prefix, ...command] as [string, ...string[]];
}

/** A throw-away PostgreSQL server from other binaries, for `npm run check:pg15`. */
export async function startCluster(binaries: string): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "almoner-pg-"));
  const data = join(folder, "data");
  const command = (program: string, ...rest: string[]) => asOtherUser([join(binaries, program), ...rest]);
  const [initdb, ...initdbArguments] = command(
    "initdb",
    "-D",
    data,
    "-U",
    "app",
    "-A",
    "trust",
    "-E",
    "UTF8",
    "--locale=C",
  );
  execFileSync(initdb, initdbArguments, { stdio: "ignore" });
  const [postgres, ...postgresArguments] = command(
    "postgres",
    "-D",
    data,
    "-c",
    "listen_addresses=",
    "-c",
    `unix_socket_directories=${folder}`,
    "-c",
    "max_connections=300",
  );
  const server = spawn(postgres, postgresArguments, { stdio: "ignore" });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const url = `postgres://app@localhost/postgres?host=${encodeURIComponent(folder)}`;
  await untilItAnswers(url);
  return {
    url,
    stop: async () => {
      server.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilItAnswers(url: string) {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(50);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

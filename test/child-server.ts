import { flushCompileCache } from "node:module";
import { openSite } from "#app/main.ts";
import { listMigrations } from "#database/migrate.ts";
import { readConfig } from "#shared/config/config.ts";
import { collectRoutes } from "./collect-routes.ts";

/**
 * Only the server, for tests to kill. DATABASE_URL names the database and PAYWAY_URL the simulators. It serves pages only
 * with `--pages`, so that nothing has to be built, and ends with the process that started it.
 */
const config = readConfig(process.env);
const { made: site, routes } = await collectRoutes(() =>
  openSite(config, {
    databaseUrl: config.databaseUrl!,
    latestMigration: listMigrations().at(-1)!,
    hasPages: process.argv.includes("--pages"),
  }),
);
process.send?.({ routes });
// A killed process cannot write this at its end.
flushCompileCache();
process.once("disconnect", () => process.exit(0));
process.once("SIGTERM", async () => {
  await site.close();
  process.exit(0);
});

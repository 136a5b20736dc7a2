import { flushCompileCache } from "node:module";
import { openSite } from "#app/main.ts";
import { listMigrations } from "#database/migrate.ts";
import { readConfig } from "#shared/config.ts";
import { collectRoutes } from "./collect-routes.ts";

/**
 * The server alone, for tests to kill: everything from the environment, the database by DATABASE_URL, the simulators by
 * PAYWAY_URL. It opens no pages unless told `--pages`, so that nothing has to be built, and ends with the process that started it.
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
// A killed process writes nothing on its way out.
flushCompileCache();
process.once("disconnect", () => process.exit(0));
process.once("SIGTERM", async () => {
  await site.close();
  process.exit(0);
});

import { join } from "node:path";
import { findFreePorts, type Running, run } from "./processes.ts";

/** Starts the whole site as `npm start` does: database, simulators, pages, on a data folder of the caller's; `settings` override. */
export async function startSite(dataDir: string, settings: Record<string, string> = {}): Promise<Running> {
  const port = await findFreePorts();
  return run({
    program: process.execPath,
    args: ["src/app/start.ts"],
    port,
    readyPath: "/readyz",
    logFile: join(dataDir, "site.log"),
    environment: {
      NODE_ENV: "production",
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: "",
      LOG_LEVEL: "warn",
      CAPTCHA_COST: "1",
      TRUST_PROXY: "127.0.0.1",
      ...settings,
    },
  });
}

/** Where the simulators of a site stand. */
export function paywayUrlOf({ url }: Running): string {
  return `http://127.0.0.1:${Number(new URL(url).port) + 1}/payway/rest/v1`;
}

import { join } from "node:path";
import { findFreePorts, type RunningProcess, run } from "./processes.ts";

/** Starts the whole site as `npm start` does, in the caller's data folder; `settings` override. */
export async function startBenchSite(dataDir: string, settings: Record<string, string> = {}): Promise<RunningProcess> {
  const port = await findFreePorts();
  return run({
    program: process.execPath,
    args: ["src/app/start.js"],
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

/** The address of a site's simulators. */
export function paywayUrlOf({ url }: RunningProcess): string {
  return `http://127.0.0.1:${Number(new URL(url).port) + 1}/payway/rest/v1`;
}

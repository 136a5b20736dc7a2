import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
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

/** Waits until no job is left, such as the emails of donations. */
export async function untilIdle({ url }: RunningProcess): Promise<void> {
  while (!/jobs\{state="waiting"\} 0/.test(await (await fetch(`${url}/metrics`)).text())) await sleep(500);
}

/** The address of a site, and what a browser sends to it. */
export type Visit = { readonly url: string; readonly extraHeaders?: Readonly<Record<string, string>> };

/** Opens the link to the back office that the start printed, and returns the site's address with a session. */
export async function logIn(dataDir: string): Promise<Visit> {
  const [link] = /http\S+\/admin\/sign-in\/\S+/.exec(readFileSync(join(dataDir, "site.log"), "utf8")) ?? [];
  if (link === undefined) throw new Error("The site printed no link to its back office.");
  const { headers } = await fetch(link, { redirect: "manual" });
  const cookie = headers.getSetCookie().map((each) => each.split(";")[0]);
  return { url: new URL(link).origin, extraHeaders: { cookie: cookie.join("; ") } };
}

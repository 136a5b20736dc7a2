import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedDatabase } from "#database/embedded.ts";
import { makeUser } from "#database/factories.ts";
import { migrate } from "#database/migrate.ts";
import { seedDemo } from "#database/seed.ts";
import { captchaActions } from "#shared/captcha/captcha.ts";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import { controlSimulator } from "#simulators/control.ts";
import { createChildSite } from "../child-site.ts";
import { startSession } from "../member.ts";
import { openSimulators } from "../simulators.ts";
import { solveCaptcha } from "../solve-captcha.ts";
import { listCalls } from "../wire.ts";
import type { Ground } from "./requests.ts";

export type Target = Awaited<ReturnType<typeof openTarget>>;

/** The built site with the demo content in its own process, and the material for requests to it. */
export async function openTarget() {
  const dataDir = mkdtempSync(join(tmpdir(), "almoner-fuzz-"));
  const embedded = await startEmbeddedDatabase({ dataDir });
  await migrate(embedded.url);
  const pool = createPool(embedded.url, () => undefined);
  const database = createDatabase(pool);
  await seedDemo(database);
  const simulators = await openSimulators(dataDir);
  const simulator = controlSimulator(simulators.url);
  const site = await createChildSite({
    databaseUrl: embedded.url,
    paywayUrl: simulator.paywayUrl,
    dataDir,
    hasPages: true,
  });
  await site.start();
  const captchas: string[] = [];
  const member = await makeUser(database);
  const session = await startSession(database, member.id, new Date());
  const people = [{}, await meet(site.url), await meet(site.url, `session=${session}`)];
  const ground: Ground = {
    routes: site.routes(),
    calls: await listCalls(),
    known: [...(await listKnown(pool)), String(member.id)],
    people,
    takeCaptcha: () => captchas.pop() ?? "used up",
  };
  return {
    site,
    pool,
    simulator,
    ground,
    port: Number(new URL(site.url).port),
    isAlive: () => site.signal() === null && site.failures.length === 0,
    /** Keeps a stock of solved captchas. */
    async prepare() {
      while (captchas.length < 20) {
        const action = captchaActions[captchas.length % captchaActions.length];
        const response = await fetch(`${site.url}/api/captcha?action=${action}`);
        captchas.push(await solveCaptcha((await response.json()) as object));
      }
    },
    async close() {
      await site.stop();
      await database.destroy();
      await simulators.stop();
      await embedded.stop();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

/** The cookies and token of a browser that has loaded a page. */
async function meet(url: string, session = ""): Promise<Record<string, string>> {
  const response = await fetch(`${url}/api/checkout`, { headers: session === "" ? {} : { cookie: session } });
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0]!);
  const token = cookies.find((cookie) => cookie.startsWith("XSRF-TOKEN="))?.slice("XSRF-TOKEN=".length) ?? "";
  return { Cookie: [...cookies, ...(session === "" ? [] : [session])].join("; "), "X-XSRF-TOKEN": token };
}

async function listKnown(pool: Target["pool"]): Promise<string[]> {
  const { rows } = await pool.query<{ known: string }>(
    `select slug as known from events union all select slug from news union all select type from pages
     union all select id::text from events union all select id::text from ticket_types
     union all select hash from images union all select id::text from countries limit 200`,
  );
  return [...rows.map(({ known }) => known), "480.webp", "0", "1"];
}

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { pino } from "pino";
import { expect, test } from "vitest";
import { createTestDatabase } from "#test/database.ts";
import { createJobs } from "./jobs.ts";

test("REL-2: another worker does a killed worker's job within half a minute", async () => {
  const db = await createTestDatabase();
  const jobs = await createJobs({ pool: db.pool, log: pino({ level: "silent" }) });
  await jobs.send(db.database, "emails", { template: "receipt", donationId: randomUUID() });
  const worker = spawn(
    process.execPath,
    [
      "--input-type=module",
      "--eval",
      `import { pino } from "pino";
       import { createPool } from "#shared/database/connect.ts";
       import { createJobs } from "#shared/jobs/jobs.ts";
       const pool = createPool(${JSON.stringify(db.url)}, () => {});
       const jobs = await createJobs({ pool, log: pino({ level: "silent" }) });
       await jobs.work("emails", () => { console.log("taken"); return new Promise(() => {}); });`,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  await once(worker.stdout, "data");
  worker.kill("SIGKILL");
  const killedAt = Date.now();
  await new Promise<void>((resolve) => void jobs.work("emails", async () => resolve()));
  expect(Date.now() - killedAt).toBeLessThan(30_000);
  await jobs.stop();
  await db.stop();
});

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startCluster } from "#test/cluster.ts";
import { createTestDatabase } from "#test/database.ts";
import { openTestSite } from "#test/site.ts";
import { fillSite, sumTables } from "#test/transfer-fixture.ts";
import { exportSite } from "./export-site.ts";
import { importSite } from "./import-site.ts";
import { withClient } from "./tables.ts";

const binaries = "/usr/lib/postgresql/15/bin";
const withoutIt = existsSync(join(binaries, "initdb")) ? false : "there is no PostgreSQL 15 (`npm run check:pg15`)";

test.skipIf(withoutIt)(
  "MOVE-1: a site moves from PostgreSQL 18 to an owner without superuser's rights on PostgreSQL 15, and back",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "almoner-transfer-"));
    const oldest = await startCluster(binaries);
    const site = await openTestSite();
    try {
      await fillSite(site);
      await withClient(oldest.url, async (client) => {
        await client.query("create role charity login");
        await client.query("create database moved owner charity");
      });
      const moved = new URL(oldest.url);
      moved.username = "charity";
      moved.pathname = "/moved";
      const [there, back] = [join(folder, "there.tar.zst"), join(folder, "back.tar.zst")];
      const settings = { secretKey: "the key of a site that moves", recipient: null };
      const now = new Date();
      await exportSite({ url: site.services.databaseUrl, file: there, ...settings });
      await importSite({ url: moved.href, file: there, dataDir: folder, keyFile: null, now });
      await exportSite({ url: moved.href, file: back, ...settings });
      const home = await createTestDatabase();
      await home.database.destroy();
      await importSite({ url: home.url, file: back, dataDir: folder, keyFile: null, now });
      const { "public.restores": _, ...expected } = await sumTables(site.services.databaseUrl);
      for (const url of [moved.href, home.url]) expect(await sumTables(url)).toMatchObject(expected);
    } finally {
      await site.close();
      await oldest.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

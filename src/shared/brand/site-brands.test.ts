import { afterAll, beforeAll, expect, test } from "vitest";
import { placeholderBadge } from "#shared/images/brand-frame.ts";
import { filesInDatabase } from "#shared/images/files/create-files.ts";
import { sharp } from "#shared/images/sharp.ts";
import { storeImage } from "#shared/images/store.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { deliveredBrand } from "./site-brand.ts";
import { createSiteBrands } from "./site-brands.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.stop());

const log = { error: () => undefined };

test("LAY-3, BRA-3: only the demo has the placeholder of a registration badge, and another site the picture it chose", async () => {
  const { database } = db;
  const [demo, site] = [true, false].map((isDemo) =>
    createSiteBrands({ database, files: filesInDatabase, log, isDemo }),
  );
  for (const brand of [deliveredBrand, { ...deliveredBrand, theme: "quiet" } as const]) {
    expect((await demo!.frameOf(brand)).badge).toBe(placeholderBadge);
    expect((await site!.frameOf(brand)).badge).toBeNull();
  }
  const drawn = sharp({ create: { width: 500, height: 500, channels: 4, background: "#0b5d3b80" } });
  const badge = await storeImage(database, await drawn.png().toBuffer(), { name: "Registered" });
  const chosen = (await site!.frameOf({ ...deliveredBrand, badge })).badge!;
  const { bytes } = (await site!.findFile(chosen.replace("/brand/", "")))!;
  expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", width: 216, height: 216, hasAlpha: true });
});

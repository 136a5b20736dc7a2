import { afterAll, beforeAll, expect, test } from "vitest";
import { deliveredBrand, type SiteBrand } from "#shared/brand/site-brand.ts";
import { filesInDatabase } from "#shared/images/files/create-files.ts";
import { sharp } from "#shared/images/sharp.ts";
import { storeImage } from "#shared/images/store.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { deliveredSharing, readSharingBrand } from "./sharing-brand.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.stop());

test("BRA-7: pictures for shared links get the brand’s own pictures and mark, and the drawing only where pages have it", async () => {
  const draw = sharp({ create: { width: 600, height: 600, channels: 3, background: "#0b5d3b" } });
  const own = await storeImage(db.database, await draw.png().toBuffer(), { name: "Ours" });
  const other = await storeImage(
    db.database,
    await draw.extract({ left: 0, top: 0, width: 600, height: 400 }).png().toBuffer(),
    {
      name: "Other",
    },
  );
  const sources = { database: db.database, files: filesInDatabase };
  const read = async (changes: Partial<SiteBrand>) => {
    const { pictures, mark, hasDrawing } = await readSharingBrand(sources, { ...deliveredBrand, ...changes });
    return { pictures: pictures.map(({ address }) => address), hasMark: mark !== null, hasDrawing };
  };
  const { pictures, mark, logo, hasDrawing } = await readSharingBrand(sources, deliveredBrand);
  expect({ look: deliveredBrand, pictures, mark, logo, hasDrawing }).toEqual(deliveredSharing);
  const photograph = { hero: "photograph", heroPicture: other } as const;
  const none = { pictures: [], hasMark: false, hasDrawing: false };
  expect(await read({ theme: "quiet" })).toEqual(none);
  expect(await read({ hero: "nothing" })).toEqual(none);
  expect(await read(photograph)).toEqual({ ...none, pictures: [other] });
  expect(await read({ ...photograph, sharingPicture: own })).toEqual({ ...none, pictures: [own, other] });
  expect(await read({ theme: "quiet", mark: own })).toEqual({ ...none, hasMark: true });
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestSite, type TestSite } from "#test/site.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site.close());

type OnWire = { key: string; category_title: string; is_tax_deductible: string };
const listed = async (): Promise<OnWire[]> => (await site.app.inject("/api/categories")).json().data.category;
const deductible = (categories: OnWire[]) =>
  Object.fromEntries(categories.map(({ key, is_tax_deductible }) => [key, is_tax_deductible]));

test("DON-26: a category keeps its key when its title changes, and disappears when it is withdrawn", async () => {
  await site.pool.query("update donation_categories set title = 'Ambulances' where fund = 'ambulance'");
  expect((await listed()).find(({ key }) => key === "ambulance")?.category_title).toBe("Ambulances");
  await site.pool.query("update donation_categories set retired_at = now() where fund = 'ambulance'");
  expect((await listed()).some(({ key }) => key === "ambulance")).toBe(false);
});

test("DON-27: the categories say what the receipt will call a tax-deductible gift; nothing is one without endorsement", async () => {
  expect(deductible(await listed())).toMatchObject({ qurban: "no", zakat: "yes" });
  await site.pool.query(
    `insert into site_settings (key, value) values ('organisation', '{"receipt": {"isDeductibleGiftRecipient": false}}')`,
  );
  await site.services.siteSettings.refresh();
  expect(new Set(Object.values(deductible(await listed())))).toEqual(new Set(["no"]));
});

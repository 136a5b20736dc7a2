import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sharp } from "#shared/images/sharp.ts";
import { storeImage } from "#shared/images/store.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { listStatements } from "#test/list-statements.ts";
import { longTest } from "#test/long-test.ts";
import { deliveredHomeTexts } from "#test/pages/home-texts.ts";
import { findHome } from "./home.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(async () => {
  await db.pool.query("truncate news, gallery_items, testimonials");
});
afterAll(() => db.stop());

const manyGallery = `insert into gallery_items (title, description, image, image_date, created_by)
  select 'n' || n, '', '/x.svg', date '1990-01-01' + n, 'a' from generate_series(1, $1::int) n`;
const manyNews = `insert into news (slug, title, excerpt, image, published_on)
  select 'n-' || n, 'n' || n, 'e', '/x.svg', date '1990-01-01' + n from generate_series(1, $1::int) n`;
const manyTestimonials = `insert into testimonials (position, title, image)
  select n, 'n' || n, '/x.svg' from generate_series(1, $1::int) n`;

const setMessage = (html: string) => db.pool.query("update pages set html = $1 where type = 'msg_chairman'", [html]);

test("HOME-1, HOME-2, HOME-13: a new site has the words of the specification, and cards for causes that donors can choose", async () => {
  expect((await findHome(db.database)).texts).toEqual(deliveredHomeTexts);
  const { rows } = await db.pool.query(
    "select from donation_categories where retired_at is null and fund in ('education', 'patient-care', 'homes')",
  );
  expect(rows).toHaveLength(3);
});

test("HOME-8: home reads the six newest gallery items and no more", async () => {
  await db.pool.query(manyGallery, [8]);
  const { gallery } = await findHome(db.database);
  expect(gallery.map(({ title }) => title)).toEqual(["n8", "n7", "n6", "n5", "n4", "n3"]);
});

test("PERF-4: home is one statement, and a second for uploaded pictures until they are known", async () => {
  expect(await listStatements(() => findHome(db.database))).toHaveLength(1);
  const bytes = await sharp({ create: { width: 640, height: 480, channels: 3, background: "teal" } })
    .png()
    .toBuffer();
  await db.pool.query(manyNews, [1]);
  await db.pool.query("update news set image = $1", [await storeImage(db.database, bytes)]);
  expect(await listStatements(() => findHome(db.database))).toHaveLength(2);
  expect(await listStatements(() => findHome(db.database))).toHaveLength(1);
  expect((await findHome(db.database)).news[0]?.picture).toMatchObject({ width: 640, height: 480 });
});

test("HOME-3: the chairman's message is plain text of its first paragraph, cut at 300 characters", async () => {
  await setMessage("<p> </p><p>Rice &amp; bread.<script>x</script> <em>“Yes”</em></p><p>Later.</p>");
  expect((await findHome(db.database)).message?.text).toBe("Rice & bread. “Yes”");
  await setMessage(`<p>${"آ".repeat(300)}</p>`);
  expect((await findHome(db.database)).message?.text).toBe("آ".repeat(300));
  await setMessage(`<h2>Friends</h2>${"b".repeat(301)}`);
  expect((await findHome(db.database)).message?.text).toMatch(/^Friends b{292}\.\.\.$/);
  await setMessage("");
  expect((await findHome(db.database)).message?.text).toBe("");
});

test("HOME-3: without a picture there is no about block", async () => {
  await db.pool.query("update pages set image = null where type = 'msg_chairman'");
  expect((await findHome(db.database)).message).toBeNull();
  await db.pool.query("update pages set image = '/identity/illustrations/chairman-portrait.svg'");
  expect((await findHome(db.database)).message?.picture).toMatchObject({ width: expect.any(Number), widths: [] });
});

test("HOME-4, HOME-7, HOME-8, HOME-10: a draft is not on the home page", async () => {
  await db.pool.query(manyGallery, [2]);
  await db.pool.query(manyNews, [2]);
  await db.pool.query(manyTestimonials, [2]);
  for (const table of ["gallery_items", "news", "testimonials"]) {
    await db.pool.query(`update ${table} set state = 'draft' where title = 'n2'`);
  }
  await db.pool.query("update causes set state = 'draft' where title = 'Ambulance'");
  const { causes, ...home } = await findHome(db.database);
  for (const rows of [home.gallery, home.news, home.testimonials])
    expect(rows.map(({ title }) => title)).toEqual(["n1"]);
  expect(causes).toHaveLength(5);
  await db.pool.query("update causes set state = 'published'");
});

longTest(
  "HOME-4, HOME-7, HOME-8, HOME-10: home is as quick with ten thousand rows of each kind as with a few",
  async () => {
    const few = await createTestDatabase();
    try {
      for (const insert of [manyGallery, manyNews, manyTestimonials]) {
        await few.pool.query(insert, [12]);
        await db.pool.query(insert, [10_000]);
      }
      await db.pool.query(
        "insert into causes (position, title, description, image) select 100 + n, 'c' || n, '', '/x.svg' from generate_series(1, 10000) n",
      );
      await db.pool.query("analyze");
      for (const [table, order, index] of [
        ["gallery_items", "image_date desc, id desc", "gallery_items_newest_first"],
        ["news", "published_on desc, id desc", "news_newest_first"],
        ["testimonials", "position, id", "testimonials_by_position"],
        ["causes", "position, id", "causes_by_position"],
      ]) {
        const query = `explain (format json) select title from ${table} where state = 'published' order by ${order} limit 6`;
        const { rows } = await db.pool.query(query);
        expect(JSON.stringify(rows), table).toContain(`"Index Name":"${index}"`);
        expect(JSON.stringify(rows), table).not.toContain("Sort");
      }
      const home = await findHome(db.database);
      expect([home.causes, home.testimonials, home.news, home.gallery].map(({ length }) => length)).toEqual([
        24, 24, 6, 6,
      ]);
      // One after the other, so that other load on the machine slows both.
      const times = { few: [] as number[], many: [] as number[] };
      for (let round = 0; round < 60; round += 1) {
        times.few.push(await timeOf(few));
        times.many.push(await timeOf(db));
      }
      expect(median(times.many)).toBeLessThan(median(times.few) * 3 + 2);
    } finally {
      await few.stop();
      await db.pool.query("delete from causes where position > 100");
    }
  },
);

async function timeOf({ database }: TestDatabase): Promise<number> {
  const started = performance.now();
  await findHome(database);
  return performance.now() - started;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)]!;
}

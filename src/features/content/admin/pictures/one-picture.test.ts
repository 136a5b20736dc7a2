import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharp } from "#shared/images/sharp.ts";
import { describePicture, forgetPictures, storeImage } from "#shared/images/store.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { filePart, formType, writeForm } from "#test/application-form.ts";
import { longTest } from "#test/long-test.ts";
import { readPage } from "#test/read-page.ts";

let site: AdminSite;
let claire: Awaited<ReturnType<AdminSite["logIn"]>>;
beforeAll(async () => {
  site = await openAdminSite();
  claire = await site.logIn("editor");
});
afterAll(() => site.close());

let made = 0;
/** The bytes of another picture each time. */
function draw(width = 400, height = 300): Promise<Buffer> {
  made += 1;
  return sharp({ create: { width, height, channels: 3, background: { r: made * 7, g: 90, b: 90 } } })
    .png()
    .toBuffer();
}
const add = async (name: string, bytes?: Buffer) => storeImage(site.database, bytes ?? (await draw()), { name });
const screenOf = (address: string) => address.replace("/images/", "/admin/pictures/");
const mainOf = (html: string) => readPage(html).querySelector("main")!;
const show = async (path: string) => mainOf((await claire.get(path)).html);
const textOf = (main: Element) => main.textContent!.replace(/\s+/g, " ");

function replace(address: string, bytes: Buffer, name = "newer.png") {
  const payload = writeForm([filePart("file", bytes, name)]);
  const url = `${screenOf(address)}/replace`;
  return claire.visitor.ask({ method: "POST", url, headers: { "content-type": formType }, payload });
}

type Fields = Record<string, string>;
const whole: Fields = {
  slug: "",
  excerpt: "E",
  published_on: "2026-11-24",
  html: "<p>One</p>",
  image_words: "Three people at a long table",
};
async function write(fields: Fields): Promise<string> {
  const answer = await claire.post("/admin/news/new", { ...whole, form: randomUUID(), ...fields });
  expect(answer.status, answer.html).toBe(303);
  return answer.to!;
}
const save = (path: string, from: number, fields: Fields) =>
  claire.post(path, { ...whole, from: String(from), ...fields });
/** What the form found, as a browser would send it. */
const changeableAt = async (path: string) =>
  (await show(path)).querySelector<HTMLInputElement>("form input[name=was]")!.value;
const rowsOf = async (statement: string, ...values: unknown[]) => (await site.pool.query(statement, values)).rows;
const idOf = (path: string) => path.split("/")[3];
const versionsOf = (path: string) =>
  rowsOf(
    `select number, began_from as "from", data->>'image' as image, staff.name as by
     from content_versions left join staff on staff.id = saved_by where item_id = $1 order by number`,
    idOf(path),
  );

test("PIC-4: name and focal point are kept, said in the audit trail, and every page shows the picture like this", async () => {
  const address = await add("IMG_2041.jpg");
  const path = screenOf(address);
  const change = async (fields: Fields) => claire.post(path, { was: await changeableAt(path), ...fields });
  const wrong = await change({ name: "", x: "101", y: "left" });
  expect([...mainOf(wrong.html).querySelectorAll(".err")].map((one) => one.textContent)).toEqual([
    "Enter a name, so that it can be found.",
    "Enter a whole number from 0 to 100.",
    "Enter a whole number from 0 to 100.",
  ]);
  expect((await change({ name: "Kits at Auburn", x: "38", y: "4" })).status).toBe(303);
  const main = await show(path);
  expect(main.querySelector("h1")!.textContent).toBe("Kits at Auburn");
  expect([...main.querySelectorAll(".crops .picture")].map((one) => one.className)).toEqual(
    Array(8).fill("picture has-focus fx-4 fy-0"),
  );
  expect(textOf(main.querySelector(".tl")!)).toMatch(
    /changed this picture.*Focal point from the left.*50 %.*38 %.*Focal point from the top.*4 %/,
  );
  forgetPictures(site.database);
  expect((await describePicture(site.database, address)).focus).toEqual([38, 4]);
  await change({ name: "Kits at Auburn", x: "50", y: "50" });
  forgetPictures(site.database);
  expect((await describePicture(site.database, address)).focus).toBeUndefined();
});

test("PIC-4: of two people who change a picture, the second sees what the first has saved, and then decides", async () => {
  const path = screenOf(await add("IMG_2042.jpg"));
  const was = await changeableAt(path);
  await claire.post(path, { was, name: "Kits at Auburn", x: "38", y: "4" });
  const refused = await claire.post(path, { was, name: "Kits in Lakemba", x: "50", y: "50" });
  expect(refused.status).toBe(409);
  expect(textOf(mainOf(refused.html))).toContain(
    "Somebody changed it while you were here: its name is “Kits at Auburn”, and its focal point 38 % from the left and 4 % from the top. Save again to use yours.",
  );
  const typed = mainOf(refused.html).querySelector<HTMLInputElement>("input[name=name]")!;
  expect(typed.value).toBe("Kits in Lakemba");
  const again = mainOf(refused.html).querySelector<HTMLInputElement>("input[name=was]")!.value;
  expect((await claire.post(path, { was: again, name: "Kits in Lakemba", x: "50", y: "50" })).status).toBe(303);
});

test("PIC-5: a picture names every place that uses it, published or drafted, with a link", async () => {
  const address = await add("everywhere.jpg");
  const published = await write({ title: "It is out", image: address, next: "publish" });
  const drafted = await write({ title: "In its text", html: `<p><img src="${address}" alt="A"></p>` });
  const both = await write({ title: "It was out", image: address, next: "publish" });
  await save(both, 1, { title: "It was out", image: "/identity/illustrations/hospital.svg" });
  await rowsOf("update causes set image = $1 where position = 2", address);
  const uses = [...(await show(screenOf(address))).querySelectorAll(".uses li")].map((one) => [
    textOf(one).trim(),
    one.querySelector("a")?.getAttribute("href"),
  ]);
  expect(uses).toEqual([
    [expect.stringMatching(/ Published$/), expect.stringMatching(/^\/admin\/causes\/\d+$/)],
    ["In its text In a draft", drafted],
    ["It is out Published", published],
    ["It was out Published", both],
  ]);
});

test("PIC-5, BRA-3: a picture of the brand leads to the brand, whether it is published or in a draft", async () => {
  const address = await add("mark.png");
  const write = (key: string, value: unknown) =>
    rowsOf("insert into site_settings (key, value) values ($1, $2)", key, JSON.stringify(value));
  const usesOf = async () =>
    [...(await show(screenOf(address))).querySelectorAll(".uses li")].map((one) => [
      textOf(one).trim(),
      one.querySelector("a")?.getAttribute("href"),
    ]);
  await write("brand_draft", { brand: { mark: address } });
  expect(await usesOf()).toEqual([["Brand In a draft", "/admin/settings/brand"]]);
  await write("brand", { mark: address });
  expect(await usesOf()).toEqual([["Brand Published In a draft", "/admin/settings/brand"]]);
  await rowsOf("delete from site_settings where key like 'brand%'");
});

test("PIC-6: another picture takes the place at all uses as new versions; drafts stay drafts, and times stay", async () => {
  const address = await add("older.jpg");
  const out = await write({ title: "Out", image: address, next: "publish" });
  const html = `<p>See <a href="${address}">it</a>, <a href="${address}/640.avif">large</a>.</p><figure><img src="${address}/320.jpg" alt="A roof" width="400" height="300" loading="lazy" /></figure>`;
  const draft = await write({ title: "Drafted", image: address, html, next: "publish" });
  await save(draft, 1, { title: "Drafted, and better", image: address, html });
  const timed = await write({ title: "Timed", image: address, next: "schedule", on: "2030-01-01", at: "07:00" });
  await save(timed, 1, { title: "Timed, without", image: "/identity/illustrations/hospital.svg" });
  const answer = await replace(address, await draw(3000, 1500), "newer.png");
  const newer = answer.headers.location!.toString().replace("/admin/pictures/", "/images/");
  expect(answer.statusCode).toBe(303);

  const by = claire.name;
  const before = (number: number, from: number | null, image = address) => ({ number, from, image, by });
  expect(await versionsOf(out)).toEqual([before(1, null), before(2, 1, newer)]);
  expect(await versionsOf(draft)).toEqual([before(1, null), before(2, 1), before(3, 1, newer), before(4, 2, newer)]);
  expect((await versionsOf(timed)).map(({ image }) => image === newer)).toEqual([false, false, true, false]);
  const items = await rowsOf(
    `select latest_version as latest, published_version as published, scheduled_version as scheduled, scheduled_at as at
     from content_items where id = any($1::bigint[]) order by id`,
    [out, draft, timed].map(idOf),
  );
  expect(items).toEqual([
    { latest: 2, published: 2, scheduled: null, at: null },
    { latest: 4, published: 3, scheduled: null, at: null },
    { latest: 4, published: null, scheduled: 3, at: new Date("2029-12-31T20:00:00Z") },
  ]);
  const [live] = await rowsOf("select title, image, html from news where title = 'Drafted'");
  expect(live.image).toBe(newer);
  expect(live.html).toContain(`<a href="${newer}">it</a>, <a href="${newer}">large</a>`);
  expect(live.html).toContain(`<img src="${newer}" alt="A roof" width="1920" height="960" loading="lazy" />`);
  expect(textOf(await show(`${draft}/history`))).toContain("Version 1");
  const acts = await rowsOf("select verb, actor, after from audit_trail where verb like '%replace%' order by id");
  expect(acts.map(({ verb, actor }) => [verb, actor])).toEqual([
    ["pictures.replace", by],
    ...Array(3).fill(["news.replace_picture", by]),
  ]);
  expect(acts[0].after).toEqual({ replacement: "newer.png", places: ["Drafted, and better", "Out", "Timed, without"] });
  expect(textOf(await show(screenOf(address)))).toMatch(
    /newer\.png has replaced this picture.*It is not used anywhere/,
  );
});

test("PIC-6: what is no picture replaces nothing, and says why; events follow too", async () => {
  const address = await add("of an event.jpg");
  await rowsOf(
    `insert into events (slug, title, summary, html, image, place, starts_at, ends_at, created_by)
     values ('eid', 'Eid', '', $1, $2, 'Hall', now(), now(), 'Sana')`,
    `<img src="${address}" alt="">`,
    address,
  );
  const refused = await replace(address, Buffer.from("<svg/>"), "drawing.svg");
  expect([refused.statusCode, mainOf(refused.body).querySelector(".err")!.textContent]).toEqual([
    422,
    "Please choose a JPEG, PNG or WebP picture.",
  ]);
  const same = await draw();
  const again = await add("again.jpg", same);
  expect((await replace(again, same)).body).toContain("This is the same file. Choose another.");
  expect(textOf((await show(screenOf(address))).querySelector(".uses")!)).toContain("Eid Published");
  const newer = (await replace(address, await draw())).headers.location!.toString().split("/")[3];
  expect(await rowsOf("select image, html from events where slug = 'eid'")).toEqual([
    { image: `/images/${newer}`, html: `<img src="/images/${newer}" alt="">` },
  ]);
});

test("PIC-7: only a picture that nothing uses is deleted, its file too; what showed it earlier cannot go out without", async () => {
  const address = await add("consent withdrawn.jpg");
  const hash = address.split("/")[2];
  const path = screenOf(address);
  const item = await write({ title: "A person", image: address, next: "publish" });
  expect(textOf(await show(path))).toContain("It cannot be deleted while something uses it.");
  const refused = await claire.post(`${path}/delete`);
  expect([refused.status, textOf(mainOf(refused.html))]).toEqual([
    409,
    expect.stringContaining("It is used in “A person”. Choose another picture there, or replace this one"),
  ]);
  await save(item, 1, { title: "A person", image: "/identity/illustrations/hospital.svg", next: "publish" });
  expect((await claire.post(`${path}/delete`)).status).toBe(303);
  for (const table of ["images", "image_variants", "image_originals"]) {
    expect(await rowsOf(`select hash from ${table} where hash = $1`, hash), table).toEqual([]);
  }
  expect((await claire.get(path)).status).toBe(404);
  const [act] = await rowsOf("select before from audit_trail where verb = 'pictures.delete' and subject_id = $1", hash);
  expect(act.before).toEqual({ name: "consent withdrawn.jpg" });

  await claire.post(`${item}/restore`, { version: "1", from: "2" });
  const gone = "This picture is not in the library any more. Choose another.";
  expect(textOf(await show(item))).toContain(gone);
  const out = await save(item, 3, { title: "A person", image: address, next: "publish" });
  expect([out.status, mainOf(out.html).querySelector(".err")!.textContent]).toEqual([422, gone]);
});

longTest(
  "PIC-6, PIC-7: publishing, replacing and deleting at the same moment leave no item without its picture",
  async () => {
    for (let round = 0; round < 4; round += 1) {
      const address = await add(`race ${round}.jpg`);
      const item = await write({ title: `Race ${round}`, image: address });
      const bytes = await draw();
      const answers = await Promise.all([
        save(item, 1, { title: `Race ${round}`, image: address, next: "publish" }).then(({ status }) => status),
        claire.post(`${screenOf(address)}/delete`).then(({ status }) => status),
        replace(address, bytes).then(({ statusCode }) => statusCode),
      ]);
      expect(answers.filter((status) => status >= 500)).toEqual([]);
      const lacking = await rowsOf(
        `select title, image from news where state = 'published' and image like '/images/%'
         and not exists (select from images where '/images/' || hash = image)`,
      );
      expect(lacking).toEqual([]);
    }
  },
);

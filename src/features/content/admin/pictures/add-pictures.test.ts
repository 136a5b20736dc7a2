import { afterAll, beforeAll, expect, test } from "vitest";
import { sharp } from "#shared/images/sharp.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { type FormPart, filePart, formType, writeForm } from "#test/application-form.ts";
import { isLongRun } from "#test/long-run.ts";
import { longTest } from "#test/long-test.ts";
import { listExtras } from "#test/project/picture-extras.ts";
import { makeCorpus } from "#test/project/upload-corpus.ts";
import { readPage } from "#test/read-page.ts";

let site: AdminSite;
type Person = Awaited<ReturnType<AdminSite["logIn"]>>;
let claire: Person;
beforeAll(async () => {
  site = await openAdminSite();
  claire = await site.logIn("editor");
});
afterAll(() => site.close());

const send = (person: Pick<Person, "visitor">, url: string, parts: readonly FormPart[]) =>
  person.visitor.ask({ method: "POST", url, headers: { "content-type": formType }, payload: writeForm(parts) });
const sendOne = (person: Pick<Person, "visitor">, bytes: Buffer, name?: string, type?: string) =>
  send(person, "/admin/pictures/add.json", [filePart("picture", bytes, name, type)]);

/** Another for each number. */
function picture(number: number, width = 400, height = 300): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: { r: number * 12, g: 90, b: 90 } } })
    .withExif({ IFD0: { Artist: "Telltale" }, IFD3: { GPSLatitudeRef: "S", GPSLatitude: "33/1 52/1 10/1" } })
    .jpeg()
    .toBuffer();
}
const mainOf = (html: string) => readPage(html).querySelector("main")!;
const errorsIn = (html: string) => [...mainOf(html).querySelectorAll(".err")].map((one) => one.textContent);
const actsOn = async (hash: string) =>
  (await site.pool.query("select actor, verb, after from audit_trail where subject_id = $1 order by id", [hash])).rows;

test("PIC-1: several files in one form are all added, under their names, the last chosen first in the list", async () => {
  expect(mainOf((await claire.get("/admin/pictures")).html).textContent).toContain("There are no pictures yet");
  const parts = [
    filePart("pictures", await picture(10), "kits 041.jpg"),
    filePart("pictures", await picture(11), "تصویر.jpg"),
  ];
  const answer = await send(claire, "/admin/pictures", parts);
  expect([answer.statusCode, answer.headers.location]).toEqual([303, "/admin/pictures"]);
  const names = [...mainOf((await claire.get("/admin/pictures")).html).querySelectorAll(".pic a bdi")];
  expect(names.slice(0, 2).map((one) => one.textContent)).toEqual(["تصویر.jpg", "kits 041.jpg"]);
  const { rows } = await site.pool.query("select hash from images where name = 'kits 041.jpg'");
  expect(await actsOn(rows[0].hash)).toEqual([
    { actor: claire.name, verb: "pictures.add", after: { name: "kits 041.jpg" } },
  ]);
});

test("PIC-1: in one form each file that is refused has its own sentence, and the others are added", async () => {
  const heic = Buffer.concat([Buffer.from("00000018", "hex"), Buffer.from("ftypheic")]);
  const answer = await send(claire, "/admin/pictures", [
    filePart("pictures", Buffer.from("words"), "notes.txt"),
    filePart("pictures", await picture(12), "roof.jpg"),
    filePart("pictures", heic, "IMG_2093.HEIC"),
  ]);
  expect(answer.statusCode).toBe(422);
  expect(errorsIn(answer.body)).toEqual([
    "One picture is in the library.",
    "notes.txt: Please choose a JPEG, PNG or WebP picture.",
    expect.stringMatching(
      /^IMG_2093\.HEIC: This is a HEIC picture, .* tap Share, then Options, choose Most Compatible/,
    ),
  ]);
  const empty = await send(claire, "/admin/pictures", [filePart("pictures", "", "")]);
  expect(errorsIn(empty.body)).toEqual(["Choose one or more pictures first."]);
});

test("PIC-1: a file alone is answered with its picture; the same bytes again with the one that is there", async () => {
  const bytes = await picture(13, 700, 350);
  const [first, again] = [await sendOne(claire, bytes, "wide.jpg"), await sendOne(claire, bytes, "copy.jpg")];
  expect(first.json()).toEqual({
    name: "wide.jpg",
    width: 700,
    height: 350,
    address: expect.stringMatching(/^\/images\/[0-9a-f]{32}$/),
    thumbnail: `${first.json().address}/320.webp`,
    isNew: true,
  });
  expect(again.json()).toEqual({ ...first.json(), isNew: false });
  expect((await site.app.inject(first.json().thumbnail)).statusCode).toBe(200);
});

test("PIC-2: the original is kept as it was sent, and nothing of it but pixels is ever served", async () => {
  const bytes = await picture(14);
  const { address } = (await sendOne(claire, bytes)).json();
  const hash = address.split("/")[2];
  const { rows } = await site.pool.query("select bytes from image_originals where hash = $1", [hash]);
  expect(rows[0].bytes.equals(bytes)).toBe(true);
  expect((await sharp(bytes).metadata()).exif).toBeDefined();
  for (const path of ["", "/320.webp", "/320.jpg", "/400.webp", "/400.jpg"]) {
    const { statusCode, rawPayload } = await site.app.inject(address + path);
    expect([statusCode, await listExtras(rawPayload)], path).toEqual([200, []]);
  }
  expect((await site.app.inject(`${address}/original`)).statusCode).toBe(404);
});

longTest("PIC-2: each hostile file is refused with a sentence, or stored as nothing but pixels", async () => {
  const faults: string[] = [];
  let kept = 0;
  const corpus = (await makeCorpus()).filter((_, at) => isLongRun || at % 4 === 0);
  for (const { name, bytes, fate, filename, type, size } of corpus) {
    const answer = await sendOne(claire, bytes, filename, type);
    const fault = (text: string) => faults.push(`${name}: ${text}`);
    if (answer.statusCode === 200 && !(fate instanceof RegExp)) {
      kept += 1;
      const { address, width, height } = answer.json();
      if (size !== undefined && `${size}` !== `${[width, height]}`) fault(`it is ${width} × ${height}`);
      const { rows } = await site.pool.query("select bytes from image_variants where hash = $1", [
        address.split("/")[2],
      ]);
      for (const variant of rows) for (const one of await listExtras(variant.bytes)) fault(one);
    } else if (answer.statusCode !== 422 || fate === "kept") fault(`${answer.statusCode} ${answer.body}`);
    else if (fate instanceof RegExp && !fate.test(answer.json().error)) fault(answer.json().error);
  }
  expect(faults).toEqual([]);
  expect(kept).toBeGreaterThan(isLongRun ? 40 : 10);
});

test("PIC-1: who may not write adds nothing, and a form that came after the log-out is answered", async () => {
  const before = (await site.pool.query("select count(*) from images")).rows;
  const auditor = await site.logIn("auditor");
  const stranger = await site.openBrowser();
  const bytes = await picture(15);
  expect((await sendOne(auditor, bytes)).statusCode).toBe(403);
  expect((await sendOne(stranger, bytes)).statusCode).toBe(401);
  const form = await send(stranger, "/admin/pictures", [filePart("pictures", bytes)]);
  expect([form.statusCode, mainOf(form.body).textContent]).toEqual([401, expect.stringContaining("Log in")]);
  expect((await site.pool.query("select count(*) from images")).rows).toEqual(before);
  const list = mainOf((await auditor.get("/admin/pictures")).html);
  expect(list.querySelector('input[type="file"]')).toBeNull();
  expect(list.querySelectorAll(".pic").length).toBeGreaterThan(3);
});

longTest("PIC-1: a large picture is decoded while others are answered", async () => {
  const bytes = await picture(17, 4000, 3000);
  const times: string[] = [];
  const adding = sendOne(claire, bytes).then(() => times.push("picture"));
  for (let asked = 0; asked < 5; asked += 1) {
    await site.app.inject("/healthz");
    times.push("answer");
  }
  await adding;
  expect(times.at(-1)).toBe("picture");
});

test("PIC-1: the library is searched by name, and shows what is used nowhere", async () => {
  await sendOne(claire, await picture(16), "Boats at Sukkur.jpg");
  const names = async (query: string) =>
    [...mainOf((await claire.get(`/admin/pictures?${query}`)).html).querySelectorAll(".pic bdi")].map(
      (one) => one.textContent,
    );
  expect(await names("q=sukkur")).toEqual(["Boats at Sukkur.jpg"]);
  expect(await names("q=nothing+at+all")).toEqual([]);
  const { rows } = await site.pool.query("select hash from images where name = 'Boats at Sukkur.jpg'");
  await site.pool.query("update causes set image = $1 where position = 1", [`/images/${rows[0].hash}`]);
  expect(await names("q=sukkur&used=nowhere")).toEqual([]);
  expect((await claire.visitor.ask({ url: "/admin/pictures.json?q=SUKKUR" })).json()).toMatchObject({
    pictures: [{ name: "Boats at Sukkur.jpg", address: `/images/${rows[0].hash}` }],
    hasMore: false,
  });
});

test("PIC-1: the answer says whether the picture is new, also if its file's name is longer than the library keeps", async () => {
  const bytes = await picture(19);
  const name = `${"kits ".repeat(40)}.jpg`;
  const [first, again] = [await sendOne(claire, bytes, name), await sendOne(claire, bytes, name)];
  expect(first.json().name.length).toBeLessThan(name.length);
  expect([first.json().isNew, again.json().isNew]).toEqual([true, false]);
});

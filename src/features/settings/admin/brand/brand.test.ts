import { afterAll, beforeAll, expect, test } from "vitest";
import { findBrandCopy } from "#shared/brand/brand-pictures.ts";
import { deliveredBrand } from "#shared/brand/site-brand.ts";
import { sharp } from "#shared/images/sharp.ts";
import { storeImage } from "#shared/images/store.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readBrandVersion } from "../../server/brand-store.ts";

let site: AdminSite;
let admin: Awaited<ReturnType<AdminSite["logIn"]>>;
let second: Awaited<ReturnType<AdminSite["logIn"]>>;
beforeAll(async () => {
  site = await openAdminSite();
  admin = await site.logIn("administrator");
  second = await site.logIn("administrator");
});
afterAll(() => site.close());

const path = "/admin/settings/brand";

const decode = (text: string) => text.replaceAll("&#x27;", "'").replaceAll("&amp;", "&");

/** The fields of the large form, as a browser would send them untouched. */
async function open(who = admin): Promise<Record<string, string | string[]>> {
  const { html } = await who.get(path);
  const form = /<form [^>]*action="\/admin\/settings\/brand"[\s\S]*?<\/form>/.exec(html)![0];
  const fields: Record<string, string | string[]> = { shown: [] };
  for (const [tag, name] of form.matchAll(/<input [^>]*name="([^"]+)"[^>]*>/g)) {
    if (/type="(?:radio|checkbox)"/.test(tag) && !tag.includes("checked")) continue;
    const value = decode(/ value="([^"]*)"/.exec(tag)?.[1] ?? "");
    if (name === "shown") (fields.shown as string[]).push(value);
    else fields[name!] = value;
  }
  return fields;
}

async function save(changes: Record<string, string | string[]>, who = admin) {
  const saved = await who.post(path, { ...(await open(who)), ...changes });
  expect(saved.status, saved.html).toBe(303);
}

const from = async () => ({ from: String((await open()).from) });
const publish = async () => admin.post(`${path}/publish`, await from());

test("BRA-4: a draft changes nothing for visitors; published, it is what they see, and the audit trail says so", async () => {
  await save({ main: "#7a1f5c", fonts: "manrope" });
  await site.services.brands.refresh();
  expect(site.services.brands.frame().stylesheet).toBeNull();
  expect((await publish()).status).toBe(303);
  await site.services.brands.refresh();
  const { stylesheet, themeColour, fonts } = site.services.brands.frame();
  expect(themeColour).toBe("#7a1f5c");
  expect(fonts).toHaveLength(2);
  const css = await site.app.inject(stylesheet!);
  expect(css.headers).toMatchObject({ "content-type": "text/css; charset=utf-8" });
  expect(css.headers["cache-control"]).toContain("immutable");
  expect(css.body).toContain("--indigo-900:#7a1f5c");
  const font = await site.app.inject(fonts![0]!);
  expect([font.statusCode, font.headers["content-type"]]).toEqual([200, "font/woff2"]);
  const { html } = await admin.get(path);
  expect(html).toContain("published");
  expect(html).toContain("saved a draft of");
});

test("BRA-4: an earlier brand becomes the draft again, and a draft can be discarded", async () => {
  await admin.post(`${path}/restore`, { ...(await from()), version: "0" });
  expect(await open()).toMatchObject({ main: deliveredBrand.main, fonts: "young-serif" });
  expect((await admin.get(path)).html).toContain("A draft waits");
  await admin.post(`${path}/discard`, await from());
  expect(await open()).toMatchObject({ main: "#7a1f5c" });
});

test("BRA-4: the second of two editors sees both, keeps what they typed, and then saves", async () => {
  const [mine, theirs] = [await open(), await open(second)];
  expect((await second.post(path, { ...theirs, accent: "#ffcc00", logoWords: "Ours" })).status).toBe(303);
  const refused = await admin.post(path, { ...mine, accent: "#ff8800" });
  expect(refused.status).toBe(409);
  expect(refused.html).toContain("changed the brand while you were choosing");
  expect(refused.html).toContain("#ffcc00");
  expect(refused.html).toContain('value="#ff8800"');
  expect(refused.html).toContain('value="Ours"');
  await admin.post(`${path}/discard`, await from());
});

test("BRA-4: a receipt and an email show the draft, and visitors’ stay as they are", async () => {
  const preview = (page: string) => admin.post(`${path}/preview`, { page });
  const [receipt, email] = [await preview("receipt"), await preview("email")];
  await save({ theme: "quiet", main: "#0b5d3b" });
  expect((await preview("email")).html).toContain(".head{background:#0b5d3b");
  expect(email.html).toContain("Preview: Thank you, with the receipt");
  expect(email.html).not.toContain("#0b5d3b");
  const drafted = await preview("receipt");
  expect([receipt.headers["content-type"], drafted.headers["content-type"]]).toEqual(Array(2).fill("application/pdf"));
  expect(drafted.html.length).toBeLessThan(receipt.html.length - 1000);
  await admin.post(`${path}/discard`, await from());
});

test("BRA-2: colours that some people cannot read are saved, not published, and the offered shade is taken by its button", async () => {
  await save({ main: "#ffd600" });
  const shown = (await admin.get(path)).html;
  expect(shown).toContain("Some people could not read these colours");
  const [, offer] = /value="(main:#[0-9a-f]{6})" name="take"/.exec(shown)!;
  expect((await publish()).status).toBe(409);
  await save({ take: offer! });
  expect((await admin.get(path)).html).not.toContain("Some people could not read");
  expect((await publish()).status).toBe(303);
});

test("BRA-3: a logo keeps its transparency and is sharp, and only pictures of the brand have such copies", async () => {
  const drawn = await sharp({
    create: { width: 900, height: 300, channels: 4, background: { r: 0, g: 90, b: 60, alpha: 0 } },
  })
    .composite([
      {
        input: await sharp({ create: { width: 300, height: 300, channels: 3, background: "#005a3c" } })
          .png()
          .toBuffer(),
      },
    ])
    .png()
    .toBuffer();
  const logo = await storeImage(site.services.database, drawn, { name: "Logo" });
  const [, hash = ""] = logo.split("/images/");
  expect((await site.app.inject(`/brand/logo-${hash}.webp`)).statusCode).toBe(404);
  await save({ logoOnLight: logo, mark: logo });
  expect((await publish()).status).toBe(303);
  await site.services.brands.refresh();
  const frame = site.services.brands.frame();
  expect(frame.logo?.onLight).toMatchObject({ width: 156, height: 52 });
  const served = await site.app.inject(frame.logo!.onLight.address);
  const copy = await sharp(served.rawPayload).metadata();
  expect(copy).toMatchObject({ format: "webp", width: 468, height: 156, hasAlpha: true });
  const icon = await sharp((await site.app.inject(frame.icons!.large)).rawPayload).metadata();
  expect(icon).toMatchObject({ format: "png", width: 512, height: 512 });
  expect(await findBrandCopy(site.services, "0".repeat(32), "logo")).toBeUndefined();
});

test("BRA-6: blocks of the home page move and go, and a picture that the library lacks is refused beside its field", async () => {
  const before = await open();
  await save({ move: "news:up", shown: (before.shown as string[]).filter((name) => name !== "gallery") });
  expect((await publish()).status).toBe(303);
  await site.services.brands.refresh();
  expect(site.services.brands.frame().home).toEqual(["cards", "about", "causes", "donors", "news", "tiles"]);
  const gone = await admin.post(path, { ...(await open()), heroPicture: `/images/${"a".repeat(32)}` });
  expect(gone.status).toBe(422);
  expect(gone.html).toContain("The library does not have this picture");
  const none = await admin.post(path, { ...(await open()), hero: "photograph" });
  expect(none.html).toContain("Choose a photograph");
});

test("BRA-6: a photograph on the home page has words, or staff say that it only decorates", async () => {
  const drawn = sharp({ create: { width: 900, height: 600, channels: 3, background: "#005a3c" } });
  const heroPicture = await storeImage(site.services.database, await drawn.png().toBuffer(), { name: "Boxes" });
  const photograph = { hero: "photograph", heroPicture };
  const refused = await admin.post(path, { ...(await open()), ...photograph });
  expect(refused.status).toBe(422);
  expect(refused.html).toContain("Say in words what the picture shows, or tick that it only decorates.");
  const words = "Two volunteers pack boxes";
  await save({ ...photograph, heroWords: words });
  const heroOf = async () => (await site.services.brands.frameOf((await readBrandVersion(site.database)).brand)).hero;
  expect(await heroOf()).toMatchObject({ words });
  await save({ ...photograph, heroWords: "", heroDecorates: "yes" });
  expect(await heroOf()).toMatchObject({ words: "" });
  // An earlier brand that was published without either.
  const value = JSON.stringify({ brand: photograph });
  await site.database.updateTable("site_settings").set({ value }).where("key", "=", "brand_draft").execute();
  expect((await publish()).status).toBe(409);
  await admin.post(`${path}/discard`, await from());
});

import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import type { Connection, Database } from "#shared/database/connect.ts";
import { sanitiseHtml } from "#shared/html/sanitise.ts";
import { storeImage } from "#shared/images/store.ts";
import { demoEvents, demoTickets } from "./demo-events.ts";
import { demoGallery } from "./demo-gallery.ts";
import { demoNews } from "./demo-news.ts";
import { demoPictureWords } from "./demo-pictures.ts";
import { makeTicketType } from "./ticket-factories.ts";

const drawings = "/identity/illustrations";
const lockKey = 20_261_122;

const testimonials = [
  "Amina Raza, Lakemba",
  "Bilal Sheikh, Craigieburn",
  "Claire Donnelly, Newcastle",
  "Haji Yusuf Khan, Auburn",
  "Farah Siddiqui, Logan",
  "Tom Whitlam, Fremantle",
].map((title, index) => ({
  position: index + 1,
  title,
  image: `${drawings}/avatar-${index + 1}.svg`,
  image_decorates: true,
}));

const worldLinks: readonly { readonly label: string; readonly url: string }[] = [
  { label: "Annual report of the Foundation", url: "https://reports.example/annual-report" },
  { label: "Audited accounts", url: "https://reports.example/audited-accounts" },
  { label: "Updates from the field", url: "https://news.example/field-updates" },
  { label: "Map of our services", url: "https://maps.example/services" },
];

/** What donors read below the cause they choose, by its key. */
const causes: Readonly<Record<string, string>> = {
  "where-needed-most": "We use it where money is needed most.",
  zakat: "Spent only on people who are eligible for Zakat: treatment, food and shelter that they cannot pay for.",
  sadaqah: "Voluntary charity, for any part of our work.",
  fitrana: "Give one for each person in your household, before the Eid prayer.",
  qurban: "We offer an animal, or a share of one, in each name you give. The meat goes to families in need.",
  dastarkhwan: "A hot meal for whoever comes.",
};

/**
 * Adds invented people, news, events and pictures to try the site, unless there is content. Returns whether it did.
 * @throws with PAYMENTS=live, because a site that takes real money shows only real people.
 */
export async function seedDemo(database: Database): Promise<boolean> {
  if (process.env.PAYMENTS === "live") throw new Error("Demo content cannot be added to a site with PAYMENTS=live.");
  if (await hasContent(database)) return false;
  // Encoding is slow, so it runs before the lock is taken. A concurrent run finds the pictures stored.
  const events = demoEvents(new Date());
  const addresses = await storePictures(database, [...demoNews, ...demoGallery, ...events]);
  const withImage = <Row extends { picture: string }>({ picture, ...row }: Row) => ({
    ...row,
    image: addresses.get(picture)!,
  });
  // Drawings have words already.
  const inWords = <Row extends { picture: string }>(row: Row) => ({
    ...withImage(row),
    image_words: demoPictureWords[row.picture] ?? "",
  });
  return database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${lockKey})`.execute(transaction);
    if (await hasContent(transaction)) return false;
    const news = demoNews.map((article) => ({ ...inWords(article), html: sanitiseHtml(article.html).trim() }));
    await transaction.insertInto("testimonials").values(testimonials).execute();
    await transaction.insertInto("news").values(news).execute();
    await transaction.insertInto("gallery_items").values(demoGallery.map(inWords)).execute();
    await transaction.insertInto("events").values(events.map(withImage)).execute();
    await sellTickets(transaction);
    for (const [fund, description] of Object.entries(causes)) {
      await transaction.updateTable("donation_categories").set({ description }).where("fund", "=", fund).execute();
    }
    await transaction
      .updateTable("pages")
      .set({ links: JSON.stringify(worldLinks) })
      .where("type", "=", "world")
      .execute();
    return true;
  });
}

async function sellTickets(connection: Connection): Promise<void> {
  for (const [slug, types] of Object.entries(demoTickets)) {
    const { id } = await connection
      .selectFrom("events")
      .select("id")
      .where("slug", "=", slug)
      .executeTakeFirstOrThrow();
    for (const type of types) await makeTicketType(connection, id, type);
  }
}

async function hasContent(connection: Connection): Promise<boolean> {
  for (const table of ["testimonials", "news", "gallery_items", "events"] as const) {
    if ((await connection.selectFrom(table).select("id").limit(1).executeTakeFirst()) !== undefined) return true;
  }
  return false;
}

/** The address of each picture, by name. */
async function storePictures(
  database: Database,
  content: readonly { readonly picture: string }[],
): Promise<ReadonlyMap<string, string>> {
  const names = [...new Set(content.map(({ picture }) => picture))];
  const stored = names.map(async (name) => {
    if (name.endsWith(".svg")) return [name, `${drawings}/${name}`] as const;
    const bytes = await readFile(new URL(`demo/${name}`, import.meta.url));
    return [name, await storeImage(database, bytes, { name })] as const;
  });
  return new Map(await Promise.all(stored));
}

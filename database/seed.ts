import { sql } from "kysely";
import type { Database } from "#shared/database/connect.ts";

const drawings = "/identity/illustrations";
const lockKey = 20_261_122;

const testimonials = [
  "Amina Raza, Lakemba",
  "Bilal Sheikh, Craigieburn",
  "Claire Donnelly, Newcastle",
  "Haji Yusuf Khan, Auburn",
  "Farah Siddiqui, Logan",
  "Tom Whitlam, Fremantle",
].map((title, index) => ({ position: index + 1, title, image: `${drawings}/avatar-${index + 1}.svg` }));

const news = [
  {
    title: "A hand pump ends a four-hour walk for water",
    excerpt:
      "Eighty families in a village outside Tharparkar now draw clean water from a pump beside their school gate. The children who used to fetch it are in class before the first bell.",
    image: `${drawings}/news-hand-pump.svg`,
    published_on: "2026-10-14",
  },
  {
    title: "The travelling camp sees its ten-thousandth patient",
    excerpt:
      "Since March the camp has crossed three provinces with two doctors, one dentist and a van of donated medicine. Most visitors come for eyes, teeth and blood pressure, and leave with treatment the same day.",
    image: `${drawings}/news-medical-camp.svg`,
    published_on: "2026-10-02",
  },
  {
    title: "School kits packed before the new term",
    excerpt:
      "On two Saturdays in Auburn, volunteers filled bags with books, pencils and warm jumpers, so that every child on the list starts the term with a kit of their own.",
    image: `${drawings}/news-school-kits.svg`,
    published_on: "2026-09-19",
  },
];

const gallery = [
  [
    "Class under the flowering tree",
    "A teacher and five pupils at the open-air school.",
    "school-outdoor-class",
    "2026-10-20",
  ],
  ["Packing day", "Volunteers fill relief boxes at a long table.", "volunteers-packing", "2026-10-11"],
  ["One cloth for everybody", "The midday meal at a dastarkhwan.", "dastarkhwan-meal", "2026-09-28"],
  ["First steps", "A morning at the rehabilitation centre.", "rehabilitation", "2026-09-12"],
  ["Kites over the courtyard", "An afternoon at one of the homes.", "homes-courtyard", "2026-08-30"],
  ["To higher ground", "A rescue boat on its second trip of the day.", "flood-relief", "2026-08-21"],
  ["Market-street call", "An ambulance on its way across the city.", "ambulance", "2026-08-03"],
].map(([title = "", description = "", file = "", image_date = ""]) => ({
  title,
  description,
  image: `${drawings}/${file}.svg`,
  image_date,
  created_by: "Field team",
}));

/**
 * Invented people, news and pictures for trying the site out; only where there are none yet. Returns whether it added them.
 * @throws with PAYMENTS=live: a site that takes real money shows real people only.
 */
export async function seedDemo(database: Database): Promise<boolean> {
  if (process.env.PAYMENTS === "live") throw new Error("The demo content is not for a site with PAYMENTS=live.");
  return database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${lockKey})`.execute(transaction);
    for (const table of ["testimonials", "news", "gallery_items"] as const) {
      if ((await transaction.selectFrom(table).select("id").limit(1).executeTakeFirst()) !== undefined) return false;
    }
    await transaction.insertInto("testimonials").values(testimonials).execute();
    await transaction.insertInto("news").values(news).execute();
    await transaction.insertInto("gallery_items").values(gallery).execute();
    return true;
  });
}

import type { Connection } from "#shared/database/connect.ts";
import type { HomeContent } from "../home-content.ts";

/** More than this many of a kind the home page does not show, so it does not read them. */
const CAUSES = 24;
const TESTIMONIALS = 24;
const NEWS = 6;
const GALLERY = 6;

/** Everything the home page shows, newest or by staff's order, in one round of parallel reads. */
export async function findHome(database: Connection): Promise<HomeContent> {
  const [message, causes, testimonials, news, gallery] = await Promise.all([
    database
      .selectFrom("pages")
      .select(["title", "image", "html"])
      .where("type", "=", "msg_chairman")
      .executeTakeFirst(),
    database
      .selectFrom("causes")
      .select(["image", "title", "description"])
      .orderBy("position")
      .orderBy("id")
      .limit(CAUSES)
      .execute(),
    database
      .selectFrom("testimonials")
      .select(["image", "title"])
      .orderBy("position")
      .orderBy("id")
      .limit(TESTIMONIALS)
      .execute(),
    database
      .selectFrom("news")
      .select(["image", "title", "excerpt", "published_on as date"])
      .orderBy("published_on", "desc")
      .orderBy("id", "desc")
      .limit(NEWS)
      .execute(),
    database
      .selectFrom("gallery_items")
      .select(["image", "title"])
      .orderBy("image_date", "desc")
      .orderBy("id", "desc")
      .limit(GALLERY)
      .execute(),
  ]);
  return {
    chairmanMessages: message?.image == null ? [] : [{ image: message.image, title: message.title }],
    chairmanText: plainText(message?.html ?? ""),
    causes,
    testimonials,
    news,
    gallery,
  };
}

const entities: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
]);

/** The words of a piece of HTML. What comes out is text, to be escaped like any other. */
function plainText(html: string): string {
  return html
    .replace(/<[^>]*>/g, " ")
    .replace(/&(#\d{1,7}|[a-z]+);/g, (whole, name: string) =>
      name.startsWith("#") ? codePoint(Number(name.slice(1)), whole) : (entities.get(name) ?? whole),
    )
    .replace(/\s+/g, " ")
    .trim();
}

function codePoint(code: number, otherwise: string): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : otherwise;
}

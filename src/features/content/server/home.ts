import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { cutText } from "#shared/excerpt.ts";
import { textOfHtml } from "#shared/html/sanitise.ts";
import { type InWords, typedWords } from "#shared/images/picture-words.ts";
import { describePictures } from "#shared/images/store.ts";
import type { HomeContent } from "../content.ts";
import { type HomeTexts, homeColumns, type TileTexts } from "../home-texts.ts";
import { type ServiceType, servicePaths } from "../services.ts";

/** The home page shows at most this many of each. */
export const CAUSES = 24;
export const TESTIMONIALS = 24;
const NEWS = 6;
const GALLERY = 6;
/** Maximum characters of the introduction to the chairman's message. */
const MESSAGE_CUT = 300;

/** Reads everything for the home page in one statement, and uploaded pictures that are new in another. */
export async function findHome(connection: Connection): Promise<HomeContent> {
  const { texts, message, causes, testimonials, news, gallery, down } = await readRows(connection);
  const rows = [...causes, ...testimonials, ...news, ...gallery];
  const addresses = [...rows.map(({ image }) => image), ...(message?.image == null ? [] : [message.image])];
  const pictures = await describePictures(connection, addresses);
  const inWords = <Row extends InWords & { image: string }>({ image_words, image_decorates, ...row }: Row) => ({
    ...withPicture(row),
    alt: typedWords({ image_words, image_decorates }),
  });
  const withPicture = <Row extends { image: string }>({ image, ...row }: Row) => ({
    ...row,
    picture: pictures.get(image)!,
  });
  return {
    texts: toTexts(texts),
    message:
      message?.image == null
        ? null
        : {
            title: message.title,
            text: introduction(message.html),
            picture: pictures.get(message.image)!,
            alt: typedWords(message),
          },
    causes: causes.map(inWords),
    testimonials: testimonials.map(inWords),
    news: news.map(withPicture),
    gallery: gallery.map(withPicture),
    takenDown: down.map((type) => servicePaths[type]),
  };
}

/** For pages other than home. */
export async function findTiles(connection: Connection): Promise<TileTexts> {
  return toTexts(await connection.selectFrom("home").selectAll().executeTakeFirstOrThrow());
}

type Rows<Column extends string> = readonly Readonly<Record<Column, string>>[];
type HomeRows = {
  readonly texts: Parameters<typeof toTexts>[0];
  readonly message: (InWords & { readonly title: string; readonly image: string | null; readonly html: string }) | null;
  readonly causes: readonly (InWords & Rows<"image" | "title" | "description">[number])[];
  readonly testimonials: readonly (InWords & Rows<"image" | "title">[number])[];
  readonly news: Rows<"slug" | "image" | "title" | "excerpt" | "date">;
  readonly gallery: Rows<"image" | "title">;
  readonly down: readonly ServiceType[];
};

/** Written as SQL, because putting these queries together would take longer than to send them. */
async function readRows(connection: Connection): Promise<HomeRows> {
  const { rows } = await sql<HomeRows>`
    select
      (select to_json(home) from home) as texts,
      (select to_json(message)
        from (select title, image, image_words, image_decorates, html from pages
        where type = 'msg_chairman' and state = 'published') as message) as message,
      (select coalesce(json_agg(cause), '[]') from (
        select image, image_words, image_decorates, title, description from causes
        where state = 'published' order by position, id limit ${CAUSES}) as cause) as causes,
      (select coalesce(json_agg(testimonial), '[]') from (
        select image, image_words, image_decorates, title from testimonials
        where state = 'published' order by position, id limit ${TESTIMONIALS}) as testimonial) as testimonials,
      (select coalesce(json_agg(article), '[]') from (
        select slug, image, title, excerpt, published_on as date from news
        where state = 'published' order by published_on desc, id desc limit ${NEWS}) as article) as news,
      (select coalesce(json_agg(item), '[]') from (
        select image, title from gallery_items
        where state = 'published' order by image_date desc, id desc limit ${GALLERY}) as item) as gallery,
      (select coalesce(json_agg(type), '[]') from services where state <> 'published') as down
  `.execute(connection);
  return rows[0]!;
}

const toTexts = (row: Readonly<Record<(typeof homeColumns)[keyof typeof homeColumns], string>>) =>
  Object.fromEntries(Object.entries(homeColumns).map(([name, column]) => [name, row[column]])) as HomeTexts;

/** Plain text of the first paragraph that isn't empty. Reading HTML costs more than all else, so no others are read. */
function introduction(html: string): string {
  for (const paragraph of html.split(/<\/p\s*>/i)) {
    const text = textOfHtml(paragraph);
    if (text !== "") return cutText(text, MESSAGE_CUT) ?? text;
  }
  return "";
}

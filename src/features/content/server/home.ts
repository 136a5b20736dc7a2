import type { Connection } from "#shared/database/connect.ts";
import { plainText } from "#shared/html/sanitise.ts";
import { describePictures } from "#shared/images/store.ts";
import type { HomeContent } from "../content.ts";
import { cutText } from "../excerpt.ts";

/** More than this many of a kind the home page does not show, so it does not read them. */
const CAUSES = 24;
const TESTIMONIALS = 24;
const NEWS = 6;
const GALLERY = 6;
/** Characters of the chairman's message that introduce it. */
const MESSAGE_CUT = 300;

/** Everything the home page shows, newest or by staff's order: one round of parallel reads, and one for the pictures. */
export async function findHome(connection: Connection): Promise<HomeContent> {
  const [message, causes, testimonials, news, gallery] = await readRows(connection);
  const rows = [...causes, ...testimonials, ...news, ...gallery];
  const addresses = [...rows.map(({ image }) => image), ...(message?.image == null ? [] : [message.image])];
  const pictures = await describePictures(connection, addresses);
  const withPicture = <Row extends { image: string }>({ image, ...row }: Row) => ({
    ...row,
    picture: pictures.get(image)!,
  });
  return {
    message:
      message?.image == null
        ? null
        : { title: message.title, text: introduction(message.html), picture: pictures.get(message.image)! },
    causes: causes.map(withPicture),
    testimonials: testimonials.map(withPicture),
    news: news.map(withPicture),
    gallery: gallery.map(withPicture),
  };
}

function readRows(connection: Connection) {
  return Promise.all([
    connection
      .selectFrom("pages")
      .select(["title", "image", "html"])
      .where("type", "=", "msg_chairman")
      .executeTakeFirst(),
    connection
      .selectFrom("causes")
      .select(["image", "title", "description"])
      .where("state", "=", "published")
      .orderBy("position")
      .orderBy("id")
      .limit(CAUSES)
      .execute(),
    connection
      .selectFrom("testimonials")
      .select(["image", "title"])
      .where("state", "=", "published")
      .orderBy("position")
      .orderBy("id")
      .limit(TESTIMONIALS)
      .execute(),
    connection
      .selectFrom("news")
      .select(["slug", "image", "title", "excerpt", "published_on as date"])
      .where("state", "=", "published")
      .orderBy("published_on", "desc")
      .orderBy("id", "desc")
      .limit(NEWS)
      .execute(),
    connection
      .selectFrom("gallery_items")
      .select(["image", "title"])
      .where("state", "=", "published")
      .orderBy("image_date", "desc")
      .orderBy("id", "desc")
      .limit(GALLERY)
      .execute(),
  ]);
}

/** The first paragraph that says something, in words. */
function introduction(html: string): string {
  const paragraphs = html.split(/<\/p\s*>/i).map(plainText);
  const first = paragraphs.find((text) => text !== "") ?? "";
  return cutText(first, MESSAGE_CUT) ?? first;
}

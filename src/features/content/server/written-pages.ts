import { z } from "zod";
import type { Connection } from "#shared/database/connect.ts";
import { excerpt } from "#shared/excerpt.ts";
import { sanitiseHtml, textOfHtml } from "#shared/html/sanitise.ts";
import { typedWords } from "#shared/images/picture-words.ts";
import { describePicture } from "#shared/images/store.ts";
import type { OwnPage, Service, WrittenPage, WrittenPageType } from "../content.ts";
import type { ServiceType } from "../services.ts";
import { fillIn, type Placeholders } from "./placeholders.ts";
import { readFigures, readQuestions } from "./service-text.ts";

/** One entry of the column `links`. People write this JSON by hand, so each link is validated separately. */
const Reference = z.object({ label: z.string().trim().min(1), url: z.url({ protocol: /^https?$/ }) });

/** A page whose text staff write, with its HTML sanitised again; null if there is none, or it was taken down. */
export async function findWrittenPage(
  connection: Connection,
  type: WrittenPageType,
  placeholders: Placeholders = {},
): Promise<WrittenPage | null> {
  const row = await connection
    .selectFrom("pages")
    .select(["title", "html", "image", "image_words", "image_decorates", "links", "updated_at as updatedAt"])
    .select("search_description")
    .where("type", "=", type)
    .where("state", "=", "published")
    .executeTakeFirst();
  if (row === undefined) return null;
  const { image, image_words, image_decorates, links, search_description, ...page } = row;
  const html = sanitiseHtml(fillIn(page.html, placeholders));
  return {
    ...page,
    html,
    description: search_description || excerpt(textOfHtml(html)),
    alt: typedWords({ image_words, image_decorates }),
    links: links.flatMap((link) => Reference.safeParse(link).data ?? []),
    picture: image === null ? null : await describePicture(connection, image),
  };
}

/** A published page that the charity has added, with its HTML sanitised again. */
export async function findOwnPage(connection: Connection, slug: string): Promise<OwnPage | null> {
  const row = await connection
    .selectFrom("own_pages")
    .select(["title", "summary", "html", "image", "image_words", "image_decorates"])
    .where("slug", "=", slug)
    .where("state", "=", "published")
    .executeTakeFirst();
  if (row === undefined) return null;
  const { title, summary, image, image_words, image_decorates } = row;
  const html = sanitiseHtml(row.html);
  return {
    title,
    summary,
    html,
    description: excerpt(summary || textOfHtml(html) || title),
    alt: typedWords({ image_words, image_decorates }),
    // A draft without a picture, in a preview.
    picture: image === null || image === "" ? null : await describePicture(connection, image),
  };
}

/** The page of a service, with its HTML sanitised again; null if there is none, or it was taken down. */
export async function findService(connection: Connection, type: ServiceType): Promise<Service | null> {
  const row = await connection
    .selectFrom("services")
    .select(["title", "summary", "lede", "give_to", "cause", "donation", "image", "figures", "html", "questions"])
    .select(["image_words", "image_decorates"])
    .where("type", "=", type)
    .where("state", "=", "published")
    .executeTakeFirst();
  if (row === undefined) return null;
  const { give_to: giveTo, image, image_words, image_decorates, figures, html, questions, ...service } = row;
  return {
    alt: typedWords({ image_words, image_decorates }),
    ...service,
    giveTo,
    figures: readFigures(figures).figures,
    html: sanitiseHtml(html),
    questions: readQuestions(questions).questions,
    picture: await describePicture(connection, image),
  };
}

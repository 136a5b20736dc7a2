import { sql } from "kysely";
import { type Paged, pageOf, readCursor } from "#shared/contract/paging.ts";
import type { Connection } from "#shared/database/connect.ts";
import { sanitiseHtml } from "#shared/html/sanitise.ts";
import { typedWords } from "#shared/images/picture-words.ts";
import { describePicture, withPictures } from "#shared/images/store.ts";
import type { Article, ArticleCard } from "../content.ts";

type ListOptions = { readonly limit: number; readonly after?: string | undefined };

/** Published news, newest first; null if `after` is invalid. */
export async function listNews(
  connection: Connection,
  { limit, after }: ListOptions,
): Promise<Paged<ArticleCard> | null> {
  const cursor = after === undefined ? undefined : readCursor(after);
  if (cursor === null) return null;
  const rows = await connection
    .selectFrom("news")
    .select(["id", "slug", "image", "title", "excerpt", "published_on as date"])
    .where("state", "=", "published")
    .$if(cursor !== undefined, (query) =>
      query.where(sql<boolean>`(published_on, id) < (${cursor!.key}::date, ${cursor!.id}::bigint)`),
    )
    .orderBy("published_on", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const { items, next } = pageOf(rows, limit, ({ date, id }) => ({ key: date, id }));
  const cards = await withPictures(connection, items);
  return { items: cards.map(({ id: _, ...card }) => card), next };
}

export async function findArticle(connection: Connection, slug: string): Promise<Article | null> {
  const row = await connection
    .selectFrom("news")
    .select(["slug", "title", "excerpt", "html", "image", "published_on as date", "updated_at as updatedAt"])
    .select(["image_words", "image_decorates"])
    .where("slug", "=", slug)
    .where("state", "=", "published")
    .executeTakeFirst();
  if (row === undefined) return null;
  const { image, image_words, image_decorates, html, ...article } = row;
  const alt = typedWords({ image_words, image_decorates });
  return { ...article, alt, html: sanitiseHtml(html), picture: await describePicture(connection, image) };
}

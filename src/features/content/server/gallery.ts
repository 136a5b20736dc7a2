import { sql } from "kysely";
import { type Paged, pageOf, readCursor } from "#shared/contract/paging.ts";
import type { Connection } from "#shared/database/connect.ts";
import { typedWords } from "#shared/images/picture-words.ts";
import { withPictures } from "#shared/images/store.ts";
import type { GalleryPicture } from "../content.ts";

type ListOptions = { readonly limit: number; readonly after?: string | undefined };

/** Published pictures, newest first; null if `after` is invalid. */
export async function listGallery(
  connection: Connection,
  { limit, after }: ListOptions,
): Promise<Paged<GalleryPicture> | null> {
  const cursor = after === undefined ? undefined : readCursor(after);
  if (cursor === null) return null;
  const rows = await connection
    .selectFrom("gallery_items")
    .select(["id", "title", "description", "image", "image_date as date", "created_by as createdBy"])
    .select(["image_words", "image_decorates"])
    .where("state", "=", "published")
    .$if(cursor !== undefined, (query) =>
      query.where(sql<boolean>`(image_date, id) < (${cursor!.key}::date, ${cursor!.id}::bigint)`),
    )
    .orderBy("image_date", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const { items, next } = pageOf(rows, limit, ({ date, id }) => ({ key: date, id }));
  const pictures = await withPictures(connection, items);
  return {
    items: pictures.map(({ image_words, image_decorates, ...item }) => ({
      ...item,
      alt: typedWords({ image_words, image_decorates }),
    })),
    next,
  };
}

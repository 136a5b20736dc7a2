import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { describeDrawing } from "./drawings.ts";
import { encodeImage, hashImage } from "./encode.ts";
import type { Picture } from "./picture.ts";
import type { ImageFormat } from "./tables.ts";

const stored = /^\/images\/([0-9a-f]{32})$/;

/**
 * Encodes a picture and keeps it; the same bytes again are the same picture. Within a transaction it becomes part of it.
 * @returns the address that content names it by, '/images/<hash>'.
 * @throws AppError `invalid_input` when the bytes are no picture that we take (`encodeImage`).
 */
export async function storeImage(connection: Connection, bytes: Uint8Array): Promise<string> {
  const hash = hashImage(bytes);
  const address = `/images/${hash}`;
  const known = await connection.selectFrom("images").select("hash").where("hash", "=", hash).executeTakeFirst();
  if (known !== undefined) return address;
  const { variants, ...image } = await encodeImage(bytes);
  const insert = async (transaction: Connection) => {
    const inserted = await transaction
      .insertInto("images")
      .values(image)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    // Whoever stored it in the meantime stored the same.
    if (inserted.numInsertedOrUpdatedRows === 0n) return;
    const rows = variants.map((variant) => ({ hash, ...variant }));
    await transaction.insertInto("image_variants").values(rows).execute();
  };
  await (connection.isTransaction ? insert(connection) : connection.transaction().execute(insert));
  return address;
}

/** What pages need to know of every picture that they name, by its address; each address given is in the answer. */
export async function describePictures(
  connection: Connection,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, Picture>> {
  const pictures = new Map(addresses.map((address) => [address, describeDrawing(address)]));
  const hashes = [...pictures.keys()].flatMap((address) => stored.exec(address)?.[1] ?? []);
  if (hashes.length === 0) return pictures;
  const rows = await connection
    .selectFrom("images")
    .innerJoin("image_variants", "image_variants.hash", "images.hash")
    .where("images.hash", "in", hashes)
    .where("image_variants.format", "=", "jpeg")
    .groupBy("images.hash")
    .select(["images.hash", "images.width", "images.height", "images.color"])
    .select(sql<number[]>`array_agg(image_variants.width order by image_variants.width)`.as("widths"))
    .execute();
  for (const { hash, ...shape } of rows) pictures.set(`/images/${hash}`, { address: `/images/${hash}`, ...shape });
  return pictures;
}

/** The same for one picture. */
export async function describePicture(connection: Connection, address: string): Promise<Picture> {
  return (await describePictures(connection, [address])).get(address)!;
}

/** Rows of content with the picture itself where its address stood. */
export async function withPictures<Row extends { readonly image: string }>(
  connection: Connection,
  rows: readonly Row[],
): Promise<(Omit<Row, "image"> & { readonly picture: Picture })[]> {
  const pictures = await describePictures(
    connection,
    rows.map(({ image }) => image),
  );
  return rows.map(({ image, ...row }) => ({ ...row, picture: pictures.get(image)! }));
}

/** The bytes of one variant; without a width, the largest. One read of the primary key. */
export async function findVariant(
  connection: Connection,
  { hash, width, format }: { hash: string; width?: number | undefined; format: ImageFormat },
): Promise<{ width: number; bytes: Buffer } | undefined> {
  return connection
    .selectFrom("image_variants")
    .select(["width", "bytes"])
    .where("hash", "=", hash)
    .where("format", "=", format)
    .$if(width !== undefined, (query) => query.where("width", "=", width!))
    .orderBy("width", "desc")
    .limit(1)
    .executeTakeFirst();
}

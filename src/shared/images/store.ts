import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { Connection } from "#shared/database/connect.ts";
import { describeDrawing } from "./drawings.ts";
import { encodeImage, hashImage } from "./encode.ts";
import type { Picture } from "./picture.ts";
import type { ImageFormat } from "./tables.ts";

const stored = /^\/images\/([0-9a-f]{32})$/;

/**
 * Encodes and stores a picture; the same bytes give the same picture. Joins the caller's transaction, if any.
 * @returns its address for content, '/images/<hash>'.
 * @throws AppError `invalid_input` if the bytes are not an accepted picture (`encodeImage`).
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
    // Someone else has just stored the same picture.
    if (inserted.numInsertedOrUpdatedRows === 0n) return;
    const rows = variants.map((variant) => ({ hash, ...variant }));
    await transaction.insertInto("image_variants").values(rows).execute();
  };
  await (connection.isTransaction ? insert(connection) : connection.transaction().execute(insert));
  return address;
}

/** Stored pictures never change, because their address is the hash of their bytes. For each database. */
const describedIn = new WeakMap<Connection, LRUCache<string, Picture>>();

/** The pictures by their addresses; every given address is in the answer. */
export async function describePictures(
  connection: Connection,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, Picture>> {
  const described = describedIn.get(connection) ?? new LRUCache<string, Picture>({ max: 1000 });
  describedIn.set(connection, described);
  const pictures = new Map(addresses.map((address) => [address, described.get(address) ?? describeDrawing(address)]));
  const hashes = [...pictures.keys()].flatMap((address) =>
    described.has(address) ? [] : (stored.exec(address)?.[1] ?? []),
  );
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
  for (const { hash, ...shape } of rows) {
    const picture = { address: `/images/${hash}`, ...shape };
    described.set(picture.address, picture);
    pictures.set(picture.address, picture);
  }
  return pictures;
}

/** One picture, as `describePictures` does several. */
export async function describePicture(connection: Connection, address: string): Promise<Picture> {
  return (await describePictures(connection, [address])).get(address)!;
}

/** Replaces the address in each row with the picture. */
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

/** The bytes of a variant; without a width, of the largest. */
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

import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { Connection } from "#shared/database/connect.ts";
import { type Files, type StoredFile, storedFile } from "#shared/database/stored-file.ts";
import { createByteCache } from "./byte-cache.ts";
import { describeDrawing } from "./drawings.ts";
import { type EncodedImage, encodeImage, hashImage } from "./encode.ts";
import type { Picture } from "./picture.ts";
import type { ImageFormat } from "./tables.ts";

const stored = /^\/images\/([0-9a-f]{32})$/;

/** What staff see of a picture besides itself. */
type ImageDetails = { readonly name?: string; readonly added_by?: number; readonly created_at?: Date };

/**
 * Encodes and stores a picture in the database; the same bytes give the same picture. Joins the caller's transaction, if
 * any.
 * @returns its address for content, '/images/<hash>'.
 * @throws AppError `invalid_input` if the bytes are not an accepted picture (`encodeImage`).
 */
export async function storeImage(connection: Connection, bytes: Buffer, details: ImageDetails = {}): Promise<string> {
  const hash = hashImage(bytes);
  if (!(await hasImage(connection, hash))) {
    const encoded = await encodeImage(bytes);
    const insert = (transaction: Connection) => insertImage(transaction, { encoded, original: { bytes }, details });
    await (connection.isTransaction ? insert(connection) : connection.transaction().execute(insert));
  }
  return imageAddress(hash);
}

export const imageAddress = (hash: string) => `/images/${hash}`;

async function hasImage(connection: Connection, hash: string): Promise<boolean> {
  const query = connection.selectFrom("images").select("hash").where("hash", "=", hash);
  return (await query.executeTakeFirst()) !== undefined;
}

/** The bytes, or the columns of a file that is written already. */
type InRow = Pick<StoredFile, "bytes"> & Partial<StoredFile>;
type Written<Variant> = Omit<Variant, "bytes"> & InRow;
type WrittenImage = {
  readonly encoded: Omit<EncodedImage, "variants"> & {
    readonly variants: readonly Written<EncodedImage["variants"][number]>[];
  };
  readonly original: InRow;
};
type NewImage = WrittenImage & { readonly details: ImageDetails };

/** Writes a picture's files where new ones go, before the transaction of `insertImage`. @throws AppError `files_away` */
export async function writeImage(files: Files, encoded: EncodedImage, original: Buffer): Promise<WrittenImage> {
  const { variants, ...image } = encoded;
  const [stored, ...copies] = await files.write([original, ...variants.map(({ bytes }) => bytes)]);
  return {
    encoded: { ...image, variants: variants.map((variant, index) => ({ ...variant, ...copies[index]! })) },
    original: stored!,
  };
}

/** Stores an encoded picture with the file it came from. False if somebody else has just stored the same. */
export async function insertImage(
  transaction: Connection,
  { encoded: { variants, ...image }, original, details }: NewImage,
): Promise<boolean> {
  const inserted = await transaction
    .insertInto("images")
    .values({ ...image, ...details })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 0n) return false;
  const { hash } = image;
  const rows = variants.map((variant) => ({ hash, ...variant }));
  await transaction.insertInto("image_variants").values(rows).execute();
  await transaction
    .insertInto("image_originals")
    .values({ hash, ...original })
    .execute();
  return true;
}

/** For each database, until staff change one. */
const describedIn = new WeakMap<Connection, LRUCache<string, Picture>>();
const middle = 50;

/** What staff have changed or deleted is read again. */
export function forgetPictures(connection: Connection): void {
  describedIn.delete(connection);
  variantsIn.delete(connection);
}

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
    .groupBy("images.hash")
    .select(["images.hash", "images.width", "images.height", "images.color", "focus_x", "focus_y"])
    .select([
      sql<number[]>`array_agg(image_variants.width order by image_variants.width) filter (where format = 'jpeg')`.as(
        "widths",
      ),
      sql<boolean>`bool_or(format = 'avif')`.as("hasAvif"),
    ])
    .execute();
  for (const { hash, focus_x, focus_y, hasAvif, ...shape } of rows) {
    const isCentred = focus_x === middle && focus_y === middle;
    const picture: Picture = {
      address: imageAddress(hash),
      ...shape,
      ...(hasAvif && { hasAvif }),
      ...(!isCentred && { focus: [focus_x, focus_y] }),
    };
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

type Wanted = { readonly hash: string; readonly width?: number | undefined; readonly format: ImageFormat };
type Variant = { readonly width: number; readonly bytes: Buffer };

/** The copies that were asked for last, up to 32 MB for each database. */
const variantsIn = new WeakMap<Connection, ReturnType<typeof createByteCache<Variant>>>();

/** Where pictures are read from. */
export type PictureServices = { readonly database: Connection; readonly files: Files };

/** The same as `findVariant`, from memory where it was asked for lately. */
export function findHotVariant(services: PictureServices, wanted: Wanted): Promise<Variant | undefined> {
  const { database } = services;
  const hot = variantsIn.get(database) ?? createByteCache<Variant>(32 * 1024 * 1024);
  variantsIn.set(database, hot);
  const { hash, width, format } = wanted;
  return hot.find(`${hash}/${width ?? "largest"}.${format}`, () => findVariant(services, wanted));
}

/** The bytes of a variant; without a width, of the largest. @throws AppError `files_away` */
export async function findVariant(
  { database, files }: PictureServices,
  { hash, width, format }: Wanted,
): Promise<Variant | undefined> {
  const row = await database
    .selectFrom("image_variants")
    .select(["width", ...storedFile])
    .where("hash", "=", hash)
    .where("format", "=", format)
    .$if(width !== undefined, (query) => query.where("width", "=", width!))
    .orderBy("width", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && { width: row.width, bytes: await files.read(row) };
}

import { type RawBuilder, sql } from "kysely";
import { type Actor, recordAct } from "#admin/audit.ts";
import { plainText } from "#shared/contract/plain-line.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import type { Files } from "#shared/database/stored-file.ts";
import { encodeImage, hashImage } from "#shared/images/encode.ts";
import { imageAddress, insertImage, writeImage } from "#shared/images/store.ts";

/** A picture of the library, as its list shows it. */
export type LibraryPicture = {
  readonly hash: string;
  /** What staff call it: never empty. */
  readonly name: string;
  /** As it was sent, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly focusX: number;
  readonly focusY: number;
  readonly addedAt: Date;
  readonly addedBy: string | null;
  readonly replacedBy: string | null;
  readonly originalBytes: number | null;
  /** Of its smallest copy. */
  readonly thumbnail: string;
};

const MAX_NAME_LENGTH = 120;

/** The name of a file, as people read it; without one, 'Picture'. */
export function pictureName(fileName: string): string {
  const plain = plainText(fileName).replace(/\p{Cc}|\p{Cf}/gu, "");
  const short = [...plain.replace(/\s+/g, " ").trim()].slice(0, MAX_NAME_LENGTH).join("");
  return short === "" ? "Picture" : short;
}

/** `isNew`: false if the library had the same picture already. */
export type AddedPicture = { readonly picture: LibraryPicture; readonly isNew: boolean };

type AddServices = { readonly database: Database; readonly files: Files; readonly now: () => Date };
type Adding = { readonly name: string; readonly bytes: Buffer; readonly actor: Actor };

/**
 * Adds a picture to the library. One that is there already stays as it is, under its own name.
 * @throws AppError `invalid_input` with a sentence for `image` if it is no picture that the site can show, `files_away`.
 */
export async function addPicture(
  { database, files, now }: AddServices,
  { name, bytes, actor }: Adding,
): Promise<AddedPicture> {
  const known = await findPicture(database, hashImage(bytes));
  if (known !== null) return { picture: known, isNew: false };
  const encoded = await encodeImage(bytes);
  const written = await writeImage(files, encoded, bytes);
  const isNew = await database.transaction().execute(async (transaction) => {
    const details = {
      name: pictureName(name),
      created_at: now(),
      ...(actor.staff !== null && { added_by: actor.staff.id }),
    };
    const isNew = await insertImage(transaction, { ...written, details });
    const act = { verb: "pictures.add", subject: "pictures", subjectId: encoded.hash, after: { name: details.name } };
    if (isNew) await recordAct(transaction, actor, act, now());
    return isNew;
  });
  return { picture: (await findPicture(database, encoded.hash))!, isNew };
}

const isNamed = (text: string) =>
  sql<boolean>`strpos(lower(normalize(images.name, NFKC)), lower(normalize(${text}, NFKC))) > 0`;

function selectPictures(connection: Connection) {
  const smallest = sql<number>`(select min(width) from image_variants where hash = images.hash)`;
  return connection
    .selectFrom("images")
    .leftJoin("staff", "staff.id", "images.added_by")
    .select(["images.hash", "width", "height", "focus_x as focusX", "focus_y as focusY"])
    .select(["images.created_at as addedAt", "staff.name as addedBy", "replaced_by as replacedBy"])
    .select([
      sql<string>`coalesce(nullif(images.name, ''), 'Picture')`.as("name"),
      sql<
        number | null
      >`(select coalesce(object_bytes, length(bytes)) from image_originals where hash = images.hash)`.as(
        "originalBytes",
      ),
      sql<string>`'/images/' || images.hash || '/' || ${smallest} || '.webp'`.as("thumbnail"),
    ]);
}

type Filter = {
  readonly q: string;
  /** Further conditions. */
  readonly where?: RawBuilder<boolean>;
  readonly limit: number;
  readonly offset: number;
};

/** Pictures by their names, newest first; one more than `limit`, if there are more. */
export function listPictures(connection: Connection, { q, where, limit, offset }: Filter): Promise<LibraryPicture[]> {
  return selectPictures(connection)
    .$if(q !== "", (query) => query.where(isNamed(plainText(q))))
    .$if(where !== undefined, (query) => query.where(where!))
    .orderBy("images.created_at", "desc")
    .orderBy("images.hash", "desc")
    .limit(limit + 1)
    .offset(offset)
    .execute();
}

/** Whether this is the name of a picture: 32 hexadecimal digits. */
export const isHash = (text: string | undefined): text is string => /^[0-9a-f]{32}$/.test(text ?? "");

export async function findPicture(connection: Connection, hash: string): Promise<LibraryPicture | null> {
  return (await selectPictures(connection).where("images.hash", "=", hash).executeTakeFirst()) ?? null;
}

/** The names of pictures by their hashes, for the audit trail; also of those that were deleted. */
export async function listPictureNames(
  connection: Connection,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ hash: string; name: string }>`
    select subject_id as hash, before->>'name' as name from audit_trail
    where verb = 'pictures.delete' and subject = 'pictures' and subject_id = any(${hashes}::text[])
    union all
    select hash, coalesce(nullif(name, ''), 'Picture') from images where hash = any(${hashes}::text[])`.execute(
    connection,
  );
  return new Map(rows.map(({ hash, name }) => [hash, name]));
}

/** The hash in an address of content; null for a drawing. */
export function hashIn(address: string): string | null {
  const [, hash = null] = /^\/images\/([0-9a-f]{32})$/.exec(address) ?? [];
  return hash;
}

/** What programs of the back office get of a picture. */
export const toJson = ({ hash, name, width, height, thumbnail }: LibraryPicture) => ({
  name,
  width,
  height,
  thumbnail,
  address: imageAddress(hash),
});

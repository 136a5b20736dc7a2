import { z } from "zod";
import { type Action, action, Refusal } from "#admin/actions.ts";
import { type Actor, recordAct } from "#admin/audit.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { formatList, plural } from "#shared/language.ts";
import { line } from "../../server/editing/kind.ts";
import { addPicture, findPicture, isHash, type LibraryPicture } from "../../server/pictures/library.ts";
import { type ReplacedItem, replaceEverywhere } from "../../server/pictures/replace.ts";
import { listUses, type PictureUse, readUses } from "../../server/pictures/uses.ts";
import type { ContentAdminServices } from "../content-services.ts";

const path = "/admin/pictures/:hash";

const percent = z
  .string()
  .trim()
  .regex(/^(\d|[1-9]\d|100)$/, "Enter a whole number from 0 to 100.")
  .transform(Number);

type Changeable = Pick<LibraryPicture, "name" | "focusX" | "focusY">;

/** What the form changes, as it was when the form was shown. */
export const changeableOf = ({ name, focusX, focusY }: Changeable): string => JSON.stringify([name, focusX, focusY]);

/** The forms of one picture. */
export const pictureActions = (services: ContentAdminServices): Action[] => [
  changeAction(services),
  replaceAction(services),
  deleteAction(services),
];

const changeAction = ({ database, now }: ContentAdminServices) =>
  action({
    path,
    screen: path,
    right: "content.change",
    fields: z.object({
      name: line(120, "Enter a name, so that it can be found."),
      x: percent,
      y: percent,
      was: z.string(),
    }),
    run: ({ params, fields: { name, x, y, was }, actor }) =>
      database.transaction().execute(async (transaction) => {
        const picture = await lockPicture(transaction, params.hash);
        if (was !== changeableOf(picture)) {
          throw new Refusal(
            `Somebody changed it while you were here: its name is “${picture.name}”, and its focal point ${picture.focusX} % from the left and ${picture.focusY} % from the top. Save again to use yours.`,
          );
        }
        const before = { name: picture.name, focusX: picture.focusX, focusY: picture.focusY };
        const after = { name, focusX: x, focusY: y };
        const to = `/admin/pictures/${picture.hash}`;
        if (changeableOf(after) === was) return { to, toast: "Nothing was changed." };
        const set = { name, focus_x: x, focus_y: y };
        await transaction.updateTable("images").set(set).where("hash", "=", picture.hash).execute();
        await record(transaction, actor, { verb: "pictures.change", hash: picture.hash, before, after, at: now() });
        return { to, toast: "Saved. Every page shows it like this." };
      }),
  });

const replaceAction = (services: ContentAdminServices) =>
  action({
    path: `${path}/replace`,
    screen: path,
    right: "content.change",
    files: { name: "file", max: 1 },
    fields: z.looseObject({}),
    run: async ({ params, files: [file], actor, staff }) => {
      const { database, now } = services;
      if (file === undefined) throw invalid("Choose a picture first.");
      if ("fault" in file) throw invalid(file.fault);
      const added = { name: file.name, bytes: file.bytes, actor };
      const { picture: newer } = await addPicture(services, added).catch(namedFile);
      await listUses(database, newer.hash);
      const replaced = await database.transaction().execute(async (transaction) => {
        const older = await lockPicture(transaction, params.hash, newer.hash);
        if (older.hash === newer.hash) throw invalid("This is the same file. Choose another.");
        const writing = { by: staff.id, at: now() };
        const uses = await readUses(transaction, older.hash);
        const items = await replaceEverywhere(transaction, uses, { ...writing, older: older.hash, newer });
        await markReplaced(transaction, { older, newer });
        await recordReplaced(transaction, actor, { older, newer, uses, items, at: now() });
        return uses.length;
      });
      const toast = plural(replaced, {
        one: "This picture has replaced the other one, in one place.",
        other: `This picture has replaced the other one, in all ${replaced} places.`,
      });
      return {
        to: `/admin/pictures/${newer.hash}`,
        toast: replaced === 0 ? "This picture is in the library. The other one was not used anywhere." : toast,
      };
    },
  });

const deleteAction = ({ database, now }: ContentAdminServices) =>
  action({
    path: `${path}/delete`,
    screen: path,
    right: "content.change",
    fields: z.object({}),
    run: async ({ params, actor }) => {
      if (isHash(params.hash)) await listUses(database, params.hash);
      return database.transaction().execute(async (transaction) => {
        const { hash, name } = await lockPicture(transaction, params.hash);
        // Now whoever publishes it waits, and finds that it is gone.
        await transaction.selectFrom("images").select("hash").where("hash", "=", hash).forUpdate().execute();
        const uses = await readUses(transaction, hash);
        if (uses.length > 0) {
          const titles = uses.slice(0, 3).map(({ title }) => `“${title}”`);
          throw new Refusal(
            `It is used in ${formatList(uses.length > 3 ? [...titles, "others"] : titles, "and")}. Choose another picture there, or replace this one, before you delete it.`,
          );
        }
        await transaction.deleteFrom("images").where("hash", "=", hash).execute();
        await record(transaction, actor, { verb: "pictures.delete", hash, before: { name }, at: now() });
        return { to: "/admin/pictures", toast: `${name} is deleted.` };
      });
    },
  });

/**
 * The picture, which nobody else changes or deletes until the transaction ends; `and` is another to lock with it. Whoever
 * publishes it meanwhile need not wait: they hold an item that this transaction may want.
 * @throws AppError `not_found`.
 */
async function lockPicture(transaction: Connection, hash: string | undefined, and?: string): Promise<LibraryPicture> {
  if (!isHash(hash)) throw new AppError("not_found");
  const hashes = and === undefined ? [hash] : [hash, and];
  const rows = transaction.selectFrom("images").select("hash").where("hash", "in", hashes).orderBy("hash");
  await rows.forNoKeyUpdate().execute();
  const picture = await findPicture(transaction, hash);
  if (picture === null) throw new AppError("not_found");
  return picture;
}

const invalid = (sentence: string) => new AppError("invalid_input", { fields: { file: [sentence] } });

/** The refusal of a picture, at the field of this form. */
function namedFile(error: unknown): never {
  const [sentence] = error instanceof AppError ? (error.fields?.image ?? []) : [];
  throw sentence === undefined ? error : invalid(sentence);
}

type Both = { readonly older: LibraryPicture; readonly newer: LibraryPicture };

async function markReplaced(transaction: Connection, { older, newer }: Both): Promise<void> {
  const mark = (hash: string, replaced_by: string | null) =>
    transaction.updateTable("images").set({ replaced_by }).where("hash", "=", hash).execute();
  await mark(older.hash, newer.hash);
  await mark(newer.hash, null);
}

type Replaced = Both & {
  readonly uses: readonly PictureUse[];
  readonly items: readonly ReplacedItem[];
  readonly at: Date;
};

async function recordReplaced(
  transaction: Connection,
  actor: Actor,
  { older, newer, uses, items, at }: Replaced,
): Promise<void> {
  const after = { replacement: newer.name, places: uses.map(({ title }) => title) };
  await record(transaction, actor, { verb: "pictures.replace", hash: older.hash, after, at });
  for (const { kind, id, before, after: version } of items) {
    const act = { verb: `${kind.name}.replace_picture`, subject: kind.name, subjectId: String(id) };
    const changes = {
      before: { version: before, picture: older.name },
      after: { version, picture: newer.name },
    };
    await recordAct(transaction, actor, { ...act, ...changes }, at);
  }
}

type PictureAct = {
  readonly verb: `pictures.${"change" | "replace" | "delete"}`;
  readonly hash: string;
  readonly before?: object;
  readonly after?: object;
  readonly at: Date;
};

const record = (transaction: Connection, actor: Actor, { verb, hash, at, ...changes }: PictureAct) =>
  recordAct(transaction, actor, { verb, subject: "pictures", subjectId: hash, ...changes }, at);

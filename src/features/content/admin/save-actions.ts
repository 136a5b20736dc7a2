import { z } from "zod";
import { type Action, type ActionDone, action, Refusal, type ToCheck } from "#admin/actions.ts";
import { type Actor, recordAct } from "#admin/audit.ts";
import { describeSeen } from "#admin/set-up.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { cleanHtml } from "#shared/html/removed-parts.ts";
import { isDay, momentInSydney } from "#shared/language.ts";
import { findVersion, type Item, lockItem } from "../server/editing/items.ts";
import {
  type ContentData,
  canTakeDown,
  type Kind,
  readContent,
  rightsOf,
  withoutDelivered,
} from "../server/editing/kind.ts";
import {
  canPutAside,
  createItem,
  findMade,
  planRow,
  publishedChanges,
  publishVersion,
  putAside,
  restoreVersion,
  saveVersion,
  scheduleVersion,
  takeDown,
  withAddress,
} from "../server/editing/write.ts";
import { takeInSavedLinks } from "../server/external-links/take-in-links.ts";
import { agreementTo } from "./agreement.ts";
import { listNeeded } from "./checks.ts";
import type { ContentAdminServices } from "./content-services.ts";
import { agreementToMove, describeEventMove, listMoved } from "./events/moved-event.ts";
import { describeTime } from "./item-words.ts";

/** What a button does after what was typed has been saved. */
const Next = z
  .enum(["save", "publish", "schedule", "unschedule", "take-down", "put-aside", "bring-back"])
  .catch("save");

/** A form’s fields by their names; those of the kind are read by its own rules. */
const Fields = z.looseObject({
  next: Next,
  from: z.coerce.number().int().positive().max(1_000_000_000).catch(0),
  agreed: z.string().catch(""),
  agreedMove: z.string().catch(""),
  on: z.string().catch(""),
  at: z.string().catch(""),
});
type Fields = z.output<typeof Fields>;

type Writing = {
  readonly services: ContentAdminServices;
  readonly transaction: Connection;
  readonly kind: Kind;
  readonly actor: Actor;
  readonly by: number;
  readonly at: Date;
};

/** The forms of a kind: a new item, an item, and an earlier version of it. */
export function saveActions(services: ContentAdminServices, kind: Kind): Action[] {
  const item = saveAction(services, kind);
  return kind.isOpen
    ? [createAction(services, kind), item, restoreAction(services, kind)]
    : [item, restoreAction(services, kind)];
}

const createAction = (services: ContentAdminServices, kind: Kind) =>
  action({
    path: `/admin/${kind.name}/new`,
    screen: `/admin/${kind.name}/new`,
    right: rightsOf(kind).change,
    fields: Fields.extend({ form: z.uuid() }),
    run: async ({ fields, actor, staff }) => {
      const done = await services.database.transaction().execute(async (transaction) => {
        const writing = { services, transaction, kind, actor, by: staff.id, at: services.now() };
        const made = await findMade(transaction, fields.form);
        // The form was sent before. If it has been changed since, that becomes another version.
        if (made !== null) return saveTyped(writing, await lockItem(transaction, kind, made), { ...fields, from: 1 });
        const read = readTyped(kind, fields, null);
        if ("check" in read) return read;
        const data = await withAddress(transaction, kind, read.data, null);
        const id = await createItem(transaction, kind, {
          data,
          formKey: fields.form,
          by: staff.id,
          at: services.now(),
        });
        await takeInSavedLinks(transaction, kind, { data, at: services.now() });
        await record(writing, id, "create", { after: { title: data.title } });
        const item = await lockItem(transaction, kind, id);
        return finish(writing, item, { data, version: 1, fields, isChanged: true });
      });
      return orRefuse(done);
    },
  });

const saveAction = (services: ContentAdminServices, kind: Kind) =>
  action({
    path: `/admin/${kind.name}/:id`,
    screen: `/admin/${kind.name}/:id`,
    right: rightsOf(kind).change,
    fields: Fields,
    run: async ({ params, fields, actor, staff }) => {
      const done = await services.database.transaction().execute(async (transaction) => {
        const writing = { services, transaction, kind, actor, by: staff.id, at: services.now() };
        const typed = withoutDelivered(fields, kind.delivered?.(services.organisation.current()) ?? {});
        return saveTyped(writing, await lockItem(transaction, kind, readId(params.id)), typed);
      });
      return orRefuse(done);
    },
  });

/** What was typed has been saved, and the refusal must not undo that. */
function orRefuse<Done>(done: Done | Refusal): Done {
  if (done instanceof Refusal) throw done;
  return done;
}

/** Saves what was typed and does what the button says; nothing more than saving if somebody else has saved since. */
async function saveTyped(writing: Writing, item: Item, fields: Fields): Promise<ActionDone | ToCheck | Refusal> {
  const { transaction, kind, by, at } = writing;
  const base = await findVersion(transaction, item.id, fields.from);
  if (base === null) throw new AppError("not_found");
  const read = readTyped(kind, fields, base.data);
  if ("check" in read) return read;
  const isMoved = read.data.slug !== base.data.slug;
  const data = isMoved ? await withAddress(transaction, kind, read.data, item) : read.data;
  const move = await checkMove(writing, item, data, fields);
  if (move !== null) return move;
  const { version, outcome } = await saveVersion(transaction, kind, item, { data, from: fields.from, by, at });
  if (outcome !== "unchanged") await takeInSavedLinks(transaction, kind, { data, at });
  if (outcome === "aside") {
    await record(writing, item.id, "keep_aside", { after: { version } });
    return new Refusal(await describeConflict(writing, item, version));
  }
  const isChanged = outcome === "saved";
  if (kind.isPlanned && isChanged && !item.wasPublished) await planRow(transaction, kind, item, { data, at });
  if (isChanged) await record(writing, item.id, "save", { before: { version: item.latest }, after: { version } });
  return finish(writing, item, { data, version, fields, isChanged });
}

/** What it means for holders of tickets if the time or place of a published event changes, unless that was read. */
async function checkMove(
  { services, transaction, kind }: Writing,
  item: Item,
  data: ContentData,
  { next, agreedMove }: Fields,
): Promise<ToCheck | null> {
  const publishes = next === "publish" || next === "schedule";
  if (kind.name !== "events" || item.published === null || !publishes) return null;
  const published = (await findVersion(transaction, item.id, item.published))!;
  const moved = listMoved(published.data, data);
  if (moved.length === 0 || agreedMove === agreementToMove(data)) return null;
  const sold = await services.eventTickets.countSold(transaction, Number(item.key));
  return sold === 0 ? null : { check: describeEventMove(moved, sold) };
}

const restoreAction = (services: ContentAdminServices, kind: Kind) =>
  action({
    right: rightsOf(kind).change,
    screen: `/admin/${kind.name}/:id/history`,
    path: `/admin/${kind.name}/:id/restore`,
    fields: Fields.extend({ version: z.coerce.number().int().positive() }),
    run: ({ params, fields, actor, staff }) =>
      services.database.transaction().execute(async (transaction) => {
        const writing = { services, transaction, kind, actor, by: staff.id, at: services.now() };
        const item = await lockItem(transaction, kind, readId(params.id));
        if (fields.from !== item.latest) {
          throw new Refusal(
            "Somebody has saved since you opened this page. Nothing was restored: look at the list again.",
          );
        }
        const restored = await restoreVersion(transaction, item, {
          version: fields.version,
          by: staff.id,
          at: services.now(),
        });
        const { data } = (await findVersion(transaction, item.id, restored))!;
        await takeInSavedLinks(transaction, kind, { data, at: services.now() });
        const versions = { before: { version: item.latest }, after: { version: restored, restored: fields.version } };
        await record(writing, item.id, "restore", versions);
        const toast = `Version ${fields.version} is back, as version ${restored}. Publish it for visitors to see it.`;
        return { to: itemPath(kind, item.id), toast };
      }),
  });

const itemPath = (kind: Kind, id: number) => `/admin/${kind.name}/${id}`;

const readId = (text: string | undefined) => (/^\d{1,15}$/.test(text ?? "") ? Number(text) : 0);

/**
 * The typed data with its HTML sanitised, or what that would leave out, if the person has not agreed to it yet. @throws
 * AppError `invalid_input`.
 */
function readTyped(kind: Kind, fields: Fields, base: ContentData | null): { data: ContentData } | ToCheck {
  const read = readContent(kind, fields, base);
  if ("errors" in read) throw new AppError("invalid_input", { fields: read.errors });
  const data: Record<string, ContentData[string]> = { ...read.data };
  for (const { name, input } of kind.fields) {
    const typed = data[name];
    if (input !== "html" || typeof typed !== "string" || typed === base?.[name]) continue;
    const { html, removed } = cleanHtml(typed);
    if (removed.length > 0 && fields.agreed !== agreementTo(typed)) {
      return {
        check: "Nothing is saved yet: the site cannot show some of what is in the text. See what would be left out.",
      };
    }
    data[name] = html;
  }
  return { data: kind.tidy?.(data) ?? data };
}

async function describeConflict({ transaction, by }: Writing, item: Item, kept: number): Promise<string> {
  const { savedBy } = (await findVersion(transaction, item.id, item.latest))!;
  const todo = `Yours is safe as version ${kept} in the history. Compare them below, take over what you want into your text, and save again.`;
  if (savedBy?.id === by)
    return `You saved version ${item.latest} in another window while you were writing here. ${todo}`;
  const who = savedBy?.name ?? "Somebody outside the back office";
  return `${who} saved version ${item.latest} while you were writing. ${todo}`;
}

type ToFinish = {
  readonly data: ContentData;
  readonly version: number;
  readonly fields: Fields;
  readonly isChanged: boolean;
};

/** Does what the button said with the version that has just been saved, or that nobody had changed. */
async function finish(
  writing: Writing,
  item: Item,
  { data, version, fields, isChanged }: ToFinish,
): Promise<ActionDone> {
  const { transaction, kind, by } = writing;
  const to = itemPath(kind, item.id);
  const before = { version: item.published };
  switch (fields.next) {
    case "publish": {
      await requireComplete(writing, item, data);
      const moved = await publishVersion(transaction, kind, item, { version, by, at: writing.at }).catch(
        refuseTakenAddress,
      );
      await record(writing, item.id, "publish", publishedChanges(item, version, moved));
      const seen = `Published. ${describeSeen(writing.services)}`;
      return { to, toast: item.scheduled === null ? seen : `${seen} The scheduled time is cancelled.` };
    }
    case "schedule": {
      await requireComplete(writing, item, data);
      const at = readTime(fields, writing.at);
      await scheduleVersion(transaction, item, { version, at, by });
      await record(writing, item.id, "schedule", { after: { version, publishAt: at.toISOString() } });
      return { to, toast: `Visitors will see version ${version} from ${describeTime(at)}, Sydney time.` };
    }
    case "unschedule": {
      await scheduleVersion(transaction, item, null);
      if (item.scheduled !== null) {
        const publishAt = item.scheduled.at.toISOString();
        await record(writing, item.id, "unschedule", { before: { version: item.scheduled.version, publishAt } });
      }
      return { to, toast: "It will no longer be published at a time." };
    }
    case "take-down": {
      if (item.published === null) {
        return { to, toast: "Saved. Visitors did not see it, so there was nothing to take down." };
      }
      if (!canTakeDown(kind, item.key)) throw new Refusal("This is always there, and cannot be taken down.");
      await takeDown(transaction, kind, item);
      await record(writing, item.id, "take_down", { before });
      return { to, toast: "Taken down. Visitors no longer see it, and all its versions are kept." };
    }
    case "put-aside": {
      if (!canPutAside(item)) throw new Refusal("Only a draft that was never published can be put aside.");
      await putAside(transaction, item, true);
      await record(writing, item.id, "put_aside", {});
      return { to, toast: "Put aside. You find it at the filter ‘Put aside’." };
    }
    case "bring-back": {
      await putAside(transaction, item, false);
      if (item.isPutAside) await record(writing, item.id, "bring_back", {});
      return { to, toast: "It is in the list again." };
    }
    default:
      return { to, toast: isChanged ? `Saved as version ${version}.` : "Nothing was changed." };
  }
}

async function requireComplete({ transaction, kind, at }: Writing, { key }: Item, data: ContentData): Promise<void> {
  const needed = await listNeeded(transaction, kind, data, { now: at, key });
  if (Object.keys(needed).length > 0) throw new AppError("invalid_input", { fields: needed });
}

/** @throws AppError `invalid_input` unless it is a time to come. */
function readTime({ on, at }: Fields, now: Date): Date {
  const invalid = (fields: Record<string, string[]>) => new AppError("invalid_input", { fields });
  if (!isDay(on)) throw invalid({ on: ["Choose the day on which it is published."] });
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(at)) throw invalid({ at: ["Choose the time, such as 07:00."] });
  const moment = momentInSydney(on, at);
  if (moment <= now) throw invalid({ on: ["Choose a time to come, or publish now."] });
  return moment;
}

const UNIQUE_VIOLATION = "23505";

/** Somebody may have written a row with this address by SQL. */
function refuseTakenAddress(error: unknown): never {
  if ((error as { code?: string }).code === UNIQUE_VIOLATION) {
    throw new Refusal("Another item on the site has this address. Choose a different one, and publish again.");
  }
  throw error;
}

type Verb =
  | "create"
  | "save"
  | "keep_aside"
  | "publish"
  | "schedule"
  | "unschedule"
  | "take_down"
  | "put_aside"
  | "bring_back"
  | "restore";

function record(
  { transaction, kind, actor, at }: Writing,
  id: number,
  verb: Verb,
  changes: { before?: object; after?: object },
) {
  const act = { verb: `${kind.name}.${verb}`, subject: kind.name, subjectId: String(id), ...changes };
  return recordAct(transaction, actor, act, at);
}

import type { z } from "zod";
import { type Action, action, Refusal } from "#admin/actions.ts";
import { type Act, type Actor, recordAct } from "#admin/audit.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import type { EventOfScreen } from "#shared/events/event.ts";
import { describeSkippedTime } from "#shared/events/event-clock.ts";
import { findEventOfScreen } from "#shared/events/find-event.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { clockIn, formatList, momentIn } from "#shared/language.ts";
import { readDollars } from "#shared/money.ts";

export type TicketAdminServices = CoreServices<"database" | "now", "publicUrl">;

export const invalid = (fields: Record<string, string[]>) => new AppError("invalid_input", { fields });

export type Changing<Fields> = {
  readonly transaction: Connection;
  readonly event: EventOfScreen;
  readonly fields: Fields;
  readonly params: Readonly<Record<string, string>>;
  readonly at: Date;
  readonly actor: Actor;
  readonly record: (act: Omit<Act, "subject" | "subjectId">) => Promise<unknown>;
};

type EventAction<Fields extends z.ZodType> = {
  /** Below /admin/events/:id. */
  readonly path: string;
  readonly screen: string;
  readonly fields: Fields;
  /** What the toast says, and where the browser goes, below /admin/events/{id}. */
  readonly run: (changing: Changing<z.output<Fields>>) => Promise<{ toast?: string; to: string }>;
};

/** A form about an event, which changes something in one transaction. */
export function eventAction<Fields extends z.ZodType>(
  { database, now }: Pick<TicketAdminServices, "database" | "now">,
  { path, screen, fields, run }: EventAction<Fields>,
): Action {
  return action({
    path: `/admin/events/:id${path}`,
    screen: `/admin/events/:id${screen}`,
    right: "events.change",
    fields,
    run: ({ params, fields: typed, actor }) =>
      database.transaction().execute(async (transaction) => {
        const event = await requireEvent(transaction, params.id);
        const at = now();
        const subject = { subject: "events", subjectId: String(event.screenId) };
        const done = await run({
          transaction,
          event,
          fields: typed,
          params,
          at,
          actor,
          record: (act) => recordAct(transaction, actor, { ...act, ...subject }, at),
        });
        return { ...done, to: `/admin/events/${event.screenId}${done.to}` };
      }),
  });
}

/** The event of a screen, by the id in its address. @throws AppError `not_found` */
export async function requireEvent(connection: Connection, screenId = ""): Promise<EventOfScreen> {
  const event = await findEventOfScreen(connection, screenId);
  if (event === null) throw new AppError("not_found");
  return event;
}

/** What is saved of a type or code, by the labels of its form. */
export type SavedWords = Readonly<Record<string, string>>;

/**
 * `was` is what was saved when the form was opened, as JSON. @throws Refusal if somebody has saved something else since;
 * it says what the form would overwrite.
 */
export function requireUnchanged(was: string | undefined, saved: SavedWords, typed: SavedWords): void {
  if (was === undefined || was === JSON.stringify(saved)) return;
  const differing = Object.entries(saved).filter(([label, text]) => typed[label] !== text);
  if (differing.length === 0) return;
  const now = differing.map(([label, text]) => `‘${label}’: ${text || "nothing"}`);
  throw new Refusal(
    `Somebody changed this while you were writing. What is saved differs from your form in ${formatList(now, "and")}. Save again to use what you typed.`,
  );
}

export const readId = (text: string | undefined) => (/^[1-9]\d{0,14}$/.test(text ?? "") ? Number(text) : 0);

/** A time on the event's clock, from a field; null if it is empty. @throws AppError `invalid_input` */
function readClock(typed: string, field: string, timeZone: string): Date | null {
  const text = typed.trim();
  if (text === "") return null;
  const [, local] = /^(\d{4}-\d\d-\d\d[T ][0-2]\d:[0-5]\d)(?::\d\d)?$/.exec(text) ?? [];
  const onClock = `${local?.replace(" ", "T")}:00`;
  if (local === undefined || Number.isNaN(momentIn(timeZone, onClock).getTime())) {
    throw invalid({ [field]: ["Enter a day and a time, such as 2026-11-24 07:00, or leave it empty."] });
  }
  const skipped = describeSkippedTime(timeZone, onClock);
  if (skipped !== null) throw invalid({ [field]: [skipped] });
  return momentIn(timeZone, onClock);
}

/** The fields `from` and `until`, as `readClock` reads each. @throws AppError `invalid_input`, `backwards` if they are */
export function readTimes(
  { from, until }: { readonly from: string; readonly until: string },
  timeZone: string,
  backwards: string,
): [Date | null, Date | null] {
  const [begin, end] = [readClock(from, "from", timeZone), readClock(until, "until", timeZone)];
  if (begin !== null && end !== null && end <= begin) throw invalid({ until: [backwards] });
  return [begin, end];
}

/** The city that names a time zone, such as 'Karachi' of 'Asia/Karachi'. */
export const cityOf = (timeZone: string) => timeZone.split("/").at(-1)!.replaceAll("_", " ");

/** A time as its field shows it. */
export const writeClock = (at: Date | null, timeZone: string) =>
  at === null ? "" : clockIn(timeZone, at).slice(0, 16);

/** A whole number from a field. @throws AppError `invalid_input` */
export function readCount(typed: string, field: string, { min, max }: { min: number; max: number }): number {
  const text = typed.trim();
  const count = /^\d{1,7}$/.test(text) ? Number(text) : -1;
  if (count < min || count > max) throw invalid({ [field]: [`Enter a whole number from ${min} to ${max}.`] });
  return count;
}

const MAX_CENTS = 99_999_999;

/** Cents from dollars as people type them: '50', '49.50' or '1,015'; 0 is allowed. @throws AppError `invalid_input` */
export function readCents(typed: string, field: string): number {
  const cents = readDollars(typed.trim());
  if (cents === null || cents > MAX_CENTS) {
    throw invalid({ [field]: ["Enter dollars, such as 50 or 49.50. 0 is free."] });
  }
  return cents;
}

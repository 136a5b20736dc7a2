import { createHash } from "node:crypto";
import { z } from "zod";
import { type Action, action, Refusal } from "#admin/actions.ts";
import { recordAct } from "#admin/audit.ts";
import { AppError } from "#shared/errors.ts";
import { isDay } from "#shared/language.ts";
import { events, moveEvent } from "../../server/editing/event-kind.ts";
import { findVersion, lockItem } from "../../server/editing/items.ts";
import { toText } from "../../server/editing/kind.ts";
import { createItem, findMade, withAddress } from "../../server/editing/write.ts";
import type { ContentAdminServices } from "../content-services.ts";

/** Copies an event as a draft on another day, with its ticket types, whose sales move by as much. */
export const copyEventAction = ({ database, eventTickets, now }: ContentAdminServices): Action =>
  action({
    path: "/admin/events/:id/copy",
    screen: "/admin/events/:id",
    right: "events.change",
    fields: z.object({ on: z.string().trim().catch(""), at: z.string().trim().catch(""), form: z.uuid() }),
    run: ({ params, fields, actor, staff }) =>
      database.transaction().execute(async (transaction) => {
        const original = await lockItem(transaction, events, /^\d{1,15}$/.test(params.id!) ? Number(params.id) : 0);
        const { data } = (await findVersion(transaction, original.id, original.latest))!;
        if (toText(data.starts_at) === "" || toText(data.ends_at) === "")
          throw new Refusal("Say first when this event starts and ends. Nothing was copied.");
        const moved = moveEvent(data, readStart(fields, toText(data.starts_at)));
        // Sent twice, it is one copy; with another day, such as after going back, it is another.
        const formKey = createHash("sha256").update(`${fields.form} ${moved.starts_at}`).digest("hex").slice(0, 32);
        const made = await findMade(transaction, formKey);
        if (made !== null) return { to: `/admin/events/${made}` };
        const addressed = await withAddress(transaction, events, { ...moved, slug: "" }, null);
        const writing = { by: staff.id, at: now() };
        const id = await createItem(transaction, events, { data: addressed, formKey, ...writing });
        const copy = await lockItem(transaction, events, id);
        const onClock = (shown: typeof data) => Date.parse(`${toText(shown.starts_at)}Z`);
        const [from, to] = [Number(original.key), Number(copy.key)];
        const move = { moveMs: onClock(moved) - onClock(data), timeZone: toText(data.time_zone) };
        const types = original.key === null ? 0 : await eventTickets.copyTypes(transaction, { from, to, ...move });
        const act = { verb: "events.copy", subject: "events", subjectId: String(original.id) };
        await recordAct(transaction, actor, { ...act, after: { title: data.title, copy: id, types } }, now());
        return { to: `/admin/events/${id}`, toast: "Copied as a draft. Check it, and publish it." };
      }),
  });

/** The typed day, at the typed time or that of the original. @throws AppError `invalid_input` */
function readStart({ on, at }: { on: string; at: string }, original: string): string {
  if (!isDay(on)) throw new AppError("invalid_input", { fields: { on: ["Choose the day of the copy."] } });
  if (at === "") return on + original.slice(10);
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(at))
    throw new AppError("invalid_input", { fields: { at: ["Choose the time, such as 18:30, or leave it empty."] } });
  return `${on}T${at}:00`;
}

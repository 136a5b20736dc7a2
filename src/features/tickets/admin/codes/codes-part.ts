import { z } from "zod";
import { type Action, Refusal } from "#admin/actions.ts";
import type { AdminPart } from "#admin/feature.ts";
import { AppError } from "#shared/errors.ts";
import type { EventOfScreen } from "#shared/events/event.ts";
import { findEventOfScreen } from "#shared/events/find-event.ts";
import { formatList, plural } from "#shared/language.ts";
import { describeDiscount, tidyCode } from "../../discounts.ts";
import { countUses, type DiscountCodeRow } from "../../server/price-order.ts";
import { lapseHolds } from "../../server/seats.ts";
import { listAllTypes } from "../../server/ticket-types.ts";
import {
  type Changing,
  eventAction,
  invalid,
  readCents,
  readCount,
  readId,
  readTimes,
  requireUnchanged,
  type SavedWords,
  type TicketAdminServices,
  writeClock,
} from "../ticket-services.ts";

export type CodeOfEvent = DiscountCodeRow & { readonly uses: number };
export type CodesOfEvent = {
  readonly event: EventOfScreen;
  readonly codes: readonly CodeOfEvent[];
  readonly types: readonly { readonly id: number; readonly title: string }[];
};

declare module "#admin/screen.ts" {
  interface AdminReads {
    /** The discount codes of an event; null if there is no such event. */
    readonly findCodesOfEvent: (screenId: string) => Promise<CodesOfEvent | null>;
  }
}

const Fields = z.object({
  code: z.string().transform(tidyCode),
  kind: z.enum(["percent", "cents"], "Choose one."),
  amount: z.string(),
  types: z.preprocess((typed) => [typed ?? []].flat(), z.array(z.string())),
  from: z.string(),
  until: z.string(),
  uses: z.string(),
  perOrder: z.string(),
  was: z.string().optional(),
});

/** The columns of a code from the form. @throws AppError `invalid_input` */
function readCode(fields: z.output<typeof Fields>, { timeZone }: EventOfScreen) {
  if (!/^[A-Z0-9-]{3,30}$/.test(fields.code)) {
    throw invalid({ code: ["Use 3 to 30 letters, digits and hyphens, such as SPRING26."] });
  }
  const isPercent = fields.kind === "percent";
  const percent = isPercent ? readCount(fields.amount.replace("%", ""), "amount", { min: 1, max: 100 }) : null;
  const cents = isPercent ? null : readCents(fields.amount, "amount");
  if (cents === 0) throw invalid({ amount: ["Enter what it takes off each ticket, such as 10."] });
  const [valid_from, valid_until] = readTimes(fields, timeZone, "Choose an end after the start.");
  const most_uses = fields.uses.trim() === "" ? null : readCount(fields.uses, "uses", { min: 1, max: 1_000_000 });
  const most_per_order = readCount(fields.perOrder, "perOrder", { min: 1, max: 9999 });
  return { code: fields.code, percent, cents, valid_from, valid_until, most_uses, most_per_order };
}

type CodeColumns = ReturnType<typeof readCode> & { readonly type_ids: readonly number[] };

/** What the audit trail keeps of a code. */
const seenCode = (code: CodeColumns) => ({
  code: code.code,
  percent: code.percent,
  offCents: code.cents,
  uses: code.most_uses,
  perOrder: code.most_per_order,
  salesFrom: code.valid_from,
  salesUntil: code.valid_until,
});

type Titled = { readonly id: number; readonly title: string };

/** The titles of the types that a code is for. */
export const describeTypes = ({ type_ids }: Pick<CodeColumns, "type_ids">, types: readonly Titled[]): string =>
  type_ids.length === 0
    ? "All types"
    : formatList(
        types.filter(({ id }) => type_ids.includes(id)).map(({ title }) => title),
        "and",
      );

/** What is saved of a code, as its form shows it. */
export const savedCode = (code: CodeColumns, { timeZone }: EventOfScreen, types: readonly Titled[]): SavedWords => ({
  "It takes off": describeDiscount(code),
  "On which tickets": describeTypes(code, types),
  From: writeClock(code.valid_from, timeZone),
  Until: writeClock(code.valid_until, timeZone),
  "Tickets in all": String(code.most_uses ?? ""),
  "Most in one order": String(code.most_per_order),
});

/** The discount codes of an event. */
export function codesPart(services: TicketAdminServices): AdminPart {
  const { database } = services;
  return {
    reads: {
      findCodesOfEvent: async (screenId: string): Promise<CodesOfEvent | null> => {
        const event = await findEventOfScreen(database, screenId);
        if (event === null) return null;
        const codes = database
          .selectFrom("discount_codes")
          .selectAll()
          .where("event_id", "=", event.id)
          .orderBy("id", "desc");
        const [rows, types] = await Promise.all([codes.execute(), listAllTypes(database, event.id)]);
        const uses = await countUses(
          database,
          rows.map(({ id }) => id),
        );
        return { event, types, codes: rows.map((row) => ({ ...row, uses: uses.get(row.id) ?? 0 })) };
      },
    },
    actions: [addAction(services), changeAction(services), endAction(services)],
  };
}

const addAction = (services: TicketAdminServices): Action =>
  eventAction(services, {
    path: "/codes",
    screen: "/codes",
    fields: Fields,
    async run(changing) {
      const { transaction, event, record } = changing;
      const code = { ...readCode(changing.fields, event), type_ids: await readTypes(changing) };
      const added = await transaction
        .insertInto("discount_codes")
        .values({ ...code, event_id: event.id })
        .onConflict((conflict) => conflict.columns(["event_id", "code"]).doNothing())
        .returning("id")
        .executeTakeFirst();
      if (added === undefined) throw invalid({ code: ["This event has this code already, perhaps an ended one."] });
      await record({ verb: "events.add_code", after: seenCode(code) });
      return { to: "/codes", toast: `${code.code} can be used now.` };
    },
  });

const changeAction = (services: TicketAdminServices): Action =>
  eventAction(services, {
    path: "/codes/:code",
    screen: "/codes/:code",
    fields: Fields.omit({ code: true }),
    async run(changing) {
      const { transaction, event, fields, record } = changing;
      const row = await lockCode(changing);
      const code = { ...readCode({ ...fields, code: row.code }, event), type_ids: await readTypes(changing) };
      const types = await listAllTypes(transaction, event.id);
      requireUnchanged(fields.was, savedCode(row, event, types), savedCode(code, event, types));
      const used = (await countUses(transaction, [row.id])).get(row.id) ?? 0;
      if (code.most_uses !== null && code.most_uses < used) {
        const figure = plural(used, { one: "1 ticket has it", other: `${used} tickets have it` });
        throw invalid({ uses: [`Enter ${used} or more: ${figure}, sold or held.`] });
      }
      await transaction.updateTable("discount_codes").set(code).where("id", "=", row.id).execute();
      await record({ verb: "events.change_code", before: seenCode(row), after: seenCode(code) });
      return { to: "/codes", toast: `Saved ${row.code}.` };
    },
  });

const endAction = (services: TicketAdminServices): Action =>
  eventAction(services, {
    path: "/codes/:code/end",
    screen: "/codes/:code",
    fields: z.object({}),
    async run(changing) {
      const { transaction, at, record } = changing;
      const { id, code, ended_at } = await lockCode(changing);
      if (ended_at !== null) throw new Refusal("This code has ended already.");
      await transaction.updateTable("discount_codes").set({ ended_at: at }).where("id", "=", id).execute();
      await record({ verb: "events.end_code", after: { code } });
      return { to: "/codes", toast: `${code} has ended. Orders that have it keep their price.` };
    },
  });

/** The code of the address. Who holds seats waits for it, so that no use is counted meanwhile. */
async function lockCode({ transaction, event, params, at }: Changing<unknown>): Promise<DiscountCodeRow> {
  await lapseHolds(transaction, event.id, at);
  const row = await transaction
    .selectFrom("discount_codes")
    .selectAll()
    .where("event_id", "=", event.id)
    .where("id", "=", readId(params.code))
    .executeTakeFirst();
  if (row === undefined) throw new AppError("not_found");
  return row;
}

/** The ids of the ticked types; none if it applies to all. @throws AppError `invalid_input` if none of several is */
async function readTypes({ transaction, event, fields }: Changing<{ types: readonly string[] }>): Promise<number[]> {
  const own = (await listAllTypes(transaction, event.id)).map(({ id }) => id);
  const ticked = own.filter((id) => fields.types.includes(String(id)));
  if (ticked.length === 0 && own.length > 1) throw invalid({ types: ["Choose at least one."] });
  return ticked.length === own.length ? [] : ticked;
}

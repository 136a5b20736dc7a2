import { z } from "zod";
import { type Action, Refusal } from "#admin/actions.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { addDays, formatDay, formatDollars, isDay } from "#shared/language.ts";
import { readPrice, statesOf } from "../../catalogue.ts";
import { insertPrice, type NewPrice, withdrawPrice } from "../../server/change-catalogue.ts";
import { listPrices } from "../../server/find-cause.ts";
import { type CatalogueServices, causeAction, causeScreenPath, invalid, readId } from "./catalogue-step.ts";
import { PRICE_FAULT } from "./cause-actions.ts";

const MAX_DAYS_AHEAD = 800;

/** The forms of prices. Each asks for the passkey. */
export function priceActions(services: CatalogueServices): Action[] {
  return [setPrice(services), takeBack(services)];
}

const setPrice = (services: CatalogueServices) =>
  causeAction(services, {
    path: "/prices",
    needsProof: true,
    fields: z.object({ kind: z.string().default(""), dollars: z.string(), from: z.string().trim() }),
    run: async ({ transaction, cause, fields, by, at, today, record }) => {
      if (cause.isFree) throw new AppError("not_found");
      const cents = readPrice(fields.dollars);
      const kind = cause.hasKinds ? cause.kinds.find(({ id }) => id === readId(fields.kind)) : null;
      const day = dayFault(fields.from, today);
      const errors = {
        ...(cents === null && { dollars: [PRICE_FAULT] }),
        ...(kind === undefined && { kind: ["Choose the kind that this price is for."] }),
        ...(day !== null && { from: [day] }),
      };
      if (cents === null || kind === undefined || day !== null) throw invalid(errors);
      const holdsFrom = fields.from;
      const price = { categoryId: cause.id, subcategoryId: kind?.id ?? null, holdsFrom, cents, by, at };
      if (await isSet(transaction, price)) return { to: causeScreenPath(cause), toast: "This price was set already." };
      await insertPrice(transaction, price);
      await record("catalogue.price", {
        before: { cents: kind === null ? cause.cents : kind.cents },
        after: { ...(kind !== null && { kindTitle: kind.title }), cents, holdsFrom },
      });
      const what = kind?.title ?? cause.title;
      return {
        to: causeScreenPath(cause),
        toast:
          holdsFrom === today
            ? `${what} costs ${formatDollars(cents)} from now on.`
            : `${what} will cost ${formatDollars(cents)} from ${formatDay(holdsFrom)} on, Sydney time.`,
      };
    },
  });

/** Whether this price is already set for that day: a form that is sent twice counts once. */
async function isSet(connection: Connection, { categoryId, subcategoryId, holdsFrom, cents }: NewPrice) {
  const sameDay = (await listPrices(connection, categoryId)).find(
    (price) => price.subcategoryId === subcategoryId && price.holdsFrom === holdsFrom && !price.isWithdrawn,
  );
  return sameDay?.cents === cents;
}

function dayFault(day: string, today: string): string | null {
  if (!isDay(day)) return "Choose the day from which it applies.";
  if (day < today) return "Choose today or a later day. What donors have already paid stays as it was.";
  return day > addDays(today, MAX_DAYS_AHEAD) ? "Choose a day within the next two years." : null;
}

const takeBack = (services: CatalogueServices) =>
  causeAction(services, {
    path: "/prices/:price/withdraw",
    needsProof: true,
    fields: z.object({}),
    run: async ({ transaction, cause, params, by, at, today, record }) => {
      const prices = await listPrices(transaction, cause.id);
      const price = prices.find(({ id }) => id === readId(params.price));
      if (price === undefined) throw new AppError("not_found");
      if (statesOf(prices, today).get(price.id) !== "to come") {
        throw new Refusal("It already applies, or was withdrawn. To change the price, set a new one.");
      }
      await withdrawPrice(transaction, price.id, by, at);
      const { kind, cents, holdsFrom } = price;
      await record("catalogue.price_withdraw", {
        before: { ...(kind !== null && { kindTitle: kind }), cents, holdsFrom },
      });
      return { to: causeScreenPath(cause), toast: "Withdrawn. The price before it stays." };
    },
  });

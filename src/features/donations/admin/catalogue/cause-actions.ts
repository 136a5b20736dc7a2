import { z } from "zod";
import { type Action, action, Refusal } from "#admin/actions.ts";
import { plainText } from "#shared/contract/plain-line.ts";
import type { Connection } from "#shared/database/connect.ts";
import { plainDollars } from "#shared/money.ts";
import { entryWays, fundOf, isEntryWay, readPrice, readSuggested } from "../../catalogue.ts";
import { insertCause, lockCatalogue, orderRows, updateCause } from "../../server/change-catalogue.ts";
import type { Cause } from "../../server/find-cause.ts";
import {
  CATALOGUE_PATH,
  type CatalogueServices,
  causeAction,
  causeScreenPath,
  invalid,
  moved,
  recordCatalogue,
} from "./catalogue-step.ts";

export const Title = z
  .string()
  .transform((text) => plainText(text).replace(/\s+/g, " "))
  .pipe(z.string().min(1, "Write a title.").max(60, "Shorten this to at most 60 characters."));
const Description = z
  .string()
  .transform((text) => plainText(text).replace(/\s+/g, " "))
  .pipe(z.string().max(200, "Shorten this to at most 200 characters."));
const YesOrNo = z.enum(["yes", "no"], "Choose one.").transform((text) => text === "yes");
const ReceiptKindField = z.enum(["gift", "not_deductible"], "Choose one.");
export const PRICE_FAULT = "Write the price of one in dollars, such as 190 or 190.50.";

/** If two causes had the same title, neither donors nor calls, which name causes by title, could tell them apart. */
function requireFreeTitle(causes: readonly Pick<Cause, "id" | "title">[], title: string, id: number | null): void {
  const taken = causes.find((cause) => cause.title.toLowerCase() === title.toLowerCase() && cause.id !== id);
  if (taken !== undefined) throw invalid({ title: ["Another cause has this title, on offer or not."] });
}

/** The words as a form shows them, to find out whether somebody else has changed them since. */
export const wordsOf = ({ title, description, suggestedCents }: Cause): string =>
  JSON.stringify([title, description, suggestedCents]);

/** Suggested amounts as staff type them: '25, 50, 100'. */
export const suggestedText = ({ suggestedCents }: Pick<Cause, "suggestedCents">): string =>
  suggestedCents.map((cents) => plainDollars(cents).replace(".00", "")).join(", ");

/** The forms of a cause itself. */
export function causeActions(services: CatalogueServices): Action[] {
  return [newCause(services), changeWords(services), changeReceipt(services), ...states(services), move(services)];
}

const newCause = ({ database, now }: CatalogueServices) =>
  action({
    path: `${CATALOGUE_PATH}/new`,
    screen: `${CATALOGUE_PATH}/new`,
    right: "catalogue.change",
    needsProof: true,
    fields: z.object({
      title: Title,
      description: Description,
      way: z.string().refine(isEntryWay, "Choose one."),
      firstKind: z.string().default(""),
      dollars: z.string().default(""),
      asksNames: YesOrNo,
      receiptKind: ReceiptKindField,
      hasAdminFee: YesOrNo,
    }),
    run: ({ fields, actor }) =>
      database.transaction().execute(async (transaction) => {
        await lockCatalogue(transaction);
        const { title, description, asksNames, receiptKind, hasAdminFee } = fields;
        const way = fields.way as keyof typeof entryWays;
        const { kinds, free } = entryWays[way];
        const fund = await freeFund(transaction, title);
        const firstKind = kinds ? Title.safeParse(fields.firstKind) : null;
        const cents = free ? null : readPrice(fields.dollars);
        const errors = {
          ...(firstKind?.success === false && { firstKind: ["Write what the first kind is called."] }),
          ...(!free && cents === null && { dollars: [PRICE_FAULT] }),
        };
        if (Object.keys(errors).length > 0) throw invalid(errors);
        const id = await insertCause(transaction, {
          fund,
          title,
          description,
          way,
          asksNames,
          receiptKind,
          hasAdminFee,
          cents,
          firstKind: firstKind?.data ?? null,
        });
        const after = { title, entryWay: way, receiptKind, hasAdminFee };
        await recordCatalogue(transaction, actor, { verb: "catalogue.create", id, at: now(), after });
        return { to: causeScreenPath({ id }), toast: "Added. Donors can choose it now." };
      }),
  });

/** The key made from the title, with a letter added if another cause has it. Retired causes keep their keys. */
async function freeFund(transaction: Connection, title: string): Promise<string> {
  const rows = await transaction.selectFrom("donation_categories").select(["id", "fund", "title"]).execute();
  requireFreeTitle(rows, title, null);
  const made = fundOf(title);
  if (made === "")
    throw invalid({ title: ["Use some Latin letters in the title: its name in the books is made from them."] });
  const taken = new Set(rows.map(({ fund }) => fund));
  for (const ending of ["", ..."bcdefghijklmnopqrstuvwxyz"].map((letter) => (letter === "" ? "" : `-${letter}`))) {
    if (!taken.has(made + ending)) return made + ending;
  }
  throw invalid({ title: ["Too many causes have had a title like this. Choose another."] });
}

const changeWords = (services: CatalogueServices) =>
  causeAction(services, {
    path: "",
    fields: z.object({ title: Title, description: Description, suggested: z.string().default(""), was: z.string() }),
    run: async ({ transaction, cause, causes, fields, record }) => {
      if (fields.was !== wordsOf(cause)) {
        throw new Refusal(
          "Somebody changed these words while you were writing. Yours are not saved yet: see theirs below, and save again.",
        );
      }
      const suggested =
        cause.isFree && !cause.hasQuantity ? readSuggested(fields.suggested) : [...cause.suggestedCents];
      if (suggested === null) {
        throw invalid({ suggested: ["Write up to six amounts in dollars, with commas between: 25, 50, 100."] });
      }
      const { title, description } = fields;
      requireFreeTitle(causes, title, cause.id);
      const later = { ...cause, title, description, suggestedCents: suggested };
      if (wordsOf(later) === wordsOf(cause)) return { to: causeScreenPath(cause), toast: "Nothing was changed." };
      await updateCause(transaction, cause.id, { title, description, suggested_cents: suggested });
      await record("catalogue.change", {
        before: { title: cause.title, description: cause.description, suggestedCents: cause.suggestedCents },
        after: { title, description, suggestedCents: suggested },
      });
      return { to: causeScreenPath(cause), toast: "Saved. Donors see it now. Issued receipts keep their words." };
    },
  });

const changeReceipt = (services: CatalogueServices) =>
  causeAction(services, {
    path: "/receipt",
    needsProof: true,
    fields: z.object({ receiptKind: ReceiptKindField, hasAdminFee: YesOrNo }),
    run: async ({ transaction, cause, fields, record }) => {
      const { receiptKind, hasAdminFee } = fields;
      if (receiptKind === cause.receiptKind && hasAdminFee === cause.hasAdminFee) {
        return { to: causeScreenPath(cause), toast: "Nothing was changed." };
      }
      await updateCause(transaction, cause.id, { receipt_kind: receiptKind, admin_fee_applies: hasAdminFee });
      await record("catalogue.receipt", {
        before: { receiptKind: cause.receiptKind, hasAdminFee: cause.hasAdminFee },
        after: { receiptKind, hasAdminFee },
      });
      return { to: causeScreenPath(cause), toast: "Saved. This applies to donations from now on." };
    },
  });

const states = (services: CatalogueServices) => [
  causeAction(services, {
    path: "/retire",
    fields: z.object({}),
    run: async ({ transaction, cause, causes, at, record }) => {
      if (cause.isRetired) return { to: causeScreenPath(cause), toast: "It was not on offer any more." };
      if (causes.filter(({ isRetired }) => !isRetired).length === 1) {
        throw new Refusal("This is the last cause on offer. Bring back or add another one first.");
      }
      await updateCause(transaction, cause.id, { retired_at: at });
      await record("catalogue.retire", {});
      return { to: causeScreenPath(cause), toast: "Donors cannot choose it any more. Books and receipts keep it." };
    },
  }),
  causeAction(services, {
    path: "/bring-back",
    fields: z.object({}),
    run: async ({ transaction, cause, record }) => {
      if (!cause.isRetired) return { to: causeScreenPath(cause), toast: "It was on offer already." };
      await updateCause(transaction, cause.id, { retired_at: null });
      await record("catalogue.bring_back", {});
      return { to: causeScreenPath(cause), toast: "Donors can choose it again." };
    },
  }),
];

const move = (services: CatalogueServices) =>
  causeAction(services, {
    path: "/move",
    screen: CATALOGUE_PATH,
    fields: z.object({ direction: z.enum(["up", "down"]) }),
    run: async ({ transaction, cause, causes, fields, record }) => {
      const ids = causes.filter(({ isRetired }) => !isRetired).map(({ id }) => id);
      await orderRows(transaction, "donation_categories", moved(ids, cause.id, fields.direction));
      await record("catalogue.move", {});
      return { to: CATALOGUE_PATH, toast: `${cause.title} moved one place ${fields.direction}.` };
    },
  });

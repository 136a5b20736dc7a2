import { z } from "zod";
import { type Action, Refusal } from "#admin/actions.ts";
import { AppError } from "#shared/errors.ts";
import { readPrice } from "../../catalogue.ts";
import { insertKind, orderRows, updateKind } from "../../server/change-catalogue.ts";
import type { Cause, CauseKind } from "../../server/find-cause.ts";
import { type CatalogueServices, causeAction, causeScreenPath, invalid, moved, readId } from "./catalogue-step.ts";
import { PRICE_FAULT, Title } from "./cause-actions.ts";

/** The forms of the kinds of a cause: Goat, Cow share, Cow. */
export function kindActions(services: CatalogueServices): Action[] {
  return [addKind(services), changeKind(services)];
}

function requireFreeTitle({ kinds }: Cause, title: string, id: number | null): void {
  const taken = kinds.find((kind) => kind.title.toLowerCase() === title.toLowerCase() && kind.id !== id);
  if (taken !== undefined) throw invalid({ title: ["Another kind of this cause has this title, on offer or not."] });
}

const addKind = (services: CatalogueServices) =>
  causeAction(services, {
    path: "/kinds",
    needsProof: true,
    fields: z.object({ title: Title, dollars: z.string().default("") }),
    run: async ({ transaction, cause, fields, record }) => {
      if (!cause.hasKinds) throw new AppError("not_found");
      requireFreeTitle(cause, fields.title, null);
      const cents = cause.isFree ? null : readPrice(fields.dollars);
      if (!cause.isFree && cents === null) throw invalid({ dollars: [PRICE_FAULT] });
      await insertKind(transaction, cause.id, { title: fields.title, cents });
      await record("catalogue.kind_add", { after: { kindTitle: fields.title, ...(cents !== null && { cents }) } });
      return { to: causeScreenPath(cause), toast: `Added. Donors can choose ${fields.title} now.` };
    },
  });

const changeKind = (services: CatalogueServices) =>
  causeAction(services, {
    path: "/kinds/:kind",
    fields: z.object({
      title: Title,
      was: z.string(),
      next: z.enum(["save", "retire", "bring-back", "up", "down"]).catch("save"),
    }),
    run: async ({ transaction, cause, params, fields, at, record }) => {
      const kind = cause.kinds.find(({ id }) => id === readId(params.kind));
      if (kind === undefined) throw new AppError("not_found");
      const to = causeScreenPath(cause);
      switch (fields.next) {
        case "retire": {
          requireAnother(cause, kind);
          await updateKind(transaction, kind.id, { retired_at: at });
          await record("catalogue.kind_retire", { before: { kindTitle: kind.title } });
          return { to, toast: `Donors cannot choose ${kind.title} any more.` };
        }
        case "bring-back": {
          await updateKind(transaction, kind.id, { retired_at: null });
          await record("catalogue.kind_bring_back", { after: { kindTitle: kind.title } });
          return { to, toast: `Donors can choose ${kind.title} again.` };
        }
        case "up":
        case "down": {
          const ids = cause.kinds.filter(({ isRetired }) => !isRetired).map(({ id }) => id);
          await orderRows(transaction, "donation_subcategories", moved(ids, kind.id, fields.next));
          await record("catalogue.kind_move", { after: { kindTitle: kind.title } });
          return { to, toast: `${kind.title} moved one place ${fields.next}.` };
        }
        default: {
          if (fields.was !== kind.title) {
            throw new Refusal(
              `Somebody renamed it to “${kind.title}” while you were writing. Save again to use yours.`,
            );
          }
          requireFreeTitle(cause, fields.title, kind.id);
          if (fields.title === kind.title) return { to, toast: "Nothing was changed." };
          await updateKind(transaction, kind.id, { title: fields.title });
          const after = { kindTitle: fields.title };
          await record("catalogue.kind_change", { before: { kindTitle: kind.title }, after });
          return { to, toast: "Saved. Donors see it now. Issued receipts keep their words." };
        }
      }
    },
  });

function requireAnother({ kinds }: Cause, kind: CauseKind): void {
  if (kinds.some(({ id, isRetired }) => !isRetired && id !== kind.id)) return;
  throw new Refusal(
    "This is the last kind on offer. Bring back or add another one first, or take out the whole cause.",
  );
}

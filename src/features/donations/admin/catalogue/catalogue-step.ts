import type { z } from "zod";
import { type ActionDone, action, Refusal } from "#admin/actions.ts";
import { type Act, type Actor, recordAct } from "#admin/audit.ts";
import type { Right } from "#admin/rights.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { dayInSydney } from "#shared/language.ts";
import { lockCatalogue } from "../../server/change-catalogue.ts";
import { type Cause, listCauses } from "../../server/find-cause.ts";

export const CATALOGUE_PATH = "/admin/catalogue";
export const causeScreenPath = ({ id }: Pick<Cause, "id">) => `${CATALOGUE_PATH}/${id}`;

export type CatalogueServices = CoreServices<"database" | "now">;

/** The id in an address; 0, which no row has, for anything else. */
export const readId = (text: string | undefined) => (/^\d{1,15}$/.test(text ?? "") ? Number(text) : 0);

/** What a form of one cause does, with the catalogue locked. */
type CauseStep<Fields> = {
  readonly transaction: Connection;
  readonly cause: Cause;
  readonly causes: readonly Cause[];
  readonly params: Readonly<Record<string, string>>;
  readonly fields: Fields;
  readonly by: number;
  readonly at: Date;
  readonly today: string;
  readonly record: (verb: string, changes: Pick<Act, "before" | "after">) => Promise<unknown>;
};

type CauseAction<Fields extends z.ZodType> = {
  /** Below the address of the cause: '/kinds'. */
  readonly path: string;
  readonly screen?: string;
  readonly needsProof?: true;
  readonly fields: Fields;
  readonly run: (step: CauseStep<z.output<Fields>>) => Promise<ActionDone>;
};

const right: Right = "catalogue.change";

/** A form of one cause. */
export function causeAction<Fields extends z.ZodType>(
  { database, now }: CatalogueServices,
  { path, screen = `${CATALOGUE_PATH}/:id`, needsProof, fields, run }: CauseAction<Fields>,
) {
  return action({
    path: `${CATALOGUE_PATH}/:id${path}`,
    screen,
    right,
    fields,
    ...(needsProof && { needsProof }),
    run: ({ params, fields: sent, actor, staff }) =>
      database.transaction().execute(async (transaction) => {
        await lockCatalogue(transaction);
        const at = now();
        const today = dayInSydney(at);
        const causes = await listCauses(transaction, today);
        const cause = causes.find(({ id }) => id === readId(params.id));
        if (cause === undefined) throw new AppError("not_found");
        const record = (verb: string, changes: Pick<Act, "before" | "after">) =>
          recordCatalogue(transaction, actor, { verb, id: cause.id, at, ...changes });
        return run({ transaction, cause, causes, params, fields: sent, by: staff.id, at, today, record });
      }),
  });
}

/** Records an act on the cause `id` in the audit trail, and resolves to the act's own id. */
export function recordCatalogue(
  transaction: Connection,
  actor: Actor,
  { verb, id, at, ...changes }: Pick<Act, "verb" | "before" | "after"> & { readonly id: number; readonly at: Date },
): Promise<number> {
  return recordAct(transaction, actor, { verb, subject: "catalogue", subjectId: String(id), ...changes }, at);
}

/** The error for fields that are wrong, each with its sentences. */
export const invalid = (fields: Readonly<Record<string, readonly string[]>>) =>
  new AppError("invalid_input", { fields });

/** The ids, with one of them moved a place earlier or later. @throws Refusal at either end. */
export function moved(ids: readonly number[], id: number, direction: "up" | "down"): number[] {
  const place = ids.indexOf(id);
  const other = direction === "up" ? place - 1 : place + 1;
  if (place < 0 || other < 0 || other >= ids.length) throw new Refusal("It is already at the end of the list.");
  const order = [...ids];
  [order[place], order[other]] = [order[other]!, order[place]!];
  return order;
}

import { z } from "zod";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";

/** A donation, locked until the transaction ends. @throws AppError `not_found` if there is none with this id. */
export async function requireDonation(transaction: Connection, id: string) {
  const donation = z.uuid().safeParse(id).success
    ? await transaction.selectFrom("donations").selectAll().where("id", "=", id).forNoKeyUpdate().executeTakeFirst()
    : undefined;
  if (donation === undefined) throw new AppError("not_found");
  return donation;
}

/** The message if somebody else was faster. */
export const CHANGED_MEANWHILE =
  "Someone else has changed this donation since you opened it, so nothing was done. Read what it says now, then decide again.";
export const IS_ERASED = "The donor’s personal data has been erased, so nothing was done.";

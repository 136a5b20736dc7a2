import { exportFormats, type Rows } from "#admin/export/export-formats.ts";
import type { ExportInput } from "#admin/export/export-routes.ts";
import type { ExportPlan } from "#shared/database/read-in-batches.ts";
import { readDonations } from "../../server/search/read-donations.ts";
import { columnsFor, rowsOf } from "./export-columns.ts";

export type WriteInput = ExportInput & { readonly plan: ExportPlan; readonly withGifts: boolean };

/** Writes donations and their refunds as a file, and returns the number of donations. Runs in a thread of its own. */
export async function* writeDonations(input: WriteInput): AsyncGenerator<Buffer, number> {
  const { databaseUrl, plan, withGifts, ending, note } = input;
  const columns = columnsFor(withGifts);
  let count = 0;
  async function* listRows(): Rows {
    for await (const donations of readDonations(databaseUrl, plan)) {
      count += donations.length;
      yield donations.flatMap((donation) => rowsOf(donation, columns));
    }
  }
  const names = columns.map(({ name }) => name);
  yield* exportFormats[ending].write(listRows(), { title: "Donations", names, note });
  return count;
}

import { showsFaith } from "#admin/faith.ts";
import type { AdminPart } from "#admin/feature.ts";
import { readPlace, writePlace } from "#admin/list-place.ts";
import { hasRight } from "#admin/rights.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { listMadeRefunds, type MadeRefund, type MadeSums, sumMadeRefunds } from "../../server/made-refunds.ts";
import { type ListRequest, listFunds, recordFaithLook } from "../list/list-screen.ts";
import { type Fund, type ReadFilter, readFilter } from "../list/read-filter.ts";

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly readMadeRefunds: (request: ListRequest) => Promise<MadeRefundList>;
  }
}

export type MadeRefundList = Pick<ReadFilter, "typed" | "errors"> & {
  readonly funds: readonly Fund[];
  readonly fund: string | null;
  readonly rows: readonly MadeRefund[];
  readonly sums: MadeSums;
  readonly isFirst: boolean;
  /** Where the next page with older refunds begins, for the address. */
  readonly older: string | null;
};

const PAGE = 50;

/** The refunds that the figures in reports add up. */
export function madeRefundsPart(services: CoreServices<"database" | "now">): AdminPart {
  return { reads: { readMadeRefunds: (request: ListRequest) => read(services, request) } };
}

async function read(services: CoreServices<"database" | "now">, request: ListRequest): Promise<MadeRefundList> {
  const { database } = services;
  const { query, staff } = request;
  const { from = "", to = "", method = "", fund = "", after: place } = query;
  const funds = (await listFunds(database)).filter((known) => hasRight(staff, "faith.see") || !showsFaith(known.fund));
  const { filter, typed, errors } = readFilter({ from, to, method, fund }, { staff, funds });
  await recordFaithLook(services, { ...request, query: { from, to, method, fund } }, filter.fund);
  const after = readPlace(place);
  const [found, sums] = await Promise.all([
    listMadeRefunds(database, filter, { limit: PAGE + 1, after }),
    sumMadeRefunds(database, filter),
  ]);
  const rows = found.slice(0, PAGE);
  const last = found.length > PAGE ? rows.at(-1)! : null;
  return {
    typed,
    errors,
    funds,
    fund: filter.fund,
    rows,
    sums,
    isFirst: after === null,
    older: last && writePlace({ at: last.at, id: last.refundId }),
  };
}

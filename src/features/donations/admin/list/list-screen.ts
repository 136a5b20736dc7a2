import { recordAct } from "#admin/audit.ts";
import { ONLY_CHOSEN } from "#admin/chosen-rows.ts";
import { showsFaith } from "#admin/faith.ts";
import { hasRight, type StaffMember } from "#admin/rights.ts";
import type { ScreenRequest } from "#admin/screen.ts";
import { describePaymentState } from "#payments/payment-words.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { formatReceiptNumber } from "../../receipt-number.ts";
import type { DonationFilter } from "../../server/search/donation-filter.ts";
import type { DonationOrder } from "../../server/search/donation-order.ts";
import {
  countStates,
  hasDonations,
  type ListedDonation,
  listDonations,
  type StateCounts,
} from "../../server/search/list-donations.ts";
import { readMeanings } from "../../server/search/search-words.ts";
import { type CountedDonations, QUERY_CANCELED, sumDonations, sumPart } from "../../server/search/sum-donations.ts";
import { readDonationPlace, writeDonationPlace } from "./donation-place.ts";
import { type FilterName, type Fund, type ReadFilter, readFilter, readOrder } from "./read-filter.ts";
import { recordFilter } from "./recorded-filter.ts";

const ROWS_OF_LIST = 25;

export type DonationRow = {
  readonly id: string;
  readonly at: Date;
  /** Empty if the donor gave anonymously or was erased. */
  readonly name: string;
  readonly email: string;
  readonly isAnonymous: boolean;
  readonly method: "cc" | "pp";
  readonly totalCents: number;
  readonly state: ReturnType<typeof describePaymentState>;
  /** The request for a refund that waits for approval, if there is one. */
  readonly refundRequest: string | null;
  /** Empty until a receipt is issued. */
  readonly receipt: string;
  /** What the person who looks may see. */
  readonly gifts: readonly string[];
};

export type DonationList = ReadFilter & {
  readonly now: Date;
  readonly funds: readonly Fund[];
  readonly order: DonationOrder;
  readonly mayExport: boolean;
  readonly maySend: boolean;
  readonly maySeeFaith: boolean;
  readonly rows: readonly DonationRow[];
  readonly people: readonly { readonly name: string; readonly email: string; readonly donationId: string }[];
  readonly sums: CountedDonations;
  /** With a filter by fund: its title, and what it was given of the sums; null if that takes too long to add up. */
  readonly part: { readonly title: string; readonly cents: number | null } | null;
  /** How many donations are in a state that somebody should look at. */
  readonly counts: StateCounts;
  /** The places where the pages before and after begin, as texts for the address. */
  readonly previous: string | null;
  readonly next: string | null;
  /** If there are no rows: how many there would be without each filter. */
  readonly without: readonly { readonly names: readonly FilterName[]; readonly count: number | "many" }[];
  /** True if nobody has given yet. */
  readonly isEmpty: boolean;
  /** True if ticked rows were to be exported, but there were none. */
  readonly isNothingChosen: boolean;
  /** True if the database took too long. */
  readonly isTooSlow: boolean;
};

type Services = CoreServices<"database" | "now">;
export type ListRequest = Pick<ScreenRequest, "query" | "ipAddress"> & { readonly staff: StaffMember };

/** What the list of donations shows. */
export async function readDonationList({ database, now }: Services, request: ListRequest): Promise<DonationList> {
  const { query, staff } = request;
  const funds = await listFunds(database);
  const maySeeFaith = hasRight(staff, "faith.see");
  const read = readFilter(query, { staff, funds });
  const { order, errors } = readOrder(query);
  const shared = {
    ...read,
    order,
    errors: { ...read.errors, ...errors },
    now: now(),
    funds: maySeeFaith ? funds : funds.filter(({ fund }) => !showsFaith(fund)),
    mayExport: hasRight(staff, "exports.make"),
    maySend: hasRight(staff, "donations.change"),
    maySeeFaith,
    isNothingChosen: query[ONLY_CHOSEN.name] === ONLY_CHOSEN.value,
  };
  await recordFaithLook({ database, now }, request, read.filter.fund);
  const title = funds.find(({ fund }) => fund === read.filter.fund)?.title;
  const places = { previous: readDonationPlace(query.previous), next: readDonationPlace(query.next) };
  try {
    const [found, sums, partCents, counts] = await Promise.all([
      listDonations(database, { filter: read.filter, order, ...places, limit: ROWS_OF_LIST }),
      sumDonations(database, read.filter),
      sumPart(database, read.filter),
      countStates(database),
    ]);
    const isNothing = found.rows.length === 0;
    return {
      ...shared,
      sums,
      counts,
      part: title === undefined ? null : { title, cents: partCents },
      rows: found.rows.map((row) => present(row, maySeeFaith)),
      people: places.next || places.previous ? [] : listFoundDonors(read.filter.q, found.rows),
      previous: writeDonationPlace(found.previous),
      next: writeDonationPlace(found.next),
      without: isNothing ? await countWithout(database, read) : [],
      isEmpty: isNothing && read.applied.length === 0 && !(await hasDonations(database)),
      isTooSlow: false,
    };
  } catch (error) {
    if ((error as { code?: string }).code !== QUERY_CANCELED) throw error;
    const nothing = { rows: [], people: [], part: null, previous: null, next: null, without: [], isEmpty: false };
    return { ...shared, ...nothing, sums: "slow", counts: { review: 0, disputed: 0 }, isTooSlow: true };
  }
}

/** Every category's fund and title, in the catalogue's order. */
export async function listFunds(database: Services["database"]): Promise<Fund[]> {
  return database.selectFrom("donation_categories").select(["fund", "title"]).orderBy("position").execute();
}

/** Records that somebody looked at who gave to a fund, or whose gift to it was refunded, if that shows faith. */
export async function recordFaithLook(
  { database, now }: Services,
  { staff, ipAddress, query }: ListRequest,
  fund: string | null,
): Promise<void> {
  if (fund === null || !showsFaith(fund)) return;
  const { previous: _, next: __, sort: ___, ...given } = query;
  const after = { filter: recordFilter(given) };
  await recordAct(
    database,
    { staff, ipAddress },
    { verb: "faith.list", subject: "donations", subjectId: "", after },
    now(),
  );
}

/** A row as the list shows it: nobody's name if given anonymously, and no title that shows faith without the right. */
export function present(
  { name, email, isAnonymous, funds, state, ...row }: ListedDonation,
  maySeeFaith: boolean,
): DonationRow {
  const titles = funds.map(({ fund, title }) => (maySeeFaith || !showsFaith(fund) ? title : "Not shown"));
  return {
    id: row.id,
    at: row.at,
    method: row.method,
    totalCents: row.cents,
    isAnonymous,
    refundRequest: row.refundRequest,
    name: isAnonymous ? "" : name,
    email: isAnonymous ? "" : email,
    state: describePaymentState(state),
    receipt: row.receiptNumber === null ? "" : formatReceiptNumber(row.receiptNumber),
    gifts: [...new Set(titles)],
  };
}

const MAX_PEOPLE = 4;

/** The people among the found rows, if words of names or emails were searched for. */
export function listFoundDonors(q: string, rows: readonly ListedDonation[]): DonationList["people"] {
  const { reference, receipt, cents } = readMeanings(q);
  if (q === "" || reference !== null || receipt !== null || cents !== null) return [];
  const people = new Map<string, { name: string; email: string; donationId: string }>();
  for (const { id, name, email, isAnonymous } of rows) {
    const key = email.toLowerCase();
    if (key !== "" && !isAnonymous && !people.has(key)) people.set(key, { name, email, donationId: id });
  }
  return [...people.values()].slice(0, MAX_PEOPLE);
}

/** Filters that belong together are left out together. */
const groups: readonly (readonly FilterName[])[] = [
  ["q"],
  ["from", "to"],
  ["method"],
  ["state"],
  ["fund"],
  ["min", "max"],
];
const without: Readonly<Record<string, Partial<DonationFilter>>> = {
  q: { q: "" },
  from: { from: null, until: null },
  method: { method: null },
  state: { state: null },
  fund: { fund: null },
  min: { minCents: null, maxCents: null },
};

async function countWithout(
  database: Services["database"],
  { filter, applied }: ReadFilter,
): Promise<DonationList["without"]> {
  const set = groups.filter((names) => names.some((name) => applied.includes(name)));
  if (set.length < 2) return [];
  const counted = await Promise.all(
    set.map(async (names) => {
      const sums = await sumDonations(database, { ...filter, ...without[names[0]!] });
      return { names, count: typeof sums === "object" ? sums.count : ("many" as const) };
    }),
  );
  return counted.filter(({ count }) => count !== 0);
}

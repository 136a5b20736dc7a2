import { demoPeople } from "#shared/demo-people.ts";
import { addDays, dayInSydney, startOfDayInSydney } from "#shared/language.ts";
import { seededRandom } from "#shared/seeded-random.ts";
import type { CatalogueCategory, PricedLine } from "../server/store.ts";

const DONATIONS = 480;
/** Long enough that reports have a previous year to compare with. */
const DAYS = 550;
const HOUR_MS = 3_600_000;
/** The index of the disputed donation, counted from the newest. */
const DISPUTED = 38;

/** A donation of the invented year. */
export type PlannedDonation = {
  readonly donor: { readonly firstName: string; readonly lastName: string; readonly email: string; postcode: string };
  readonly isAnonymous: boolean;
  readonly at: Date;
  readonly method: "cc" | "pp";
  readonly lines: readonly PricedLine[];
  readonly coversAdminFee: boolean;
  readonly outcome: "paid" | "declined" | "disputed" | "refunded" | "half refunded";
};

/** How many of a hundred lines go to each fund. */
const shares: Readonly<Record<string, number>> = {
  "where-needed-most": 28,
  zakat: 20,
  sadaqah: 15,
  "flood-relief": 9,
  education: 8,
  ambulance: 6,
  "patient-care": 6,
  dastarkhwan: 4,
  homes: 3,
  qurban: 1,
};
const amounts = [1000, 2000, 2500, 5000, 5000, 5000, 7500, 10_000, 10_000, 10_000, 15_000, 25_000, 50_000, 120_000];
/** Weights of the months, January first: people give most before the end of the financial year. */
const months = [7, 11, 13, 8, 10, 18, 6, 6, 6, 7, 7, 10];
const fullestMonth = Math.max(...months);

/** The invented donations before `now`, oldest first. */
export function planYear(categories: readonly CatalogueCategory[], now: Date): PlannedDonation[] {
  const draw = seededRandom(20_251_122);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(draw() * items.length)]!;
  const moments = drawMoments(draw, now);
  return moments.map((at, index) => {
    const month = Number(dayInSydney(at).slice(5, 7));
    const drawCause = () => categories[indexOf(categories, month, draw())]!;
    const lines = [drawLine(drawCause(), draw, pick), ...(draw() < 0.12 ? [drawLine(drawCause(), draw, pick)] : [])];
    // The square favours the first people in the list, who give often.
    const donor = demoPeople[Math.floor(draw() ** 2 * demoPeople.length)]!;
    const lasts = moments.length - index;
    // Only PayPal notifies us of disputes.
    const method = draw() < 0.8 && lasts !== DISPUTED ? "cc" : "pp";
    return {
      donor,
      at,
      method,
      lines,
      isAnonymous: draw() < 0.06,
      coversAdminFee: draw() < 0.75,
      outcome: drawOutcome(lasts, method, draw()),
    };
  });
}

function drawMoments(draw: () => number, now: Date): Date[] {
  const today = dayInSydney(now);
  const moments: Date[] = [];
  while (moments.length < DONATIONS) {
    const days = Math.floor(draw() * DAYS);
    const day = addDays(today, -days);
    // The last weeks have many donations, so that every screen has something to show.
    const weight = days < 40 ? 1 : months[Number(day.slice(5, 7)) - 1]! / fullestMonth;
    const hours = 7 + draw() * 16;
    const at = new Date(startOfDayInSydney(day).getTime() + hours * HOUR_MS);
    if (draw() < weight && at.getTime() < now.getTime() - HOUR_MS) moments.push(at);
  }
  return moments.sort((one, other) => one.getTime() - other.getTime());
}

/** `lasts` counts from the newest donation, so that what staff should see is recent. */
function drawOutcome(lasts: number, method: "cc" | "pp", drawn: number): PlannedDonation["outcome"] {
  if (lasts === DISPUTED) return "disputed";
  if ([9, 60, 170].includes(lasts)) return "refunded";
  if ([22, 120, 300].includes(lasts)) return "half refunded";
  return drawn < (method === "cc" ? 0.07 : 0.03) ? "declined" : "paid";
}

function indexOf(categories: readonly CatalogueCategory[], month: number, drawn: number): number {
  const weights = categories.map(({ fund }) => (fund === "qurban" && month === 5 ? 40 : (shares[fund] ?? 0)));
  let left = drawn * weights.reduce((sum, weight) => sum + weight, 0);
  return Math.max(
    weights.findIndex((weight) => {
      left -= weight;
      return left < 0;
    }),
    0,
  );
}

function drawLine(
  category: CatalogueCategory,
  draw: () => number,
  pick: <Item>(items: readonly Item[]) => Item,
): PricedLine {
  const subcategory = category.hasSubcategories ? pick(category.subcategories) : undefined;
  const fixed = category.amountIsEditable ? null : (subcategory?.amountCents ?? category.amountCents);
  return {
    from: category,
    categoryId: category.id,
    category: category.title,
    subcategory: subcategory?.title ?? "",
    quantity: category.quantityIsEditable ? 1 + Math.floor(draw() ** 3 * 5) : 1,
    unitCents: fixed ?? subcategory?.amountCents ?? pick(amounts),
    onBehalfOf: category.asksNames ? [pick(demoPeople).firstName] : [],
  };
}

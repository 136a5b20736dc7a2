import type { AuditWords } from "#admin/acts.ts";
import { type AuditFields, formatAuditDay, formatByName, formatCents, formatYesNo } from "#admin/audit-fields.ts";
import { formatNumber, plural } from "#shared/language.ts";
import { formatReceiptNumber } from "../receipt-number.ts";
import { donationStates } from "../server/search/donation-states.ts";
import { methodWords } from "./list/filter-words.ts";

/** The words between the person and the donation: '{actor} {words} donation D-…'. */
export const donationAuditWords = {
  "donation.note": "wrote a note on",
  "donation.take-in": "took in a charge that was made outside the site, as",
  "donation.send-receipt": "sent the receipt again of",
  "donation.end-links": "ended the links to the receipt of",
  "donation.correct-email": "corrected the email address of",
  "donation.correct-name": "corrected the name on the receipt of",
  "donation.join-account": "moved to the donor’s account",
  "donation.leave-account": "took out of the donor’s account",
  "donation.move-fund": "moved to another fund a part of",
  "donation.erase": "erased the donor’s personal data of",
  "faith.see": "saw who gave Zakat or Qurban with",
} as const;

/** With one of the person's donations, orders, applications or messages. */
export const personDataAuditWords = {
  "person.export": "downloaded everything about the person of",
  "person.erase": "erased the personal data of",
} as const;

/** A list's filters, as they were typed. */
function formatFilter(value: unknown): string {
  const formats: AuditFields = {
    q: { label: "Text" },
    from: { label: "From", format: formatAuditDay },
    to: { label: "To", format: formatAuditDay },
    method: { label: "Paid by", format: formatByName(methodWords) },
    state: {
      label: "State",
      format: (state) => donationStates[state as keyof typeof donationStates]?.label ?? String(state),
    },
    fund: { label: "Given to" },
    min: { label: "At least, in dollars" },
    max: { label: "At most, in dollars" },
    faith: { label: "With who gave Zakat or Qurban" },
    chosen: { label: "Ticked rows" },
  };
  return Object.entries((value ?? {}) as Record<string, unknown>)
    .map(([name, text]) => `${formats[name]?.label ?? name}: ${formats[name]?.format?.(text) ?? String(text)}`)
    .join("; ");
}

/** The labels of fields that only acts on donations have. */
export const donationAuditFields = {
  fund: { label: "Fund" },
  cents: { label: "Amount", format: formatCents },
  account: { label: "Donor’s account number" },
  receipt: {
    label: "Receipt",
    format: (value) => (typeof value === "number" ? formatReceiptNumber(value) : String(value)),
  },
  filter: { label: "Filters", format: formatFilter },
  withGifts: { label: "With who gave Zakat or Qurban", format: formatYesNo },
  donations: { label: "Donations", format: (value) => formatNumber(Number(value)) },
} as const satisfies AuditFields;

/** Acts on many donations at the same time; each of these ends its sentence. */
export const donationListAuditWords = {
  "donations.export": ({ after }) =>
    after?.withGifts === true
      ? "exported donations, with who gave Zakat or Qurban."
      : "exported donations, without who gave Zakat or Qurban.",
  "donations.export-whole": ({ after }) =>
    plural(Number(after?.donations), {
      one: "finished an export of 1 donation.",
      other: `finished an export of ${formatNumber(Number(after?.donations))} donations.`,
    }),
  "faith.list": "listed who gave to a fund that shows their faith.",
} satisfies AuditWords;

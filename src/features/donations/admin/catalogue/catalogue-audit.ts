import type { AuditWords } from "#admin/acts.ts";
import { type AuditFields, formatAuditDay, formatByName, formatYesNo } from "#admin/audit-fields.ts";
import { formatDollars, formatList } from "#shared/language.ts";
import { entryWays } from "../../catalogue.ts";

/** What the audit trail says: 'Amina Raza changed the words of Qurban'. */
export const catalogueAuditWords = {
  "catalogue.create": "added to what donors can give to",
  "catalogue.change": "changed the words or suggested amounts of",
  "catalogue.receipt": "changed what receipts say, or the fee, of",
  "catalogue.retire": "took out of what donors can give to",
  "catalogue.bring_back": "brought back to what donors can give to",
  "catalogue.move": "moved in the list of what donors can give to",
  "catalogue.kind_add": "added a kind to",
  "catalogue.kind_change": "renamed a kind of",
  "catalogue.kind_retire": "took a kind out of",
  "catalogue.kind_bring_back": "brought back a kind of",
  "catalogue.kind_move": "moved a kind in the list of",
  "catalogue.price": "set a price of",
  "catalogue.price_withdraw": "withdrew a price of",
} as const satisfies AuditWords;

const receiptKindWords = { gift: "Gift", not_deductible: "Not deductible" } as const;

/** The labels of fields that only acts on the catalogue have. */
export const catalogueAuditFields = {
  description: { label: "Description" },
  suggestedCents: {
    label: "Suggested amounts",
    format: (value) => formatList((value as number[]).map(formatDollars), "comma"),
  },
  entryWay: {
    label: "How it is given",
    format: formatByName(Object.fromEntries(Object.entries(entryWays).map(([name, { label }]) => [name, label]))),
  },
  kindTitle: { label: "Kind" },
  receiptKind: { label: "On the receipt", format: formatByName(receiptKindWords) },
  hasAdminFee: { label: "Admin fee applies", format: formatYesNo },
  holdsFrom: { label: "Applies from", format: formatAuditDay },
} as const satisfies AuditFields;

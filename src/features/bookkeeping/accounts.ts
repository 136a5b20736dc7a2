import { plainLine } from "#shared/contract/plain-line.ts";

/** An account of the ledger as the accounting program knows it. */
export type JournalAccount = {
  readonly code: string;
  readonly name: string;
  /** Xero’s name of the tax rate. */
  readonly tax: string;
};

/** With the site's own name for it, whatever the organisation calls it. */
export type ListedAccount = JournalAccount & { readonly usualName: string };

/** The row of `site_settings` with the organisation's own codes: an object of accounts by their names in the ledger. */
export const ACCOUNTS_SETTING = "journal-accounts";

const gifts = "BAS Excluded";

/**
 * Codes of a usual Australian chart of accounts, until the organisation sets its own. A gift is not a taxable supply;
 * an accountant has to confirm the tax on ticket sales.
 */
const defaults: Readonly<Record<string, JournalAccount>> = {
  "receivable:payway": { code: "1-1310", name: "PayWay clearing", tax: gifts },
  "receivable:braintree": { code: "1-1320", name: "PayPal clearing", tax: gifts },
  "fees:admin": { code: "4-2100", name: "Admin fees received", tax: gifts },
  "fees:merchant": { code: "4-2200", name: "Merchant fees received", tax: gifts },
  tickets: { code: "4-3100", name: "Ticket sales", tax: "GST Free Income" },
};

type FundTitle = { readonly fund: string; readonly title: string };

/** All accounts that the ledger may use: the funds in the order of the catalogue, with codes from 4-1110 on. */
export function listAccounts(
  funds: readonly FundTitle[],
  set: Readonly<Record<string, Partial<JournalAccount>>>,
): ReadonlyMap<string, ListedAccount> {
  const ofFunds = funds.map(({ fund, title }, index) => [
    `donations:${fund}`,
    { code: `4-${1110 + index * 10}`, name: `Donations: ${title}`, tax: gifts },
  ]);
  const all: Record<string, JournalAccount> = { ...defaults, ...Object.fromEntries(ofFunds) };
  return new Map(
    Object.entries(all).map(([account, usual]) => [account, { ...usual, ...set[account], usualName: usual.name }]),
  );
}

/** An account that was added since is known by its name in the ledger. */
export function describeAccount(accounts: ReadonlyMap<string, JournalAccount>, account: string): JournalAccount {
  return accounts.get(account) ?? { code: account, name: account, tax: gifts };
}

const missingMessages = {
  code: "Enter a code.",
  name: "Enter a name.",
  tax: "Enter a tax rate, such as BAS Excluded.",
} as const;
/** Xero allows ten characters for a code, MYOB six digits; QuickBooks allows 100 for a name. */
const maxLengths = { code: 10, name: 100, tax: 50 } as const;
const parts = Object.keys(missingMessages) as (keyof typeof missingMessages)[];

/**
 * Reads fields named 'code.receivable:payway', 'name.…' and 'tax.…'. A field that was not sent stays as it is. Returns
 * the accounts that differ from `accounts`, or a message for each invalid field.
 */
export function readAccountForm(
  fields: Readonly<Record<string, unknown>>,
  accounts: ReadonlyMap<string, JournalAccount>,
): { readonly changed: Readonly<Record<string, JournalAccount>> } | { readonly errors: Record<string, string[]> } {
  const errors: Record<string, string[]> = {};
  const changed: Record<string, JournalAccount> = {};
  for (const [account, { code, name, tax }] of accounts) {
    const was = { code, name, tax };
    const typed = { ...was };
    for (const part of parts) {
      const field = `${part}.${account}`;
      const text = String(fields[field] ?? was[part]).trim();
      if (text === "" || !plainLine.test(text)) errors[field] = [missingMessages[part]];
      else if (text.length > maxLengths[part]) errors[field] = [`Use at most ${maxLengths[part]} characters.`];
      else typed[part] = text;
    }
    if (parts.some((part) => typed[part] !== was[part])) changed[account] = typed;
  }
  return Object.keys(errors).length > 0 ? { errors } : { changed };
}

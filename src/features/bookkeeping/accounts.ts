/** How an account of the ledger is called in the accounting program. */
export type JournalAccount = {
  readonly code: string;
  readonly name: string;
  /** Xero’s name of the tax rate. */
  readonly tax: string;
};

/** The setting that names other codes: an object of accounts by their names in the ledger. */
export const ACCOUNTS_SETTING = "journal-accounts";

const gifts = "BAS Excluded";

/**
 * Codes of a usual Australian chart of accounts, until the organisation sets its own. A gift is not a taxable supply;
 * an accountant has to confirm the tax of ticket sales.
 */
const defaults: Readonly<Record<string, JournalAccount>> = {
  "receivable:payway": { code: "1-1310", name: "PayWay clearing", tax: gifts },
  "receivable:braintree": { code: "1-1320", name: "PayPal clearing", tax: gifts },
  "fees:admin": { code: "4-2100", name: "Administration fees received", tax: gifts },
  "fees:merchant": { code: "4-2200", name: "Payment fees received", tax: gifts },
  tickets: { code: "4-3100", name: "Ticket sales", tax: "GST Free Income" },
};

export type FundTitle = { readonly fund: string; readonly title: string };

/** All accounts that the ledger may use: the funds in the order of the catalogue, with codes from 4-1110 on. */
export function listAccounts(
  funds: readonly FundTitle[],
  set: Readonly<Record<string, Partial<JournalAccount>>> = {},
): ReadonlyMap<string, JournalAccount> {
  const ofFunds = funds.map(({ fund, title }, index) => [
    `donations:${fund}`,
    { code: `4-${1110 + index * 10}`, name: `Donations: ${title}`, tax: gifts },
  ]);
  const all: Record<string, JournalAccount> = { ...defaults, ...Object.fromEntries(ofFunds) };
  return new Map(Object.entries(all).map(([account, usual]) => [account, { ...usual, ...set[account] }]));
}

/** An account that was added since: its name in the ledger stands for it. */
export function describeAccount(accounts: ReadonlyMap<string, JournalAccount>, account: string): JournalAccount {
  return accounts.get(account) ?? { code: account, name: account, tax: gifts };
}

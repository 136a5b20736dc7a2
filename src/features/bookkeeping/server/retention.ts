import { columns, type Holdings } from "#shared/retention/retention.ts";

/** Totals by day and account; nothing names a person. */
export const bookkeepingHoldings: Holdings = {
  rules: [],
  notPersonal: [...columns("book_days", "subject", "provider", "account"), ...columns("journal_lines", "account")],
};

import { columns, type Holdings } from "#shared/retention/retention.ts";

/** What the organisation says of itself; nothing names a person. */
export const settingsHoldings: Holdings = {
  rules: [],
  notPersonal: [
    ...columns("setting_versions", "key", "value"),
    ...columns("bank_account_requests", "banks", "decision", "decision_reason"),
  ],
};

import type { Organisation } from "#shared/organisation.ts";

/** What is done with the money on this page, and what it is for, as the sentences around a payment say it. */
export type PayWords = {
  readonly verb: "Donate" | "Pay";
  readonly noun: "donation" | "order";
};

/** Who is paid, and whom to ask. */
export type Payee = Pick<Organisation, "name" | "abn" | "phone" | "email">;

import { accounts } from "#features/accounts/server/feature.ts";
import { content } from "#features/content/server/feature.ts";
import { donations } from "#features/donations/server/feature.ts";
import { tickets } from "#features/tickets/server/feature.ts";
import { volunteering } from "#features/volunteering/server/feature.ts";
import { payments } from "#payments/feature.ts";

/** What the server is made of, a line each; the privacy policy names what they keep in this order. `feature.ts` says what each may bring. */
export const features = [donations, tickets, payments, accounts, volunteering, content] as const;

import type { DemoPast } from "#payments/demo/demo-payments.ts";
import { addDeadLink } from "./add-dead-link.ts";
import { addMessages } from "./add-messages.ts";

/** A broken link, and messages of the contact form. */
export const planContent = (services: Parameters<typeof addMessages>[0], now: Date): DemoPast => ({
  payments: [],
  add: async () => {
    await addDeadLink(services, now);
    await addMessages(services, now);
  },
});

import type { Provider } from "#payments/provider.ts";
import { createReconciliation } from "#payments/reconciliation/reconciliation.ts";
import { addDays, dayInSydney } from "#shared/language.ts";
import type { Services } from "../services.ts";

/** The days before today that are compared at once, as if the site had run. */
const COMPARED_DAYS = 28;

/** Compares the last weeks, day by day, as the site does every night. */
export async function compareDays(services: Services, now: Date): Promise<void> {
  const { payway, braintree } = services.providers;
  const { reconcileDay } = createReconciliation({
    ...services,
    settings: services.config.payments,
    reconciliation: services.config.reconciliation,
    hasPaypal: services.config.braintree.isOffered,
    providers: { payway: readDaysOnce(payway), braintree: readDaysOnce(braintree) },
  });
  for (let days = COMPARED_DAYS; days >= 1; days -= 1) {
    const day = addDays(dayInSydney(now), -days);
    for (const provider of ["payway", "braintree"] as const) await reconcileDay(provider, day);
  }
}

/** Each comparison reads the days before its own again, and nothing happens to them in between. */
function readDaysOnce(provider: Provider): Provider {
  const read = new Map<string, ReturnType<Provider["listTransactions"]>>();
  return {
    ...provider,
    listTransactions(days) {
      const key = days.join();
      const known = read.get(key) ?? provider.listTransactions(days);
      read.set(key, known);
      return known;
    },
  };
}

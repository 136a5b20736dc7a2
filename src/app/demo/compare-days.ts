import type { Provider } from "#payments/provider.ts";
import { createReconciliation } from "#payments/reconciliation/reconciliation.ts";
import { addDays, dayInSydney } from "#shared/language.ts";
import type { Services } from "../services.ts";

/** How many days before today are compared, as if the site had been running. */
const COMPARED_DAYS = 28;

/** Compares the last weeks with the provider's books, day by day, as the site does every night. */
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

/** Each comparison also reads the earlier days, which don't change in between, so their answers are reused. */
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

import { z } from "zod";
import { action, Refusal } from "#admin/actions.ts";
import { recordAct } from "#admin/audit.ts";
import type { AdminPart } from "#admin/feature.ts";
import type { ProviderName } from "#payments/tables.ts";
import type { SettingsServices } from "../../server/settings-services.ts";

export const PAYMENT_SETTINGS_PATH = "/admin/settings/payments";

/** The providers, with the topic of their requirements in `live-checks.ts`. */
export const providerTopics = {
  payway: { name: "PayWay", topic: "cards" },
  braintree: { name: "PayPal, by Braintree", topic: "paypal" },
} as const satisfies Record<ProviderName, { name: string; topic: string }>;

/** A person waits for the answer; a donor's payment may wait longer. */
const WAIT_MS = 15_000;

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly paymentSettings: { readonly isPaypalOffered: boolean };
  }
}

/** What the payment providers need, and a test of the keys. */
export function paymentsPart({ config, database, providers, now }: SettingsServices): AdminPart {
  return {
    reads: { paymentSettings: { isPaypalOffered: config.liveSettings.PAYPAL === "on" } },
    actions: [
      action({
        path: PAYMENT_SETTINGS_PATH,
        screen: PAYMENT_SETTINGS_PATH,
        right: "settings.change",
        fields: z.object({ provider: z.enum(["payway", "braintree"]) }),
        run: async ({ fields: { provider }, actor }) => {
          const { name } = providerTopics[provider];
          const { PAYWAY_URL } = config.liveSettings;
          if (provider === "payway" && PAYWAY_URL === undefined && !config.isDemo) {
            throw new Refusal("PAYWAY_URL is not set, so nothing was asked. Whoever runs the server sets it.");
          }
          const refusal = await findRefusal(providers[provider].checkCredentials(), name);
          const act = { verb: "payments.test", subject: "payments", subjectId: provider };
          await recordAct(database, actor, { ...act, after: { accepted: refusal === null } }, now());
          if (refusal !== null) throw new Refusal(`${refusal} Nothing was charged.`);
          return { check: `${name} accepts the keys. Nothing was charged.` };
        },
      }),
    ],
  };
}

/** Why the provider does not take the keys, in a sentence; null if it does. */
async function findRefusal(check: Promise<void>, name: string): Promise<string | null> {
  const { promise: late, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(resolve, WAIT_MS, `${name} did not answer within 15 seconds. Try again in a moment.`);
  const refusal = check.then(
    () => null,
    (error: Error) => error.message,
  );
  return Promise.race([refusal, late]).finally(() => clearTimeout(timer));
}

import { Gauge, type Registry } from "prom-client";
import { isPaid } from "#payments/states.ts";
import type { Database } from "#shared/database/connect.ts";
import { DAY_MS } from "#shared/day-length.ts";

/** The last day's payment attempts by state and provider, the age of the oldest unsettled one, and unavailable providers. */
async function readPayments(database: Database, now: number) {
  const since = new Date(now - DAY_MS);
  const [states, oldest, away] = await Promise.all([
    database
      .selectFrom("payment_attempts")
      .select(({ fn }) => [
        "state",
        "provider",
        fn.countAll().as("count"),
        fn.sum("amount_cents").filterWhere("settled_at", ">", since).as("cents"),
      ])
      .where((where) => where.or([where("settled_at", ">", since), where("next_check_at", "is not", null)]))
      .groupBy(["state", "provider"])
      .execute(),
    database
      .selectFrom("payment_attempts")
      .select(({ fn }) => fn.min("sent_at").as("sentAt"))
      .where("next_check_at", "is not", null)
      .where("state", "in", ["unknown", "processing"])
      .executeTakeFirst(),
    database.selectFrom("provider_health").select("provider").where("opened_at", "is not", null).execute(),
  ]);
  return {
    states,
    oldestSeconds: oldest?.sentAt ? (now - oldest.sentAt.getTime()) / 1000 : 0,
    away: away.map(({ provider }) => provider),
  };
}

/** Adds what alarms need of payments and their providers. The result updates them. */
export function addPaymentMetrics(
  registry: Registry,
  { database, now }: { readonly database: Database; readonly now: () => Date },
): () => Promise<void> {
  const registers = [registry];
  const payments = new Gauge({
    name: "payments",
    help: "Payment attempts of a day by state",
    labelNames: ["state"],
    registers,
  });
  const paid = new Gauge({
    name: "payments_paid_cents",
    help: "What was paid in a day, by provider, before refunds",
    labelNames: ["provider"],
    registers,
  });
  const oldest = new Gauge({
    name: "payments_oldest_open_seconds",
    help: "Age of the oldest unsettled payment attempt",
    registers,
  });
  const providers = new Gauge({
    name: "provider_away",
    help: "1 while a payment provider is failing and gets no requests",
    labelNames: ["provider"],
    registers,
  });
  return async () => {
    const { states, oldestSeconds, away } = await readPayments(database, now().getTime());
    payments.reset();
    for (const { state, count } of states) payments.inc({ state }, Number(count));
    oldest.set(oldestSeconds);
    for (const provider of ["payway", "braintree"] as const) {
      providers.set({ provider }, Number(away.includes(provider)));
      const paidOnes = states.filter((one) => one.provider === provider && isPaid(one.state));
      paid.set(
        { provider },
        paidOnes.reduce((cents, one) => cents + Number(one.cents ?? 0), 0),
      );
    }
  };
}

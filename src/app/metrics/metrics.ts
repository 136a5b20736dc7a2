import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { isPaid } from "#payments/states.ts";
import type { Database } from "#shared/database/connect.ts";
import { DAY_MS } from "#shared/day-length.ts";
import { isSameSecret } from "#shared/http/same-secret.ts";
import type { Answered } from "../ready-answers.ts";
import { addProcessMetrics, type ProcessMetrics } from "./process-metrics.ts";
import { createRequestTimes } from "./request-times.ts";
import { addUpkeepMetrics, type UpkeepOptions } from "./upkeep-metrics.ts";

export type CountAnswer = (answered: Answered, ms: number) => void;

type MetricsOptions = UpkeepOptions & ProcessMetrics & { readonly token: string | undefined };

/** The last day's payment attempts by state and provider, the age of the oldest unsettled one, and unavailable providers. */
async function readPayments(database: Database, now: number) {
  const since = new Date(now - DAY_MS);
  const [states, oldest, away] = await Promise.all([
    database
      .selectFrom("payment_attempts")
      .select(({ fn }) => [
        ...(["state", "provider"] as const),
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

/**
 * `GET /metrics` in Prometheus's text format (REL-4): process, requests by route, payments, jobs and upkeep. Only this machine
 * may read it, or a bearer of the configured token. Others add their metrics to the returned registry, and call `count`
 * for each answer.
 */
export function measure(
  app: FastifyInstance,
  { token, ...options }: MetricsOptions,
  countJobs: () => Promise<{ waiting: number; failed: number }>,
): { registry: Registry; count: CountAnswer } {
  const { database, now } = options;
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const times = createRequestTimes();
  const errors = new Counter({ name: "http_errors_total", help: "Answers of 500 and above", registers });
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
  const jobs = new Gauge({
    name: "jobs",
    help: "Jobs that are waiting or have permanently failed",
    labelNames: ["state"],
    registers,
  });

  addProcessMetrics(registry, options);
  const readUpkeep = addUpkeepMetrics(registry, options);

  app.get("/metrics", { logLevel: "warn" }, async (request, response) => {
    if (!mayRead(token, request.socket.remoteAddress, request.headers.authorization)) return response.callNotFound();
    const [{ states, oldestSeconds, away }, counts] = await Promise.all([
      readPayments(database, now().getTime()),
      countJobs(),
      readUpkeep(),
    ]);
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
    for (const state of ["waiting", "failed"] as const) jobs.set({ state }, counts[state]);
    return response
      .type(registry.contentType)
      .header("cache-control", "no-store")
      .send(`${await registry.metrics()}\n${times.text()}`);
  });
  return {
    registry,
    count(answered, ms) {
      times.observe(answered, ms);
      if (answered.status >= 500) errors.inc();
    },
  };
}

function mayRead(token: string | undefined, address: string | undefined, authorization: string | undefined): boolean {
  if (token === undefined) return address === "127.0.0.1" || address === "::1" || address === "::ffff:127.0.0.1";
  return isSameSecret(authorization ?? "", `Bearer ${token}`);
}

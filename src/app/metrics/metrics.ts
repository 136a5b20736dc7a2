import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { isSameSecret } from "#shared/http/same-secret.ts";
import type { Answered } from "../ready-answers.ts";
import { addPaymentMetrics } from "./payment-metrics.ts";
import { addProcessMetrics, type ProcessMetrics } from "./process-metrics.ts";
import { createRequestTimes } from "./request-times.ts";
import { addUpkeepMetrics, type UpkeepOptions } from "./upkeep-metrics.ts";

export type CountAnswer = (answered: Answered, ms: number) => void;

type MetricsOptions = UpkeepOptions & ProcessMetrics & { readonly token: string | undefined };

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
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const times = createRequestTimes();
  const errors = new Counter({ name: "http_errors_total", help: "Answers of 500 and above", registers });
  const readPayments = addPaymentMetrics(registry, options);
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
    const [counts] = await Promise.all([countJobs(), readPayments(), readUpkeep()]);
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

import { Histogram, Registry } from "prom-client";
import { expect, test } from "vitest";
import { createRequestTimes } from "./request-times.ts";

test("REL-4: times of requests are written as prom-client writes a histogram", async () => {
  const registry = new Registry();
  const theirs = new Histogram({
    name: "http_request_seconds",
    help: "Time to answer, by route and status",
    labelNames: ["method", "route", "status"],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 30],
    registers: [registry],
  });
  const ours = createRequestTimes();
  const answers = [
    { method: "GET", route: "/", status: 200, ms: [0, 5, 5.1, 99, 40_000] },
    { method: "GET", route: "/", status: 304, ms: [0] },
    { method: "POST", route: '/a"b\\c\nd', status: 500, ms: [30_000] },
  ];
  for (const { ms, ...labels } of answers) {
    for (const each of ms) {
      theirs.observe(labels, each / 1000);
      ours.observe({ ...labels, isRoutine: false }, each);
    }
  }
  expect(ours.text()).toBe(await registry.metrics());
});

import type { Answered } from "../ready-answers.ts";

const NAME = "http_request_seconds";
const HELP = "Time to answer, by route and status";
const UPPER_SECONDS = [0.005, 0.02, 0.1, 0.5, 2, 10, 30];

type Times = { readonly labels: string; readonly counts: number[]; seconds: number; count: number };

/**
 * How long answers take, as a histogram in Prometheus's text format. Its own, because prom-client checks and sorts the
 * labels for each answer, which costs as much as finding a repeated one.
 */
export function createRequestTimes() {
  const all = new Map<string, Times>();

  function timesOf({ method, route, status }: Answered): Times {
    const key = `${status} ${method} ${route}`;
    const known = all.get(key);
    if (known !== undefined) return known;
    const labels = Object.entries({ method, route, status }).map(([name, value]) => `${name}="${quoted(value)}"`);
    const times = { labels: labels.join(","), counts: UPPER_SECONDS.map(() => 0), seconds: 0, count: 0 };
    all.set(key, times);
    return times;
  }

  return {
    observe(answered: Answered, ms: number) {
      const times = timesOf(answered);
      const seconds = ms / 1000;
      times.seconds += seconds;
      times.count += 1;
      const bucket = UPPER_SECONDS.findIndex((upper) => seconds <= upper);
      if (bucket >= 0) times.counts[bucket]! += 1;
    },
    text() {
      const lines = [...all.values()].flatMap(linesOf);
      return [`# HELP ${NAME} ${HELP}`, `# TYPE ${NAME} histogram`, ...lines, ""].join("\n");
    },
  };
}

function linesOf({ labels, counts, seconds, count }: Times): string[] {
  let below = 0;
  const buckets = UPPER_SECONDS.map((upper, index) => {
    below += counts[index]!;
    return `${NAME}_bucket{le="${upper}",${labels}} ${below}`;
  });
  return [
    ...buckets,
    `${NAME}_bucket{le="+Inf",${labels}} ${count}`,
    `${NAME}_sum{${labels}} ${seconds}`,
    `${NAME}_count{${labels}} ${count}`,
  ];
}

function quoted(value: string | number): string {
  return String(value).replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n");
}

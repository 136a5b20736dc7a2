import type { FastifyInstance } from "fastify";
import { Gauge, type Registry } from "prom-client";
import { GUEST_COOKIE } from "#shared/sessions/guest-cookie.ts";
import type { PageCheck } from "./check-payment-pages.ts";
import type { PaymentScript } from "./rendering/script-files.ts";

/** A proxy may need a moment before it sends visitors to this process. */
const FIRST_MS = 60_000;
const EVERY_MS = 3_600_000;
const TIME_OUT_MS = 20_000;

export type Watched = { readonly paths: readonly string[]; readonly scripts: readonly PaymentScript[] };
type WatchOptions = Watched & {
  readonly publicUrl: string;
  readonly registry: Registry;
  /** While visitors see none of the pages there is nothing to check. */
  readonly isClosed: () => boolean;
};

/**
 * Fetches the pages that take payments from the public address every hour, as a browser would, and raises an alarm in
 * the log and the metrics if they differ from what this process sends (SEC-11).
 */
export function watchPaymentPages(
  app: FastifyInstance,
  { registry, isClosed, ...watched }: WatchOptions,
): () => Promise<void> {
  const registers = [registry];
  const differences = new Gauge({
    name: "payment_page_differences",
    help: "What the last check found changed on pages that take payments",
    registers,
  });
  const checkedAt = new Gauge({
    name: "payment_page_checked_timestamp_seconds",
    help: "When those pages could last be checked",
    registers,
  });
  const check = async () => {
    if (isClosed()) return;
    try {
      // Not at the start, because it loads the HTML parser.
      const { checkPaymentPages } = await import("./check-payment-pages.ts");
      const found = await checkPaymentPages(asBrowser(app, watched));
      differences.set(found.length);
      checkedAt.setToCurrentTime();
      if (found.length === 0) app.log.info("the pages that take payments are as they were built");
      else app.log.error({ alarm: "payment_pages", differences: found }, "pages that take payments were changed");
    } catch (error) {
      app.log.warn({ err: error }, "the pages that take payments could not be checked");
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const plan = (milliseconds: number) => {
    timer = setTimeout(() => void check().then(() => plan(EVERY_MS)), milliseconds).unref();
  };
  app.addHook("onListen", async () => plan(FIRST_MS));
  app.addHook("preClose", async () => clearTimeout(timer));
  return check;
}

/** How the pages are fetched, over the network and within this process. */
function asBrowser(
  app: FastifyInstance,
  { paths, scripts, publicUrl }: Omit<WatchOptions, "registry" | "isClosed">,
): PageCheck {
  const headers = {
    cookie: `${GUEST_COOKIE}=true`,
    accept: "text/html,*/*;q=0.8",
    // An attacker may leave pages unchanged for programs that identify themselves.
    "user-agent":
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
  };
  return {
    paths,
    scripts,
    fetch: async (path) => {
      const signal = AbortSignal.timeout(TIME_OUT_MS);
      const response = await fetch(publicUrl + path, { headers, redirect: "manual", signal });
      const body = Buffer.from(await response.arrayBuffer());
      return { status: response.status, headers: Object.fromEntries(response.headers), body };
    },
    expect: async (url) => {
      const answer = await app.inject({ url, headers });
      return { status: answer.statusCode, headers: answer.headers, html: answer.body };
    },
  };
}

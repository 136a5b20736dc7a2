import { createHash } from "node:crypto";
import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { controlSimulator, type SimulatorControl } from "#simulators/control.ts";
import { hasMovedMoney } from "#simulators/ledger.ts";
import { createDonor, type Donor } from "./donor.ts";

type Journey = {
  readonly donor: Donor;
  readonly simulator: SimulatorControl;
  /** Dollars that no other test uses, so that its faults and charges can be found by the amount. */
  readonly amount: string;
  /** Browser complaints that this test causes on purpose. */
  readonly expected: RegExp[];
};

/** `usual`: set up like a fresh clone. `as-live`: with Braintree's own scripts, the policy for them, and 3-D Secure. */
export type SiteName = "usual" | "as-live";

/** Playwright's test, with a donor and the simulator's controls; it fails if the browser complains of anything. */
export const test = base.extend<Journey & { readonly site: SiteName; readonly watch: undefined }>({
  site: ["usual", { option: true }],
  baseURL: async ({ site }, use) => use(siteUrl(site)),
  expected: async ({ site: _ }, use) => use([]),
  simulator: async ({ site }, use) => use(controlSimulator(addresses[site].simulator())),
  amount: async ({ site: _ }, use, info) => use(ownAmount([info.project.name, ...info.titlePath].join())),
  watch: [
    async ({ context, site, expected }, use) => {
      const complaints = await watchContext(context, siteUrl(site));
      await use(undefined);
      const unexpected = complaints.filter((text) => !expected.some((pattern) => pattern.test(text)));
      expect(unexpected, "what the browser complained of").toEqual([]);
    },
    { auto: true },
  ],
  donor: async ({ page, site, amount }, use) =>
    use(createDonor(page, { email: `donor-${amount}@example.com`, siteUrl: siteUrl(site) })),
});

export { expect };

const addresses = {
  usual: {
    site: () => process.env.JOURNEY_SITE!,
    simulator: () => process.env.JOURNEY_SIMULATOR!,
    database: () => process.env.JOURNEY_DATABASE!,
  },
  "as-live": {
    site: () => process.env.JOURNEY_LIVE_SITE!,
    simulator: () => process.env.JOURNEY_LIVE_SIMULATOR!,
    database: () => process.env.JOURNEY_LIVE_DATABASE!,
  },
} as const satisfies Record<SiteName, object>;

/** The origin of a site, without a slash at its end. */
export const siteUrl = (site: SiteName = "usual") => addresses[site].site();
/** For what no visitor can do, such as letting time pass or planning events. */
export const databaseOf = (site: SiteName) => addresses[site].database();

/** Console errors and warnings, uncaught errors, policy reports and failed requests, on every page of the context. */
async function watchContext(context: BrowserContext, siteUrl: string): Promise<string[]> {
  const complaints: string[] = [];
  await context.addInitScript(() => {
    document.addEventListener(
      "securitypolicyviolation",
      ({ disposition, violatedDirective, blockedURI, sourceFile }) => {
        // The report-only policy watches the scripts of other companies, which we do not control.
        if (disposition === "report" && /^https:/.test(sourceFile)) return;
        console.error(`CSP (${disposition}): ${violatedDirective} refused ${blockedURI} from ${sourceFile}`);
      },
    );
  });
  context.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) {
      complaints.push(`${message.type()}: ${message.text()} (${message.location().url})`);
    }
  });
  context.on("weberror", (event) => {
    const { name, message, stack } = event.error();
    // Chromium reports a navigation during a page transition: w3c/csswg-drafts#13726.
    if (/^Transition was (skipped|aborted)/.test(message)) return;
    complaints.push(`not caught on ${event.page()?.url()}: ${stack || `${name} ${message}`}`);
  });
  context.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // Leaving a page aborts its requests.
    if (request.url().startsWith(siteUrl) && reason !== "net::ERR_ABORTED") {
      complaints.push(`failed: ${request.method()} ${request.url()} ${reason}`);
    }
  });
  context.on("request", (request) => {
    const address = request.url().slice(siteUrl.length);
    // No email may be in an address (API-5), except in the developers' mailbox.
    if (request.url().startsWith(siteUrl) && /@|%40/.test(address) && !address.startsWith("/dev/")) {
      complaints.push(`an email in an address: ${request.method()} ${address}`);
    }
  });
  context.on("response", (response) => {
    if (response.url().startsWith(siteUrl) && response.status() >= 400) {
      complaints.push(`status ${response.status()}: ${response.request().method()} ${response.url()}`);
    }
  });
  return complaints;
}

/** From 20.00 to about 2,000 dollars with odd cents, the same on every run of a test. */
function ownAmount(title: string): string {
  const number = createHash("sha256").update(title).digest().readUInt32BE();
  return ((2000 + (number % 200_000)) / 100).toFixed(2);
}

/** Approved charges of exactly these cents on the providers' books. */
export async function listCharges(simulator: SimulatorControl, amountCents: number) {
  const rows = await simulator.listLedger();
  return rows.filter((row) => row.amountCents === amountCents && hasMovedMoney(row));
}

type EmailMessage = { to: string; subject: string; text: string; attachments: { url: string; filename: string }[] };

/** The emails sent to this address, newest first. */
export async function listEmails(page: Page, to: string): Promise<EmailMessage[]> {
  const answer = await page.request.get(`/dev/mail.json?to=${encodeURIComponent(to)}`);
  return (await answer.json()) as EmailMessage[];
}

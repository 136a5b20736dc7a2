import { createHash } from "node:crypto";
import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { controlSimulator, type SimulatorControl } from "#simulators/control.ts";
import { hasMovedMoney } from "#simulators/ledger.ts";
import { createDonor, type Donor } from "./donor.ts";

type Journey = {
  readonly donor: Donor;
  readonly simulator: SimulatorControl;
  /** Dollars that no other test gives, so that faults and books can be told apart by the amount. */
  readonly amount: string;
  /** Complaints of the browser that this test brings about on purpose. */
  readonly expected: RegExp[];
};

/**
 * Where a journey goes: to a site that is set up as a fresh clone is, or to one that has what live ones have, Braintree's
 * own scripts under the policy for them, and 3-D Secure.
 */
export type Site = "usual" | "as-live";

/** Playwright's test, with a donor, the simulator's levers, and a watch over everything that the browser complains of. */
export const test = base.extend<Journey & { readonly site: Site; readonly watch: undefined }>({
  site: ["usual", { option: true }],
  baseURL: async ({ site }, use) => use(siteUrl(site)),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern
  expected: async ({}, use) => use([]),
  simulator: async ({ site }, use) => use(controlSimulator(addresses[site].simulator())),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  amount: async ({}, use, info) => use(ownAmount([info.project.name, ...info.titlePath].join())),
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
} as const satisfies Record<Site, object>;

export const siteUrl = (site: Site = "usual") => addresses[site].site();
/** For what no visitor can bring about: time that has passed, and events that staff have not planned. */
export const databaseOf = (site: Site) => addresses[site].database();

/** Console errors and warnings, errors nobody caught, policy reports and failed requests, on every page of the context. */
async function watchContext(context: BrowserContext, siteUrl: string): Promise<string[]> {
  const complaints: string[] = [];
  await context.addInitScript(() => {
    document.addEventListener(
      "securitypolicyviolation",
      ({ disposition, violatedDirective, blockedURI, sourceFile }) => {
        // What only reports is there to watch scripts of other companies, which do as they like.
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
    // Chromium complains by itself when one leads on before pages have softly changed: w3c/csswg-drafts#13726.
    if (/^Transition was (skipped|aborted)/.test(message)) return;
    complaints.push(`not caught on ${event.page()?.url()}: ${stack || `${name} ${message}`}`);
  });
  context.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // Leaving a page ends what it was still fetching.
    if (request.url().startsWith(siteUrl) && reason !== "net::ERR_ABORTED") {
      complaints.push(`failed: ${request.method()} ${request.url()} ${reason}`);
    }
  });
  context.on("request", (request) => {
    const address = request.url().slice(siteUrl.length);
    // Addresses are kept and passed on (API-5); the mailbox is for developers.
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

/** From 20.00 to about 2,000 dollars with odd cents, the same for the same test each time. */
function ownAmount(title: string): string {
  const number = createHash("sha256").update(title).digest().readUInt32BE();
  return ((2000 + (number % 200_000)) / 100).toFixed(2);
}

/** Approved charges of exactly these cents in the providers' own books. */
export async function listCharges(simulator: SimulatorControl, amountCents: number) {
  const rows = await simulator.listLedger();
  return rows.filter((row) => row.amountCents === amountCents && hasMovedMoney(row));
}

type Letter = { to: string; subject: string; text: string; attachments: { url: string; filename: string }[] };

/** The letters to this address that the site has sent, newest first. */
export async function listLetters(page: Page, to: string): Promise<Letter[]> {
  const answer = await page.request.get(`/dev/mail.json?to=${encodeURIComponent(to)}`);
  return (await answer.json()) as Letter[];
}

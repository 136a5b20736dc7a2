import { islandFiles } from "./island-files.ts";
import type { Manifest } from "./manifest.ts";

const BROWSER = "src/app/rendering/browser.ts";
/** What stands on the pages that take payments. */
export const paymentIslands = ["DonationPage", "CheckoutPage"] as const;

/** Why each script of ours is on the pages that take payments (PCI DSS 6.4.3), by its name in the build. */
const purposes: Readonly<Record<string, string>> = {
  shell: "menu, notices and links of every page",
  member: "shows who is logged in, and logs out",
  browser: "starts the form, and what every form needs: React, checks of what is typed",
  "spot-success": "addresses of the pictures in the form",
  pay: "asks for card or PayPal, sends the payment and shows its outcome; loads the providers' scripts",
  calls: "sends what was typed to this site",
  "known-person": "reads who is logged in",
  "fill-user": "fills in the details of whoever is logged in",
  "donation-page": "the donation form: personal details",
  "later-steps": "the donation form: donations, summary and payment",
  "checkout-page": "the ticket checkout: the seats and how long they are held",
  "later-part": "the ticket checkout: details and payment",
  "place-calls": "asks for the states of a country",
  "trusted-script": "checks the address of each script and worker before it is added",
  "challenge-frame": "opens the bank's 3-D Secure challenge",
  "paypal-button": "puts PayPal's button on the page",
  "altcha-box": "the captcha, which keeps stolen cards from being tried",
  "solve-captcha": "solves the captcha that only suspicion asks for",
  pbkdf2: "the captcha's worker, and its address",
};

/**
 * Every script of ours that a page which takes payments may run: what it links, what those fetch later, and their workers.
 * @throws when one of them has no purpose here.
 */
export function describePaymentScripts(manifest: Manifest): { address: string; purpose: string }[] {
  const roots = [
    "src/app/shell/shell.ts",
    "src/app/shell/member.ts",
    BROWSER,
    ...paymentIslands.map((name) => islandFiles[name]),
  ];
  const found = new Map<string, string>();
  const visit = (key: string) => {
    const { file, name = "", imports = [], dynamicImports = [], assets = [] } = manifest[key]!;
    if (found.has(`/${file}`) || !file.endsWith(".js")) return;
    const purpose = purposes[name];
    if (purpose === undefined) throw new Error(`Say in payment-scripts.ts what the script '${name}' is for.`);
    found.set(`/${file}`, purpose);
    for (const worker of assets.filter((asset) => asset.endsWith(".js"))) found.set(`/${worker}`, purpose);
    // It can start every form of the site, and starts those that are on the page.
    const later = dynamicImports.filter((next) => key !== BROWSER || !isIsland(next));
    for (const next of [...imports, ...later]) visit(next);
  };
  for (const root of roots) visit(root);
  return [...found].map(([address, purpose]) => ({ address, purpose }));
}

function isIsland(key: string): boolean {
  return Object.values(islandFiles).some((file) => file === key);
}

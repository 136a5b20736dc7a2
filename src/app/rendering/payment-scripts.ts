import { BROWSER, isIsland, islandKey, type Manifest } from "./manifest.ts";

/** The islands on the pages that take payments. */
const paymentIslands = ["DonationPage", "CheckoutPage"] as const;

/** Why each script of ours is on the pages that take payments (PCI DSS 6.4.3), by its name in the build. */
const purposes: Readonly<Record<string, string>> = {
  shell: "menu, notices and links of every page",
  "member.script": "shows who is logged in, and logs out",
  browser: "starts the form, and what every form needs: React, checks of what is typed",
  pictures: "addresses of the pictures in the form",
  pay: "takes the card or PayPal payment, sends it and shows its outcome; loads the providers' scripts",
  calls: "sends what was typed to this site",
  wizard: "the steps of a form, and the browser's Back among them",
  "form-number-stepper": "buttons that count up and down",
  "known-person": "what a payer typed, for the registration form",
  "fill-user": "fills in the details of a logged-in user",
  "donation-page": "the donation form: personal details",
  "lazy-donation-steps": "the donation form: donations, summary and payment",
  "checkout-page": "the ticket checkout: the seats and how long they are held",
  "lazy-payment-steps": "the ticket checkout: details and payment",
  "place-calls": "fetches the states of a country",
  "trusted-script": "checks the address of each script and worker before it is added",
  "challenge-frame": "opens the bank's 3-D Secure challenge",
  "paypal-button": "puts PayPal's button on the page",
  "altcha-box": "the captcha, which keeps stolen cards from being tried",
  "solve-captcha": "solves the captcha that is only needed on suspicion",
  pbkdf2: "the captcha's worker, and its address",
};

/** The scripts that a payment page may run, with lazy ones and workers. @throws Error if one has no purpose here. */
export function describePaymentScripts(manifest: Manifest): { address: string; purpose: string }[] {
  const roots = [
    "src/app/shell/shell.ts",
    "src/app/shell/member.script.ts",
    BROWSER,
    ...paymentIslands.map((name) => islandKey(manifest, name)),
  ];
  const found = new Map<string, string>();
  const visit = (key: string) => {
    const { file, name = "", imports = [], dynamicImports = [], assets = [] } = manifest[key]!;
    if (found.has(`/${file}`) || !file.endsWith(".js")) return;
    const purpose = purposes[name];
    if (purpose === undefined) throw new Error(`Say in payment-scripts.ts what the script '${name}' is for.`);
    found.set(`/${file}`, purpose);
    for (const worker of assets.filter((asset) => asset.endsWith(".js"))) found.set(`/${worker}`, purpose);
    // It can load every form of the site, but loads only those on the page.
    const fetched = dynamicImports.filter((next) => key !== BROWSER || !isIsland(next));
    for (const next of [...imports, ...fetched]) visit(next);
  };
  for (const root of roots) visit(root);
  return [...found].map(([address, purpose]) => ({ address, purpose }));
}

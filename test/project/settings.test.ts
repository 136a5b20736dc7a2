import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, expect, test } from "vitest";
import { readConfig } from "#shared/config/config.ts";
import { settingNames } from "#shared/config/environment.ts";
import { liveChecks, requireOwnOrganisation } from "#shared/live-checks.ts";
import { newOrganisation, Organisation } from "#shared/organisation.ts";

const dataDir = mkdtempSync(join(tmpdir(), "almoner-settings-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const exampleFile = readFileSync(".env.example", "utf8");
const example = parseEnv(exampleFile.replace(/^#(?=[A-Z])/gm, ""));
const read = (settings: Record<string, string | undefined> = {}) => readConfig({ DATA_DIR: dataDir, ...settings });

test(".env.example has exactly the settings that are read", () => {
  expect(Object.keys(example).sort()).toEqual([...settingNames].sort());
});

test(".env.example names the defaults, and sets nothing that a unit or an image sets otherwise", () => {
  expect(read({ ...example, DATA_DIR: dataDir })).toEqual(read());
  expect(parseEnv(exampleFile)).toEqual({});
});

test.each([
  ["PORT", "eighty"],
  ["PORT", "70000"],
  ["PUBLIC_URL", "chashma.example"],
  ["DATABASE_URL", "mysql://here"],
  ["DATABASE_READ_URL", "mysql://here"],
  ["SECRET_KEY", "short"],
  ["PAYMENTS", "real"],
  ["PAYWAY_URL", "ftp://bank.example"],
  ["PROVIDER_TIMEOUT_MS", "0"],
  ["PAYMENT_TRIES", "3"],
  ["FEES_CARD_PERCENT", "-1"],
  ["FEES_ADMIN_PERCENT", "5.125"],
  ["LIMITS_MINIMUM", "2.5"],
  ["LIMITS_DECLINES", "many"],
  ["CAPTCHA_PROVIDER", "riddle"],
  ["SMTP_URL", "http://mail.example"],
  ["LOG_LEVEL", "loud"],
  ["METRICS_TOKEN", "short"],
  ["PAYWAY_3DS", "yes"],
  ["PAYWAY_3DS_PATH", "../transactions"],
  ["PAYWAY_3DS_UNAVAILABLE_MAXIMUM", "a lot"],
  ["PAYPAL", "maybe"],
  ["BRAINTREE_URL", "development"],
  ["BRAINTREE_SCRIPTS_URL", "ftp://scripts.example"],
  ["REFUND_TWO_PEOPLE_CENTS", "-1"],
  ["REFUND_TWO_PEOPLE_CENTS", "500.50"],
  ["RECONCILE_HOUR", "24"],
  ["CIRCUIT_FAILURES", "0"],
  ["TRUST_PROXY", "true"],
  ["TRUST_PROXY", "10.0.0.0/33"],
  ["TRUST_PROXY", "127.0.0.1, proxy.example"],
])("a bad %s (%s) stops the start with an error that names it", (name, value) => {
  expect(() => read({ [name]: value })).toThrow(new RegExp(`^${name}: must .+\\.$`));
});

test.each(["127.0.0.1", "::1, 10.0.0.0/8", "loopback", "fd00::/8"])("TRUST_PROXY may be %s", (proxies) => {
  expect(read({ TRUST_PROXY: proxies }).trustProxy).toBe(proxies);
});

test("one error names several bad settings", () => {
  expect(() => read({ PORT: "x", LOG_LEVEL: "loud" })).toThrow(/^PORT: .+\.\nLOG_LEVEL: .+\.$/);
});

test("LAY-10: an organisation that cannot be read, or has a wrong ABN or BSB, stops the start with an error that names it", () => {
  expect(() => read({ ORGANISATION: join(dataDir, "none.json") })).toThrow(
    /^ORGANISATION: .*none\.json cannot be read/,
  );
  const organisation = JSON.parse(readFileSync("organisation.json", "utf8"));
  const file = join(dataDir, "organisation.json");
  const withChanges = (changes: object) => {
    writeFileSync(file, JSON.stringify({ ...organisation, ...changes }));
    return () => read({ ORGANISATION: file });
  };
  expect(withChanges({ abn: "12 345 678 901" })).toThrow("abn: This is not a valid ABN");
  const [bank] = organisation.banks;
  expect(withChanges({ banks: [{ ...bank, bsb: "000000" }] })).toThrow("banks.0.bsb: Write the BSB as six digits");
  expect(withChanges({ name: "Another Charity" })().organisation.name).toBe("Another Charity");
});

test("a captcha service without its keys stops the start", () => {
  expect(() => read({ CAPTCHA_PROVIDER: "turnstile" })).toThrow("CAPTCHA_SITE_KEY and CAPTCHA_SECRET_KEY");
});

test("BAK-7: ARCHIVE_DIR needs nightly backups of the embedded database, and is not in DATA_DIR", () => {
  const own = { BACKUP_DIR: "/backups", ARCHIVE_DIR: "/archive" };
  expect(read(own).archiveDir).toBe("/archive");
  expect(() => read({ ...own, BACKUP_DIR: "" })).toThrow("ARCHIVE_DIR continues the nightly backups");
  expect(() => read({ ...own, DATABASE_URL: "postgres://elsewhere" })).toThrow("and no DATABASE_URL");
  expect(() => read({ ...own, ARCHIVE_DIR: join(dataDir, "archive") })).toThrow("ARCHIVE_DIR is in DATA_DIR");
});

test("STO-2: a bucket for files needs all five settings; the error names those that are missing, and no secret", () => {
  const own = {
    S3_ENDPOINT: "https://s3.example/",
    S3_BUCKET: "charity-files",
    S3_REGION: "ap-southeast-2",
    S3_ACCESS_KEY_ID: "AKIA",
    S3_SECRET_ACCESS_KEY: "hunter2",
  };
  expect(read().files).toBeNull();
  expect(read(own).files).toMatchObject({ endpoint: "https://s3.example", bucket: "charity-files", isForNew: true });
  expect(read({ ...own, S3_NEW_FILES: "off" }).files?.isForNew).toBe(false);
  for (const name of Object.keys(own)) {
    expect(() => read({ ...own, [name]: "" })).toThrow(new RegExp(`Set ${name}, or remove the others\\.$`));
    expect(() => read({ ...own, [name]: "" })).not.toThrow("hunter2");
  }
  expect(() => read({ ...own, S3_BUCKET: "Our Files" })).toThrow(/^S3_BUCKET: must be the name of a bucket/);
});

test("the secret key is created once, readable only by its owner", () => {
  const { secretKey } = read();
  expect(secretKey.length).toBeGreaterThanOrEqual(32);
  expect(read().secretKey).toBe(secretKey);
});

const ownOrganisation = join(dataDir, "own-organisation.json");
writeFileSync(
  ownOrganisation,
  readFileSync("organisation.json", "utf8")
    .replace("99 000 000 000", "51 824 753 556")
    .replaceAll("@chashma.example", "@charity.org.au"),
);

const live = {
  PAYMENTS: "live",
  PAYWAY_URL: "https://bank.example/rest/v1",
  PUBLIC_URL: "https://charity.example",
  PAYWAY_SECRET_KEY: "Q10000_SEC_x",
  PAYWAY_PUBLISHABLE_KEY: "Q10000_PUB_x",
  PAYWAY_MERCHANT_ID: "24001234",
  BRAINTREE_MERCHANT_ID: "k3j2merchant",
  BRAINTREE_PUBLIC_KEY: "q8w7public",
  BRAINTREE_PRIVATE_KEY: "z9x8private",
  BRAINTREE_MERCHANT_ACCOUNT_ID: "chashma_aud",
  SECRET_KEY: "a".repeat(32),
  SMTP_URL: "smtps://mail.charity.example",
  MAIL_FROM: "Our Charity <no-reply@charity.org.au>",
  TRUST_PROXY: "127.0.0.1",
  METRICS_TOKEN: "m".repeat(16),
  ORGANISATION: ownOrganisation,
};

test("PAYMENTS=live starts when everything is real, and gives an unknown payment a day", () => {
  const config = read(live);
  expect(config.isLive).toBe(true);
  expect(config.payments.giveUpMs).toBe(86_400_000);
});

test("PAYMENTS=live without PayPal needs none of Braintree's keys, and takes Braintree's own scripts with it", () => {
  const keys = { BRAINTREE_MERCHANT_ID: "", BRAINTREE_PUBLIC_KEY: "", BRAINTREE_PRIVATE_KEY: "" };
  expect(read({ ...live, ...keys, PAYPAL: "off" }).braintree.isOffered).toBe(false);
  expect(read(live).braintree).toMatchObject({ url: "production", searchIsAuthoritative: false });
  expect(read(live).braintree.scriptsUrl).toMatch(/^https:\/\/js\.braintreegateway\.com\/web\//);
});

const demoCopy = join(dataDir, "copy-of-the-demo.json");
writeFileSync(demoCopy, readFileSync("organisation.json"));
const demoAddresses = join(dataDir, "demo-addresses.json");
writeFileSync(demoAddresses, readFileSync("organisation.json", "utf8").replace("99 000 000 000", "51 824 753 556"));

const refused: [unsafe: Record<string, string | undefined>, sentence: string][] = [
  [{ PAYWAY_URL: undefined }, "PAYWAY_URL must be the provider's https address"],
  [{ PAYWAY_URL: "http://bank.example" }, "PAYWAY_URL must be the provider's https address"],
  [{ PUBLIC_URL: "http://charity.example" }, "PUBLIC_URL must be the site's https address"],
  [{ PUBLIC_URL: undefined }, "PUBLIC_URL must be the site's https address"],
  [{ TRUST_PROXY: undefined }, "TRUST_PROXY must name the proxy"],
  [{ METRICS_TOKEN: undefined }, "METRICS_TOKEN must be set"],
  [{ PAYWAY_SECRET_KEY: undefined }, "PAYWAY_SECRET_KEY must not be a test key"],
  [{ PAYWAY_PUBLISHABLE_KEY: "T999_PUB_x" }, "PAYWAY_PUBLISHABLE_KEY must not be a test key"],
  [{ PAYWAY_MERCHANT_ID: "TEST" }, "PAYWAY_MERCHANT_ID must not be the test merchant"],
  [{ BRAINTREE_URL: "sandbox" }, "BRAINTREE_URL must be production or an https address"],
  [{ BRAINTREE_URL: "http://gateway.example" }, "BRAINTREE_URL must be production or an https address"],
  [{ BRAINTREE_PRIVATE_KEY: undefined }, "BRAINTREE_MERCHANT_ID, _PUBLIC_KEY, _PRIVATE_KEY"],
  [{ SECRET_KEY: undefined }, "SECRET_KEY must be set"],
  [{ SMTP_URL: undefined }, "SMTP_URL must be set"],
  [{ MAIL_FROM: undefined }, "MAIL_FROM must be an address of your own"],
  [{ CAPTCHA_COST: "1999" }, "CAPTCHA_COST must be at least 2000"],
  [
    { CAPTCHA_PROVIDER: "turnstile", CAPTCHA_SITE_KEY: "x", CAPTCHA_SECRET_KEY: "1x0000000000000000000000000000000AA" },
    "CAPTCHA_SECRET_KEY must not be a test key",
  ],
  [{ CRASH_POINT: "sending" }, "CRASH_POINT must be empty"],
];

test.each(refused)("SEC-3: PAYMENTS=live refuses %o", (unsafe, sentence) => {
  expect(() => read({ ...live, ...unsafe })).toThrow(`PAYMENTS=live refuses to start. ${sentence}`);
});

const ownOrganisationNeeded = "The organisation's details must be your own";

test.each([undefined, join(process.cwd(), "organisation.json"), demoCopy, demoAddresses])(
  "SEC-3: a site that takes real money does not start with the details of %s, whether from a file or the back office",
  (ORGANISATION) => {
    const { organisation } = read({ ...live, ORGANISATION });
    expect(() => requireOwnOrganisation(organisation)).toThrow(
      `PAYMENTS=live refuses to start. ${ownOrganisationNeeded}`,
    );
    expect(() => requireOwnOrganisation(read(live).organisation)).not.toThrow();
  },
);

test("SETUP-1: with PAYMENTS=off nothing is simulated, nothing is anybody else's, and no address is refused", () => {
  const config = read({ PAYMENTS: "off", NODE_ENV: "production", PUBLIC_URL: "https://ourcharity.org.au" });
  expect(config).toMatchObject({ isLive: false, isDemo: false, organisation: newOrganisation });
  expect(config.mail.from).toBe("Your charity <no-reply@your-charity.example>");
  expect(JSON.stringify(config)).not.toMatch(/chashma/i);
  expect(Organisation.parse(newOrganisation)).toEqual(newOrganisation);
});

test("SEC-3: each check of PAYMENTS=live has a test above and a line in the documentation's checklist", () => {
  const checklist = readFileSync("docs/operations.md", "utf8");
  for (const { sentence } of liveChecks) {
    expect(
      [...refused.map(([, start]) => start), ownOrganisationNeeded].some((start) => sentence.startsWith(start)),
      sentence,
    ).toBe(true);
    expect(checklist).toContain(`- [ ] ${sentence}.\n`);
  }
});

test.each([[{ HOST: "0.0.0.0" }], [{ PUBLIC_URL: "https://charity.example" }]])(
  "SEC-3: NODE_ENV=production with simulated payments refuses %o, which opens the site to others",
  (open) => {
    expect(() => read({ ...open, NODE_ENV: "production" })).toThrow("would take donations that never arrive");
    expect(read({ ...open, NODE_ENV: "development" }).isLive).toBe(false);
    expect(read({ NODE_ENV: "production" }).isLive).toBe(false);
  },
);

test("STA-8: without PUBLIC_URL the site is at localhost, because passkeys need a name; another HOST stays as it is", () => {
  expect(read().publicUrl).toBe("http://localhost:3000");
  expect(read({ HOST: "127.0.0.1", PORT: "4000" }).publicUrl).toBe("http://localhost:4000");
  expect(read({ HOST: "192.0.2.1" }).publicUrl).toBe("http://192.0.2.1:3000");
  expect(read({ PUBLIC_URL: "http://127.0.0.1:3000" }).publicUrl).toBe("http://127.0.0.1:3000");
});

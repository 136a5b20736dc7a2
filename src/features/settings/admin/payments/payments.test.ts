import { afterAll, beforeAll, expect, test } from "vitest";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";

const path = "/admin/settings/payments";
const secrets = { PAYWAY_SECRET_KEY: "T10000_SEC_simulator", BRAINTREE_PRIVATE_KEY: "simulator_private" };

let site: AdminSite;
beforeAll(async () => {
  site = await openAdminSite(secrets);
});
afterAll(() => site.close());

test("SETUP-6: the providers are asked whether they accept the keys, and each answer is a sentence beside its button", async () => {
  const admin = await site.logIn("administrator");
  for (const [provider, name] of [
    ["payway", "PayWay"],
    ["braintree", "PayPal, by Braintree"],
  ] as const) {
    const { status, html } = await admin.post(path, { provider });
    expect([provider, status]).toEqual([provider, 200]);
    expect(html).toContain(`${name} accepts the keys. Nothing was charged.`);
    for (const secret of Object.values(secrets)) expect(html).not.toContain(secret);
  }
  const { rows } = await site.pool.query("select subject_id, after from audit_trail where verb = 'payments.test'");
  expect(rows).toEqual(["payway", "braintree"].map((id) => ({ subject_id: id, after: { accepted: true } })));
  expect((await (await site.logIn("treasurer")).post(path, { provider: "payway" })).status).toBe(403);
  expect((await (await site.logIn("treasurer")).get(path)).html).not.toContain("Test the keys");
});

test("SETUP-6: a wrong key, and a provider that is away, are told apart", async () => {
  const wrong = await openAdminSite({ PAYWAY_SECRET_KEY: "T10000_SEC_other", BRAINTREE_PUBLIC_KEY: "nobody" });
  try {
    const admin = await wrong.logIn("administrator");
    const payway = await admin.post(path, { provider: "payway" });
    expect([payway.status, payway.html]).toEqual([409, expect.stringContaining("check PAYWAY_SECRET_KEY")]);
    const braintree = await admin.post(path, { provider: "braintree" });
    expect(braintree.html).toContain("BRAINTREE_PUBLIC_KEY and BRAINTREE_PRIVATE_KEY");
  } finally {
    await wrong.close();
  }
  const away = await openAdminSite({ PAYWAY_URL: "http://127.0.0.1:9/rest/v1" });
  try {
    const { status, html } = await (await away.logIn("administrator")).post(path, { provider: "payway" });
    expect([status, html]).toEqual([409, expect.stringContaining("PayWay cannot be reached")]);
    expect(html).toContain("Nothing was charged.");
  } finally {
    await away.close();
  }
});

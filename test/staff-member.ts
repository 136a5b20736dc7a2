import type { Role } from "#admin/rights.ts";
import { makeStaff } from "#database/factories.ts";
import { issueInvitation } from "#features/staff/server/invitations.ts";
import { makeRecoveryCodes } from "#features/staff/server/recovery-codes.ts";
import { makeTotpSecret, totpCode } from "#features/staff/server/totp.ts";
import { setPassword } from "#features/staff/server/ways-to-log-in.ts";
import { hashPassword } from "#shared/sessions/passwords.ts";
import type { AdminSite } from "./admin-site.ts";
import { readPage } from "./read-page.ts";
import { type Authenticator, createAuthenticator } from "./software-authenticator.ts";

type Browser = Awaited<ReturnType<AdminSite["openBrowser"]>>;

/** The host that passkeys are bound to in these tests. */
export const origin = "http://localhost:3000";

let people = 0;

/** Adds an invited member of staff, and returns the invitation's token. */
export async function invite(
  { database, clock }: AdminSite,
  {
    kind = "invitation",
    roles = ["treasurer"] as Role[],
  }: { kind?: "invitation" | "reset" | "demo"; roles?: Role[] } = {},
) {
  people += 1;
  const person = { email: `invited-${people}@example.org`, name: `Invited ${people}` };
  const state = kind === "demo" ? "active" : "invited";
  const { id } = await makeStaff(database, { ...person, roles, state, created_at: clock.now() });
  return { id, ...person, token: await issueInvitation(database, id, kind, clock.now()) };
}

const optionsAt = async (browser: Browser, address: string) => JSON.parse((await browser.get(address)).html);

/** Accepts an invitation with a new passkey. */
export async function acceptWithPasskey(browser: Browser, token: string, device: Authenticator) {
  const made = device.create(await optionsAt(browser, `/admin/welcome/${token}/options`), { origin });
  return browser.post(`/admin/welcome/${token}/passkey`, { passkey: JSON.stringify(made) });
}

/** Logs in with a passkey, as `how` says. */
export async function logInWithPasskey(
  browser: Browser,
  device: Authenticator,
  how: Partial<Parameters<Authenticator["use"]>[1]> & { fields?: Record<string, string> } = {},
) {
  const { fields = {}, ...faults } = how;
  const used = device.use(await optionsAt(browser, "/admin/sign-in/options"), { origin, ...faults });
  return browser.post("/admin/sign-in/passkey", { ...fields, passkey: JSON.stringify(used) });
}

/** Proves at `/admin/confirm` who the person is; `fields` are those of the kept form. */
export async function confirmWithPasskey(browser: Browser, device: Authenticator, fields: Record<string, string> = {}) {
  const used = device.use(await optionsAt(browser, "/admin/confirm/options"), { origin });
  return browser.post("/admin/confirm/passkey", { ...fields, passkey: JSON.stringify(used) });
}

/** An active member of staff who logs in with a passkey. */
export async function withPasskey(site: AdminSite, { isCounting = false, roles = ["treasurer"] as Role[] } = {}) {
  const person = await invite(site, { roles });
  const device = createAuthenticator({ isCounting });
  const browser = await site.openBrowser();
  await acceptWithPasskey(browser, person.token, device);
  return { ...person, device, browser };
}

export const password = "correct horse battery";

/** An active member of staff who logs in with a password and an app. */
export async function withPassword(site: AdminSite, roles: Role[] = ["treasurer"]) {
  const { id, email, name } = await invite(site, { kind: "demo", roles });
  const totpSecret = await makeTotpSecret();
  const recoveryCodes = makeRecoveryCodes();
  const hash = await hashPassword(password);
  await setPassword(site.database, site.config.secretKey, id, { hash, totpSecret, totpStep: 0, recoveryCodes });
  const codeAt = (at: Date) => totpCode(totpSecret, at);
  return { id, email, name, recoveryCodes, codeAt, codeNow: () => codeAt(site.clock.now()) };
}

/** The errors that a screen shows for its form. */
export function refusalIn(html: string): string {
  return [...readPage(html).querySelectorAll("[role=alert]:not([hidden]), .err:not([hidden])")]
    .map(({ textContent }) => textContent)
    .join(" ");
}

/** The templates of the emails that were sent to a person. */
export async function listStaffEmails({ pool }: AdminSite, staffId: number): Promise<{ template: string }[]> {
  const { rows } = await pool.query(
    `select data from pgboss.job where name = 'emails' and (data->>'staffId')::int = $1 order by created_on`,
    [staffId],
  );
  return rows.map(({ data }) => data);
}

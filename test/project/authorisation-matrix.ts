import { randomBytes } from "node:crypto";
import { MADE_PASSWORD } from "#database/factories.ts";
import { signPath } from "#shared/http/signed-link.ts";
import { createNonce, testCards } from "#simulators/control.ts";
import { registration } from "../accounts.ts";
import {
  applicationFields,
  filePart,
  formType,
  onePixel,
  PHOTO,
  SIGNATURE,
  textParts,
  writeForm,
} from "../application-form.ts";
import { newKey, type Visitor, wirePayment, wirePayPalPayment } from "../site.ts";
import { createAuthenticator } from "../software-authenticator.ts";
import { applicantRows } from "./authorisation-applicant.ts";
import { publicRows } from "./authorisation-public.ts";
import {
  type AuthorisationRow,
  type Belongings,
  forged,
  open,
  own,
  ownPage,
  post,
  type Request,
} from "./authorisation-rows.ts";
import { ticketRows } from "./authorisation-tickets.ts";
import type { WholeSite } from "./whole-site.ts";

const details = (userId: number) => {
  const { firstName, lastName, postcode, mobile, country, state } = registration();
  const wire = { first_name: firstName, last_name: lastName, postal_code: postcode, mobile, country, state };
  return { user_id: userId, prefered_contact: "SMS", city: "", ...wire };
};
const newPassword = (userId: number) => ({
  user_id: userId,
  old_password: MADE_PASSWORD,
  new_password: "another password",
  confirm_password: "another password",
});
const range = "startDate=2026-01-01&endDate=2099-12-31";
const query = (path: string) => (of: Belongings) => ({
  url: `${path}?${range}&email=${encodeURIComponent(of.email)}`,
});

async function payment(userId: number, by: Visitor, site: WholeSite): Promise<Request> {
  const token = await site.cardToken(testCards.approved);
  return { body: wirePayment(token, await by.solveCaptcha(), { user_id: userId, repeat: true }), headers: newKey() };
}

async function payPalPayment(userId: number, by: Visitor, site: WholeSite): Promise<Request> {
  const nonce = await createNonce(site.simulator.url);
  return {
    body: wirePayPalPayment(nonce, await by.solveCaptcha(), { user_id: userId, repeat: true }),
    headers: newKey(),
  };
}

/** A passkey made by the browser of `by`, if it may. */
async function newPasskey(by: Visitor, { config }: WholeSite): Promise<Request> {
  const { data } = await by.post("/api/passkeys/options", {});
  return { body: data && createAuthenticator().create(data, { origin: config.publicUrl }) };
}

/** An unknown passkey. */
async function unknownPasskey(by: Visitor, { config }: WholeSite): Promise<Request> {
  const { data } = (await by.ask({ url: "/api/login/passkey/options" })).json();
  const authenticator = createAuthenticator();
  authenticator.state.userHandle = "nobody";
  return { body: authenticator.use(data, { origin: config.publicUrl }) };
}

const openCalls: readonly AuthorisationRow[] = [
  ...["/api/captcha", "/api/categories", "/api/checkout", "/api/countries", "/api/event", "/api/gallery"].map((path) =>
    open(path),
  ),
  ...["/api/home", "/api/openapi.json", "/api/docs"].map((path) => open(path)),
  ...["json", "yaml", "static/swagger-initializer.js", "static/theme/reference.css"].map((file) =>
    open("/api/docs/*", "200", `/api/docs/${file}`),
  ),
  open("/api/docs/*", "302 /api/docs/", "/api/docs/static/index.html"),
  open("/api/docs/*", "404 not_found", "/api/docs/static/no-such-file"),
  open("/api/state/:country", "200", "/api/state/1"),
  open("/api/state/:country", "404 not_found", "/api/state/999999"),
  open("/api/:organisation-world", "404 not_found", "/api/nobodys-world"),
  {
    route: "POST /api/general-pages",
    visitor: "200",
    guest: "200",
    own: "200",
    isExempt: true,
    ask: () => ({ body: { type: "vision" } }),
  },
  { route: "POST /api/site-info", visitor: "200", guest: "200", own: "200", isExempt: true },
  post("/mobile-check", {
    guest: "200",
    own: "200",
    ask: () => ({ body: { country: "Australia", mobile: "61400000000" } }),
  }),
  post("/contact", {
    guest: "200",
    own: "200",
    ask: async (_, by) => ({
      body: {
        name: "Amina",
        email: registration().email,
        message: "Salaam",
        key: crypto.randomUUID(),
        captcha: await by.solveCaptcha("contact"),
      },
    }),
  }),
];

const applyRows: readonly AuthorisationRow[] = [
  post("/volunteer/create", {
    guest: "200",
    own: "200",
    ask: async (_, by) => ({
      body: writeForm([
        ...textParts({
          ...applicationFields,
          captcha: await by.solveCaptcha("volunteer"),
          email: registration().email,
        }),
        ...[PHOTO, SIGNATURE].map((name) => filePart(name, onePixel)),
      ]),
      headers: { "content-type": formType },
    }),
  }),
  // Anything but a form is refused, with and without the forgery token.
  {
    route: "POST /api/volunteer/create",
    isExempt: true,
    visitor: "415 wrong_type",
    guest: "415 wrong_type",
    own: "415 wrong_type",
  },
];

const entranceCalls: readonly AuthorisationRow[] = [
  post("/login", {
    guest: "200",
    own: "200",
    others: "200",
    isLasting: true,
    ask: ({ email }) => ({ body: { email, password: MADE_PASSWORD } }),
  }),
  post("/login", {
    guest: "401 login_failed",
    own: "401 login_failed",
    others: "401 login_failed",
    missing: "401 login_failed",
    ask: ({ email }) => ({ body: { email, password: "not the password" } }),
  }),
  open("/api/login/passkey/options"),
  post("/login/passkey", {
    guest: "401 passkey_unknown",
    own: "401 passkey_unknown",
    ask: (_, by, site) => unknownPasskey(by, site),
  }),
  post("/user/create", {
    guest: "200",
    own: "200",
    isLasting: true,
    ask: async (_, by) => {
      const { email, password } = registration();
      const { user_id: _id, ...rest } = details(0);
      return { body: { ...rest, email, password, captcha: await by.solveCaptcha("register") } };
    },
  }),
  post("/logout", { guest: "200", own: "200", isLasting: true }),
  post("/password/email", {
    guest: "200",
    own: "200",
    others: "200",
    missing: "200",
    ask: ({ email }) => ({ body: { email } }),
  }),
  post("/password/reset", {
    guest: "422 code_failed",
    own: "422 code_failed",
    others: "422 code_failed",
    missing: "422 code_failed",
    ask: ({ email }) => ({
      body: { email, code: "00000000", password: "another password", password_confirmation: "another password" },
    }),
  }),
];

const ownCalls: readonly AuthorisationRow[] = [
  own("POST /api/user", {
    others: "403 not_allowed",
    missing: "403 not_allowed",
    ask: ({ userId }) => ({ body: { user_id: userId } }),
  }),
  own("POST /api/updateUser", {
    others: "403 not_allowed",
    missing: "403 not_allowed",
    ask: ({ userId }) => ({ body: details(userId) }),
  }),
  own("POST /api/changePassword", {
    others: "403 not_allowed",
    missing: "403 not_allowed",
    isLasting: true,
    ask: ({ userId }) => ({ body: newPassword(userId) }),
  }),
  own("GET /api/sessions"),
  own("GET /api/my-data"),
  own("POST /api/sessions/end-others"),
  own("GET /api/passkeys"),
  own("POST /api/passkeys/options"),
  own("POST /api/passkeys/add", { ask: (_, by, site) => newPasskey(by, site) }),
  own("POST /api/passkeys/rename", {
    others: "403 not_allowed",
    missing: "403 not_allowed",
    ask: ({ passkeyId }) => ({ body: { id: passkeyId, name: "My phone" } }),
  }),
  own("POST /api/passkeys/remove", {
    others: "403 not_allowed",
    missing: "403 not_allowed",
    isLasting: true,
    ask: ({ passkeyId }) => ({ body: { id: passkeyId } }),
  }),
  own("POST /api/email-verification/send", { isLasting: true }),
  own("POST /api/email-verification", {
    others: "403 link_failed",
    missing: "403 link_failed",
    isLasting: true,
    ask: ({ addressKey }) => ({ body: { key: addressKey } }),
  }),
  own("POST /api/close-account", { isLasting: true, ask: () => ({ body: { password: MADE_PASSWORD } }) }),
  ...["/profile", "/edit-profile", "/change-password", "/verify-email", "/donation-history"].map(ownPage),
];

const toHistory = "302 /login?return=%2Fdonation-history";

const donationRows: readonly AuthorisationRow[] = [
  post("/payway-payment", {
    guest: "403 not_allowed",
    own: "200",
    others: "403 not_allowed",
    missing: "403 not_allowed",
    ask: ({ userId }, by, site) => payment(userId, by, site),
  }),
  // As a guest, logged in or not.
  post("/payway-payment", { guest: "200", own: "200", ask: (_, by, site) => payment(0, by, site) }),
  post("/payment", {
    guest: "403 not_allowed",
    own: "200",
    others: "403 not_allowed",
    missing: "403 not_allowed",
    ask: ({ userId }, by, site) => payPalPayment(userId, by, site),
  }),
  post("/payment", { guest: "200", own: "200", ask: (_, by, site) => payPalPayment(0, by, site) }),
  // It is no secret and cannot charge.
  open("/api/generateToken"),
  // A payment's random id is the right to continue it: this one is paid, and stays so.
  post("/payway-3ds", {
    guest: "200",
    own: "200",
    others: "200",
    ask: ({ paymentId }) => ({ body: { id: paymentId, abandoned: true } }),
  }),
  post("/payway-3ds", {
    guest: "404 not_found",
    own: "404 not_found",
    ask: () => ({ body: { id: "3f0c1a52-9a1e-4a3c-8a39-0a3a0e6c9a11", abandoned: true } }),
  }),
  // Open only to requests signed by Braintree, logged in or not.
  {
    route: "POST /api/webhooks/braintree",
    visitor: "403 bad_signature",
    guest: "403 bad_signature",
    own: "403 bad_signature",
    isExempt: true,
    ask: () => ({ form: `bt_signature=${randomBytes(20).toString("hex")}&bt_payload=bm8%3D` }),
  },
  open("/api/webhooks/braintree", "400 malformed"),
  open("/api/webhooks/braintree", "200", `/api/webhooks/braintree?bt_challenge=${"0".repeat(32)}`),
  // A payment's random id is the right to see its status.
  {
    route: "GET /api/payments/:id",
    visitor: "200",
    guest: "200",
    own: "200",
    others: "200",
    ask: ({ paymentId }) => ({ url: `/api/payments/${paymentId}` }),
  },
  open("/api/payments/:id", "404 not_found", "/api/payments/3f0c1a52-9a1e-4a3c-8a39-0a3a0e6c9a11"),
  own("POST /api/donation-summary", {
    others: "403 not_allowed",
    missing: "403 not_allowed",
    ask: query("/api/donation-summary"),
  }),
  own("POST /api/donation-summary-pdf", {
    others: "403 not_allowed",
    missing: "403 not_allowed",
    ask: query("/api/donation-summary-pdf"),
  }),
  own("GET /api/single-donation-pdf/:id", {
    others: "403 not_allowed",
    missing: "403 not_allowed",
    ask: ({ reference }) => ({ url: `/api/single-donation-pdf/${reference}` }),
  }),
  {
    route: "GET /donation-history/receipt/:id",
    visitor: toHistory,
    guest: toHistory,
    own: "302 /receipts/{donationId}?",
    others: "403",
    missing: "403",
    ask: ({ reference }) => ({ url: `/donation-history/receipt/${reference}` }),
  },
  {
    route: "GET /donation-history/summary",
    visitor: toHistory,
    guest: toHistory,
    own: "302 /donation-summaries/{userId}/",
    ask: () => ({ url: `/donation-history/summary?${range}` }),
  },
  // A signed link works for anyone who has it; it cannot be forged, and opens nothing else.
  ...(["receiptUrl", "summaryUrl"] as const).flatMap((link): AuthorisationRow[] => {
    const route = link === "receiptUrl" ? "GET /receipts/:id" : "GET /donation-summaries/:id/:from/:to";
    const refused = { visitor: "404", guest: "404", own: "403", others: "403", missing: "403" };
    const ofPath = (url: string) => url.split("?", 1)[0]!;
    return [
      { route, visitor: "200", guest: "200", own: "200", others: "200", ask: (of) => ({ url: of[link] }) },
      { route, ...refused, ask: (of) => ({ url: forged(of[link]) }) },
      { route, ...refused, ask: (of) => ({ url: ofPath(of[link]) }) },
      {
        route,
        visitor: "410",
        guest: "410",
        own: "410",
        others: "410",
        missing: "410",
        ask: (of, _, { config, clock }) => {
          const madeAt = new Date(clock.now().getTime() - 1000);
          return { url: signPath(config.secretKey, ofPath(of[link]), { madeAt, until: madeAt }) };
        },
      },
    ];
  }),
];

/** Everybody who requests a new link gets the same answer; only the key of an earlier link sends an email. */
const linkRows: readonly AuthorisationRow[] = (["receiptUrl", "summaryUrl"] as const).map((link) =>
  post("/document-links", {
    guest: "200",
    own: "200",
    others: "200",
    missing: "200",
    ask: (of) => ({ body: { kind: "receipt", id: of.donationId, key: of[link].split("key=")[1] } }),
  }),
);

/** Every route, with what each person gets. Add new routes here. */
export const matrix: readonly AuthorisationRow[] = [
  ...publicRows,
  ...openCalls,
  ...applyRows,
  ...entranceCalls,
  ...ownCalls,
  ...donationRows,
  ...linkRows,
  ...applicantRows,
  ...ticketRows,
];

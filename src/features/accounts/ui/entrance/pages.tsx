import { island } from "#shared/pages/island.tsx";
import { type Page, page } from "#shared/pages/page.ts";
import { hasPasskeys } from "#shared/passkeys/passkeys.ts";
import { paths } from "#shared/paths.ts";
import { DEFAULT_COUNTRY } from "#shared/places/ui/form-place.tsx";
import { NeedsScript } from "../account-form.tsx";
import { Entrance } from "./entrance.tsx";
import { LoginForm } from "./login-form.tsx";
import { LoginPage } from "./login-page.tsx";
import { RegisterForm } from "./register-form.tsx";
import { ResetForm } from "./reset-form.tsx";
import { VerifyEmail } from "./verify-email.tsx";

const nothing = async () => ({});

/** The log-in, registration, reset and confirmation pages. */
export const entrancePages: readonly Page[] = [
  page({
    path: paths.login,
    load: nothing,
    head: (_, { organisation: { name } }) => ({
      title: "Log in, or donate as a guest",
      description: `Log in to ${name} to see your donations and receipts, or donate as a guest without an account.`,
      // Links to the donation page redirect here, so a preview of one shows this page.
      sharedAs: paths.donation,
    }),
    body: (_, { organisation, publicUrl }) => {
      const form = island("LoginForm", LoginForm, { hasPasskeys: hasPasskeys({ publicUrl }) });
      return <LoginPage organisation={organisation} form={form} />;
    },
    bodyClass: "is-form",
    firstScript: "login-start",
  }),
  page({
    path: paths.register,
    load: async ({ captcha, findPlaces }) => ({ captcha, places: await findPlaces(DEFAULT_COUNTRY) }),
    head: (_, { organisation: { name } }) => ({
      title: "Create an account",
      description: `An account with ${name} keeps your donations and receipts in one place, and fills in your details.`,
    }),
    body: ({ captcha, places }, { organisation: { phone, email } }) => (
      <Entrance title="Create an account" lede="Your donations and receipts in one place.">
        <NeedsScript
          text="Opening an account needs JavaScript, which is switched off in your browser."
          phone={phone}
          email={email}
        />
        {island("RegisterForm", RegisterForm, { captcha, places })}
      </Entrance>
    ),
    bodyClass: "is-form",
    hasCaptcha: true,
  }),
  page({
    path: paths.resetPassword,
    load: nothing,
    head: () => ({
      title: "Reset Password",
      description: "Set a new password with the code from our email.",
    }),
    body: (_, { organisation: { phone, email } }) => (
      <Entrance
        title="Reset Password"
        lede="Enter the code from our email and choose a new password. Only an address with an account gets a code."
      >
        <NeedsScript
          text="Setting a new password needs JavaScript, which is switched off in your browser."
          phone={phone}
          email={email}
        />
        <div className="needs-script">{island("ResetForm", ResetForm, {})}</div>
      </Entrance>
    ),
    bodyClass: "is-form",
    isIndexed: false,
  }),
  page({
    path: paths.verifyEmail,
    load: async (_services, _address, _organisation, user) =>
      user === undefined ? null : { email: user.email, isVerified: user.emailVerifiedAt !== null },
    head: () => ({
      title: "Confirm your address",
      description: "Confirm that emails to this address reach you.",
    }),
    body: ({ email, isVerified }, { organisation }) => (
      <Entrance title="Confirm your address">
        <NeedsScript
          text="Confirming your address needs JavaScript, which is switched off in your browser."
          phone={organisation.phone}
          email={organisation.email}
        />
        <div className="needs-script">{island("VerifyEmail", VerifyEmail, { email, isVerified })}</div>
      </Entrance>
    ),
    bodyClass: "is-form",
    access: "member",
    isIndexed: false,
  }),
];

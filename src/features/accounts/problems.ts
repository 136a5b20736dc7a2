import { nameProblems } from "#shared/errors.ts";

export const accountProblems = nameProblems({
  login_failed: { status: 401, text: "Email or password is incorrect." },
  passkey_failed: {
    status: 401,
    text: "We couldn’t log you in with that passkey. Please try again, or log in with your email and password.",
  },
  passkey_expired: { status: 401, text: "That took too long. Please use your passkey again." },
  passkey_unknown: {
    status: 401,
    text: "That passkey no longer works here. Please log in with your email and password.",
  },
  passkey_blocked: {
    status: 401,
    text: "That passkey is blocked because a copy of it may exist. Please log in with your email and password, then read the email we sent you.",
  },
  password_needed: { status: 403, text: "Please enter your password first." },
  link_failed: {
    status: 403,
    text: "This link has expired or belongs to another account. Log in to the account it was sent to, or request a new link.",
  },
  too_many_passkeys: {
    status: 409,
    text: "You already have ten passkeys, the most an account can have. Please remove one first.",
  },
  passkey_not_added: { status: 422, text: "We couldn’t add that passkey. Please try again." },
  code_failed: { status: 422, text: "The code is wrong or has expired." },
  too_many_accounts: {
    status: 429,
    text: "Several accounts were recently opened from your network. Please try again in an hour.",
  },
});

import { z } from "zod";
import { withCaptchaOnDemand } from "#shared/captcha/ui/captcha-on-demand.ts";
import type { Solve } from "#shared/captcha/ui/use-captcha.ts";
import type { UsedPasskey } from "#shared/passkeys/contract.ts";
import { ask, sayRefusal } from "#shared/ui/ask.ts";
import { showOnArrival, showToast, whileLoading } from "#shared/ui/feedback.ts";
import { keepUser } from "#shared/ui/session-record.ts";
import {
  beginPasskeyLoginCall,
  byOwnNames,
  checkMobileCall,
  logInCall,
  logInWithPasskeyCall,
  type Registration,
  registerCall,
  resetPasswordCall,
  sendResetCodeCall,
} from "../contract.ts";
import type { LoginFields, ResetFields } from "../forms.ts";
import { sentences } from "../person.ts";
import { dropResetEmail, keepResetEmail } from "./reset-email.ts";
import type { Outcome } from "./use-account-form.ts";

// What the pages before one is logged in ask the server. Fetched while a form is being filled in: the page is there
// sooner without it.

/** A log-in that worked is noted for the header (LOG-6); one that did not never tells which of the two was wrong (LOG-5). */
export async function logIn({ email, password }: LoginFields): Promise<Outcome> {
  const answer = await withCaptchaOnDemand("login", (captcha) =>
    ask(logInCall, { body: { email, password, captcha } }),
  );
  if (answer.ok) {
    keepUser(z.encode(logInCall.data, answer.data));
    dropResetEmail();
    return { kind: "done" };
  }
  if (answer.fields !== undefined) return { kind: "wrong", fields: answer.fields };
  return { kind: "refused", says: answer.status === 401 ? sentences.loginFailed : sayRefusal(answer) };
}

const noPasskey =
  "No passkey was used. Try again, or log in with your email and password. You can then add one under ‘Change Password’.";
const noPasskeysHere =
  "Passkeys do not work in this browser or at this address. Please log in with your email and password.";

/** Logs in with a passkey: the one that was picked among the suggestions for the email, or one that is asked for now. */
export async function logInWithPasskey(picked?: UsedPasskey): Promise<Outcome> {
  const { forgetPasskey, askForPasskey } = await import("#shared/passkeys/ui/passkeys.ts");
  const options = picked === undefined ? await ask(beginPasskeyLoginCall) : undefined;
  if (options?.ok === false) return { kind: "refused", says: sayRefusal(options) };
  const used = picked ?? (await askForPasskey(options!.data));
  if ("none" in used) return { kind: "refused", says: used.none === "cancelled" ? noPasskey : noPasskeysHere };
  const answer = await whileLoading(ask(logInWithPasskeyCall, { body: used }));
  if (answer.ok) {
    keepUser(z.encode(logInWithPasskeyCall.data, answer.data));
    dropResetEmail();
    return { kind: "done" };
  }
  if (answer.error === "passkey_unknown") forgetPasskey(used.id);
  return { kind: "refused", says: sayRefusal(answer) };
}

/** Asks for a code to `email`. Returns why it was refused, or nothing. */
export async function sendResetCode(email: string): Promise<string | undefined> {
  const answer = await withCaptchaOnDemand("reset", (captcha) => ask(sendResetCodeCall, { body: { email, captcha } }));
  if (!answer.ok) return sayRefusal(answer);
  keepResetEmail(email);
  return undefined;
}

export async function resetPassword({ code, email, password, confirmPassword }: ResetFields): Promise<Outcome> {
  const answer = await withCaptchaOnDemand("reset", (captcha) =>
    ask(resetPasswordCall, { body: { code, email, password, confirmPassword, captcha } }),
  );
  if (answer.ok) {
    keepResetEmail(email);
    return { kind: "done" };
  }
  if (answer.fields !== undefined) return { kind: "wrong", fields: byOwnNames(answer.fields) };
  return { kind: "refused", says: sayRefusal(answer) };
}

const noCaptcha = "We could not check that you are a person. Please try again.";

/**
 * Opens an account and notes who it is (LOG-15). A captcha that was refused is solved anew once before anybody is
 * bothered; any other failure is said in a toast titled 'ERROR!', and on the page.
 */
export async function registerPerson(person: Omit<Registration, "captcha">, solve: Solve): Promise<Outcome> {
  const post = async (isAnew: boolean) => ask(registerCall, { body: { ...person, captcha: await solve(isAnew) } });
  try {
    let answer = await post(false);
    if (!answer.ok && answer.error === "captcha_failed") answer = await post(true);
    if (answer.ok) {
      keepUser(z.encode(registerCall.data, answer.data));
      showOnArrival(
        `Welcome, ${person.firstName}. We have sent a link to ${person.email}. Open it to confirm that this email address is yours.`,
      );
      return { kind: "done" };
    }
    const fields = byOwnNames(answer.fields ?? {});
    const isCaptcha = answer.error.startsWith("captcha");
    const says = isCaptcha ? noCaptcha : answer.message === "" ? sentences.registrationFailed : sayRefusal(answer);
    sayError(fields.email?.[0] ?? says);
    return answer.fields === undefined ? { kind: "refused", says } : { kind: "wrong", fields };
  } catch {
    sayError(noCaptcha);
    return { kind: "refused", says: noCaptcha };
  }
}

/** LOG-15: the specification's title. */
const sayError = (text: string) => showToast(text, "bad", "ERROR!");

/** Whether a number may be one of a mobile telephone there (LOG-13); without an answer it may. */
export async function isLikelyMobile(country: string, mobile: string): Promise<boolean> {
  const answer = await ask(checkMobileCall, { body: { country, mobile } });
  return !answer.ok || answer.data.isLikely;
}

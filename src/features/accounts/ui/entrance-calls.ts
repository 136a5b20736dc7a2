import { z } from "zod";
import { withCaptchaOnDemand } from "#shared/captcha/ui/captcha-on-demand.ts";
import type { Solve } from "#shared/captcha/ui/use-captcha.ts";
import type { UsedPasskey } from "#shared/passkeys/contract.ts";
import { ask, describeRefusal } from "#shared/ui/ask.ts";
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
import type { FormOutcome } from "./use-account-form.ts";

// The calls of the log-in, registration and reset pages. They are loaded while a form is being filled in, so that the
// page appears sooner.

/** Stores the user for the header (LOG-6). A failure never says whether the email or the password was wrong (LOG-5). */
export async function logIn({ email, password }: LoginFields): Promise<FormOutcome> {
  const answer = await withCaptchaOnDemand("login", (captcha) =>
    ask(logInCall, { body: { email, password, captcha } }),
  );
  if (answer.ok) {
    keepUser(z.encode(logInCall.data, answer.data));
    dropResetEmail();
    return { kind: "done" };
  }
  if (answer.fields !== undefined) return { kind: "wrong", fields: answer.fields };
  return { kind: "refused", text: answer.status === 401 ? sentences.loginFailed : describeRefusal(answer) };
}

const noPasskey =
  "No passkey was used. Try again, or log in with your email and password. You can then add one under ‘Change Password’.";
const noPasskeysHere =
  "Passkeys don’t work in this browser or at this address. Please log in with your email and password.";

/** Logs in with `picked`, a passkey chosen from the suggestions for the email, or lets the browser ask for one now. */
export async function logInWithPasskey(picked?: UsedPasskey): Promise<FormOutcome> {
  const { forgetPasskey, askForPasskey } = await import("#shared/passkeys/ui/passkeys.ts");
  const options = picked === undefined ? await ask(beginPasskeyLoginCall) : undefined;
  if (options?.ok === false) return { kind: "refused", text: describeRefusal(options) };
  const used = picked ?? (await askForPasskey(options!.data));
  if ("none" in used) return { kind: "refused", text: used.none === "cancelled" ? noPasskey : noPasskeysHere };
  const answer = await whileLoading(ask(logInWithPasskeyCall, { body: used }));
  if (answer.ok) {
    keepUser(z.encode(logInWithPasskeyCall.data, answer.data));
    dropResetEmail();
    return { kind: "done" };
  }
  if (answer.error === "passkey_unknown") forgetPasskey(used.id);
  return { kind: "refused", text: describeRefusal(answer) };
}

/** Requests a code for `email`. Returns why it was refused, or undefined. */
export async function sendResetCode(email: string): Promise<string | undefined> {
  const answer = await withCaptchaOnDemand("reset", (captcha) => ask(sendResetCodeCall, { body: { email, captcha } }));
  if (!answer.ok) return describeRefusal(answer);
  keepResetEmail(email);
  return undefined;
}

/** Solves a captcha first if the server asks for one. */
export async function resetPassword({ code, email, password, confirmPassword }: ResetFields): Promise<FormOutcome> {
  const answer = await withCaptchaOnDemand("reset", (captcha) =>
    ask(resetPasswordCall, { body: { code, email, password, confirmPassword, captcha } }),
  );
  if (answer.ok) {
    keepResetEmail(email);
    return { kind: "done" };
  }
  if (answer.fields !== undefined) return { kind: "wrong", fields: byOwnNames(answer.fields) };
  return { kind: "refused", text: describeRefusal(answer) };
}

const noCaptcha = "We couldn’t check that you are a person. Please try again.";

/** Registers and stores the user (LOG-15). A refused captcha is solved again once; other failures show in a toast. */
export async function registerPerson(person: Omit<Registration, "captcha">, solve: Solve): Promise<FormOutcome> {
  const post = async (isRetry: boolean) => ask(registerCall, { body: { ...person, captcha: await solve(isRetry) } });
  try {
    let answer = await post(false);
    if (!answer.ok && answer.error === "captcha_failed") answer = await post(true);
    if (answer.ok) {
      keepUser(z.encode(registerCall.data, answer.data));
      showOnArrival(
        `Welcome, ${person.firstName}. We’ve sent a link to ${person.email}. Open it to confirm that this email address is yours.`,
      );
      return { kind: "done" };
    }
    const fields = byOwnNames(answer.fields ?? {});
    const isCaptcha = answer.error.startsWith("captcha");
    const text = isCaptcha ? noCaptcha : answer.message === "" ? sentences.registrationFailed : describeRefusal(answer);
    showErrorToast(fields.email?.[0] ?? text);
    return answer.fields === undefined ? { kind: "refused", text } : { kind: "wrong", fields };
  } catch {
    showErrorToast(noCaptcha);
    return { kind: "refused", text: noCaptcha };
  }
}

/** LOG-15: the specification's title. */
const showErrorToast = (text: string) => showToast(text, "bad", "ERROR!");

/** Whether the number could be a mobile in that country (LOG-13); true if the server doesn't answer. */
export async function isLikelyMobile(country: string, mobile: string): Promise<boolean> {
  const answer = await ask(checkMobileCall, { body: { country, mobile } });
  return !answer.ok || answer.data.isLikely;
}

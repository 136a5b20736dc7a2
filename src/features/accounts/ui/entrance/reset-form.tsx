import "#shared/ui/form-without-eval.ts";
import { useEffect, useState } from "react";
import { paths } from "#shared/paths.ts";
import { showOnNextPage, showToast, whileLoading } from "#shared/ui/feedback.ts";
import { TextField } from "#shared/ui/form-field.tsx";
import { ResetFields } from "../../forms.ts";
import { LoginEmail, sentences } from "../../person.ts";
import { withReturn } from "../../return-path.ts";
import { AccountForm } from "../account-form.tsx";
import { PasswordField, ShowPasswords, useShownPasswords } from "../form-password.tsx";
import { leaveFor } from "../leave.ts";
import { beginLoading, loadCalls } from "../load-calls.ts";
import { findResetEmail } from "../reset-email.ts";
import { NO_ANSWER, useAccountForm } from "../use-account-form.ts";
import { useReturnLink } from "../use-return-link.ts";

const TO_LOGIN_AFTER_MS = 1000;

/** Sets a new password with the emailed code (LOG-7 to LOG-9). */
export function ResetForm() {
  const shown = useShownPasswords();
  const reset = useAccountForm<ResetFields>({
    schema: ResetFields,
    order: ["code", "email", "password", "confirmPassword"],
    flagsEmpty: true,
    async send(fields) {
      shown.hide();
      return (await loadCalls()).resetPassword(fields);
    },
    async onDone() {
      showToast(sentences.resetDone);
      await new Promise((resolve) => setTimeout(resolve, TO_LOGIN_AFTER_MS));
      // A second is too short to read it.
      showOnNextPage(sentences.resetDone);
      await leaveFor(withReturn(paths.login, location.search));
    },
  });
  const { form, field } = reset;
  useEffect(() => {
    if (!form.values().email) form.setValue("email", findResetEmail());
  }, [form]);
  return (
    <AccountForm
      onFocus={beginLoading}
      name="Reset Password"
      form={reset}
      button="Reset Password"
      beside={<a href={useReturnLink(paths.login)}>Log in</a>}
    >
      <p className="muted instruction">
        If you donated as a guest, <a href={useReturnLink(paths.register)}>create an account</a> instead.
      </p>
      <TextField
        {...field("code")}
        label="Code"
        hint="It’s in our email, and works for 15 minutes."
        inputMode="numeric"
        autoComplete="one-time-code"
        className="w-xs"
      />
      <NewCode email={() => form.values().email} />
      <TextField {...field("email")} label="Email" type="email" autoComplete="username" spellCheck={false} />
      <PasswordField
        {...field("password")}
        shown={shown}
        label="Password"
        hint="At least 8 characters."
        autoComplete="new-password"
      />
      <PasswordField {...field("confirmPassword")} shown={shown} label="Confirm" autoComplete="new-password" />
      <ShowPasswords shown={shown} label="Show passwords" />
    </AccountForm>
  );
}

function NewCode({ email }: { email: () => string }) {
  const [message, setMessage] = useState("");
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    if (isBusy) return;
    const checked = LoginEmail.safeParse(email());
    if (!checked.success) {
      setMessage("Enter your email first, then request a new code.");
      return document.getElementById("email")?.focus();
    }
    setBusy(true);
    const sending = loadCalls().then(({ sendResetCode }) => sendResetCode(checked.data));
    const refusal = await whileLoading(sending).catch(() => NO_ANSWER);
    setBusy(false);
    setMessage(refusal ?? `If ${checked.data} has an account, a new code is on its way to it.`);
  };
  return (
    <p className="new-code">
      <button className="link-btn" type="button" onClick={send}>
        Send a new code
      </button>{" "}
      <span className="small" role="status">
        {message}
      </span>
    </p>
  );
}

import { type RefObject, type SyntheticEvent, useEffect, useState } from "react";
import { paths } from "#shared/paths.ts";
import { afterPress } from "#shared/ui/after-press.ts";
import { whileLoading } from "#shared/ui/feedback.ts";
import { FormRefusal } from "#shared/ui/form-error-summary.tsx";
import { TextField } from "#shared/ui/form-field.tsx";
import { ForgotFields } from "../../forms.ts";
import { withReturn } from "../../return-path.ts";
import { leaveFor } from "../leave.ts";
import { loadCalls } from "../load-calls.ts";
import { NO_ANSWER } from "../use-account-form.ts";

type ForgotDialogProps = { dialog: RefObject<HTMLDialogElement | null>; typedEmail: string };

/** 'Forgot Password ?' (LOG-4): asks where to send a code, and stays open if that fails. */
export function ForgotDialog({ dialog, typedEmail }: ForgotDialogProps) {
  const forgot = useForgot(typedEmail);
  const { email, problem, error, failure, isBusy } = forgot;
  return (
    <dialog className="forgot" ref={dialog} aria-labelledby="forgot-title" closedby="any">
      <div className="strip-ajrak" aria-hidden="true" />
      <form className="dlg" method="post" noValidate onSubmit={forgot.submit}>
        <h2 id="forgot-title">Forgot Password ?</h2>
        <p>Enter your email. If it has an account, we’ll send it a code to set a new password.</p>
        {failure !== undefined && <FormRefusal text={failure.text} shownAt={failure.at} />}
        <TextField
          id="forgot-email"
          label="Email"
          error={error}
          type="email"
          autoComplete="username"
          spellCheck={false}
          aria-required
          value={email}
          onChange={({ target }) => forgot.type(target.value)}
          onBlur={forgot.leave}
        />
        <div className="form-actions">
          <button
            className="btn"
            type="submit"
            aria-disabled={problem !== undefined || isBusy}
            aria-describedby={problem === undefined ? undefined : "forgot-why"}
          >
            PROCEED
          </button>
          <button className="btn btn-quiet" type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          {problem !== undefined && (
            <span className="why" id="forgot-why">
              {problem}
            </span>
          )}
        </div>
      </form>
    </dialog>
  );
}

function useForgot(typedEmail: string) {
  const [email, setEmail] = useState(typedEmail);
  const [isTouched, setTouched] = useState(false);
  const [failure, setFailure] = useState<{ text: string; at: number }>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => setEmail(typedEmail), [typedEmail]);
  const checked = ForgotFields.safeParse({ email });
  const problem = checked.success ? undefined : checked.error.issues[0]?.message;
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setTouched(true);
    if (!checked.success) return document.getElementById("forgot-email")?.focus();
    if (isBusy) return;
    setBusy(true);
    setFailure(undefined);
    const sending = loadCalls().then(({ sendResetCode }) => sendResetCode(checked.data.email));
    const refusal = await whileLoading(sending).catch(() => NO_ANSWER);
    setBusy(false);
    if (refusal !== undefined) return setFailure({ text: refusal, at: Date.now() });
    document.querySelector<HTMLDialogElement>("dialog.forgot")?.close();
    leaveFor(withReturn(paths.resetPassword, location.search));
  };
  return {
    email,
    problem,
    error: isTouched ? problem : undefined,
    failure,
    isBusy,
    submit,
    leave: () => afterPress(() => setTouched((isAlready) => email !== "" || isAlready)),
    type: setEmail,
  };
}

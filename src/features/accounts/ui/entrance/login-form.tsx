import "#shared/ui/form-without-eval.ts";
import { useEffect, useRef, useState } from "react";
import { paths } from "#shared/paths.ts";
import { TextField } from "#shared/ui/form-field.tsx";
import { findHint } from "#shared/ui/session-record.ts";
import { LoginFields } from "../../forms.ts";
import { memberDestination, withReturn } from "../../return-path.ts";
import { AccountForm } from "../account-form.tsx";
import { PasswordField, ShowPasswords, useShownPasswords } from "../form-password.tsx";
import { leaveFor } from "../leave.ts";
import { beginLoading, loadCalls } from "../load-calls.ts";
import { findResetEmail } from "../reset-email.ts";
import { useAccountForm } from "../use-account-form.ts";
import { ForgotDialog } from "./forgot-dialog.tsx";
import { PasskeyLogin } from "./passkey-login.tsx";

const goOn = () => leaveFor(memberDestination(location.search, paths.profile));

/** Log-in with address and password, or where there can be passkeys with one (LOG-1, LOG-2, LOG-5, LOG-6, LOG-24). */
export function LoginForm({ hasPasskeys = false }: { readonly hasPasskeys?: boolean }) {
  const shown = useShownPasswords();
  const forgot = useRef<HTMLDialogElement>(null);
  const [typedEmail, setTypedEmail] = useState("");
  const login = useAccountForm<LoginFields>({
    schema: LoginFields,
    order: ["email", "password"],
    async send(fields) {
      shown.hide();
      const outcome = await (await loadCalls()).logIn(fields);
      if (outcome.kind === "done") goOn();
      else login.form.setValue("password", "");
      return outcome;
    },
  });
  const register = useMemberAlready();
  const { form } = login;
  useEffect(() => {
    if (!form.getValues("email")) form.setValue("email", findResetEmail());
  }, [form]);
  const openForgot = () => {
    setTypedEmail(login.form.getValues("email").trim());
    forgot.current?.showModal();
  };
  return (
    <>
      <div className="needs-script">
        <p className="muted new-here">
          New here? <a href={register}>Create an account</a>
        </p>
        <AccountForm
          name="Log in"
          form={login}
          button="Log in"
          onFocus={beginLoading}
          beside={
            <button className="link-btn" type="button" aria-haspopup="dialog" onClick={openForgot}>
              Forgot Password ?
            </button>
          }
        >
          <TextField
            {...login.field("email")}
            label="Email"
            type="email"
            autoComplete="username webauthn"
            spellCheck={false}
          />
          <PasswordField {...login.field("password")} shown={shown} label="Password" autoComplete="current-password" />
          <ShowPasswords shown={shown} />
        </AccountForm>
        {hasPasskeys && <PasskeyLogin onDone={goOn} />}
      </div>
      <ForgotDialog dialog={forgot} typedEmail={typedEmail} />
    </>
  );
}

/** Sends on who is logged in already, once the server said so. Returns where the registration is. */
function useMemberAlready(): string {
  const [register, setRegister] = useState<string>(paths.register);
  useEffect(() => {
    setRegister(withReturn(paths.register, location.search));
    if (findHint() === undefined) return;
    import("#shared/ui/fill-user.ts").then(async ({ fillUser }) => {
      if (await fillUser()) goOn();
    }, ignore);
  }, []);
  return register;
}

/** Whoever is logged in already may well log in once more. */
function ignore() {}

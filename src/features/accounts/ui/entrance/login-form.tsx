import "#shared/ui/form-without-eval.ts";
import { useEffect, useRef, useState } from "react";
import type { UsedPasskey } from "#shared/passkeys/contract.ts";
import { paths } from "#shared/paths.ts";
import { TextField } from "#shared/ui/form-field.tsx";
import { findHint } from "#shared/ui/session-record.ts";
import { useOnMount } from "#shared/ui/use-on-mount.ts";
import { LoginFields } from "../../forms.ts";
import { sentences } from "../../person.ts";
import { memberDestination } from "../../return-path.ts";
import { AccountForm } from "../account-form.tsx";
import { PasswordField, ShowPasswords, useShownPasswords } from "../form-password.tsx";
import { leaveFor } from "../leave.ts";
import { beginLoading, loadCalls } from "../load-calls.ts";
import { findResetEmail } from "../reset-email.ts";
import { NO_ANSWER, useAccountForm } from "../use-account-form.ts";
import { useReturnLink } from "../use-return-link.ts";
import { ForgotDialog } from "./forgot-dialog.tsx";

const goOn = () => leaveFor(memberDestination(location.search, paths.profile));

/** Log-in with email and password, or with a passkey where supported (LOG-1, LOG-2, LOG-5, LOG-6, LOG-24). */
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
      const isWrong = outcome.kind === "refused" && outcome.text === sentences.loginFailed;
      if (isWrong) login.form.setValue("password", "");
      return outcome;
    },
    onDone: goOn,
  });
  useMemberAlready();
  const { form } = login;
  useEffect(() => {
    if (!form.values().email) form.setValue("email", findResetEmail());
  }, [form]);
  const openForgot = () => {
    setTypedEmail(form.values().email.trim());
    forgot.current?.showModal();
  };
  return (
    <>
      <div className="needs-script">
        <p className="muted new-here">
          New here? <a href={useReturnLink(paths.register)}>Create an account</a>
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

/** Redirects a user who is already logged in, once the server confirms it. */
function useMemberAlready(): void {
  useEffect(() => {
    if (findHint() === undefined) return;
    import("#shared/ui/fill-user.ts").then(async ({ fillUser }) => {
      if (await fillUser()) goOn();
    }, ignore);
  }, []);
}

/** If that fails, the user can log in again. */
function ignore() {}

/** A challenge is valid for five minutes; request another before it expires. */
const RENEW_MS = 4 * 60_000;

/**
 * 'Log in with a passkey' (LOG-24); hidden in browsers without passkeys (`login-start.script.ts`). Where supported,
 * passkeys are also among the suggestions for the email.
 */
function PasskeyLogin({ onDone }: { onDone: () => void }) {
  const [message, setMessage] = useState("");
  const [isBusy, setBusy] = useState(false);
  const suggesting = useRef<AbortController>(undefined);
  const logIn = async (picked?: UsedPasskey) => {
    suggesting.current?.abort();
    setBusy(true);
    setMessage("");
    const outcome = await loadCalls()
      .then(({ logInWithPasskey }) => logInWithPasskey(picked))
      .catch(() => ({ kind: "refused", text: NO_ANSWER }) as const);
    setBusy(false);
    if (outcome.kind === "done") return onDone();
    setMessage(outcome.kind === "refused" ? outcome.text : "");
    void suggest();
  };
  const suggest = async () => {
    const controller = new AbortController();
    suggesting.current = controller;
    setTimeout(() => {
      if (controller.signal.aborted) return;
      controller.abort();
      void suggest();
    }, RENEW_MS);
    const picked = await pickSuggested(controller.signal).catch(() => undefined);
    if (picked !== undefined) await logIn(picked);
  };
  useOnMount(() => {
    // Once the page is idle, unless a user who seems to be logged in is about to be redirected.
    if (findHint() === undefined) (window.requestIdleCallback ?? setTimeout)(() => void suggest());
  });
  return (
    <div className="passkey-login">
      <button
        className="btn btn-quiet btn-block"
        type="button"
        aria-disabled={isBusy}
        onClick={() => isBusy || logIn()}
      >
        Log in with a passkey
      </button>
      <p role="status">{message}</p>
    </div>
  );
}

/** Waits until a suggested passkey is picked; undefined without suggestions. Plain `fetch` needs no extra chunk. */
async function pickSuggested(signal: AbortSignal): Promise<UsedPasskey | undefined> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return undefined;
  const answer = await fetch("/api/login/passkey/options", { signal });
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON((await answer.json()).data);
  const picked = await navigator.credentials.get({ mediation: "conditional", publicKey, signal });
  return (picked as PublicKeyCredential).toJSON() as UsedPasskey;
}

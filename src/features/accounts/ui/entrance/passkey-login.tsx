import { useEffect, useRef, useState } from "react";
import type { UsedPasskey } from "#shared/passkeys/contract.ts";
import { findHint } from "#shared/ui/session-record.ts";
import { loadCalls } from "../load-calls.ts";
import { NO_ANSWER } from "../use-account-form.ts";

/** A challenge is good for five minutes; whoever takes longer over the page gets another one. */
const RENEW_MS = 4 * 60_000;

/**
 * 'Log in with a passkey' (LOG-24); hidden in browsers without passkeys (`login-start.ts`). Where the browser can, passkeys
 * are also among its suggestions for the email.
 */
export function PasskeyLogin({ onDone }: { onDone: () => void }) {
  const [says, setSays] = useState("");
  const [isBusy, setBusy] = useState(false);
  const suggesting = useRef<AbortController>(undefined);
  const logIn = async (picked?: UsedPasskey) => {
    suggesting.current?.abort();
    setBusy(true);
    setSays("");
    const outcome = await loadCalls()
      .then(({ logInWithPasskey }) => logInWithPasskey(picked))
      .catch(() => ({ kind: "refused", says: NO_ANSWER }) as const);
    setBusy(false);
    if (outcome.kind === "done") return onDone();
    setSays(outcome.kind === "refused" ? outcome.says : "");
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page has nothing better to do
  useEffect(() => {
    // Who seems to be logged in already is about to be sent on.
    if (findHint() === undefined) (window.requestIdleCallback ?? setTimeout)(() => void suggest());
  }, []);
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
      <p role="status">{says}</p>
    </div>
  );
}

/** Waits until a passkey is picked among the browser's suggestions; undefined where it makes none. The whole costs one request. */
async function pickSuggested(signal: AbortSignal): Promise<UsedPasskey | undefined> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return undefined;
  const answer = await fetch("/api/login/passkey/options", { signal });
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON((await answer.json()).data);
  const picked = await navigator.credentials.get({ mediation: "conditional", publicKey, signal });
  return (picked as PublicKeyCredential).toJSON() as UsedPasskey;
}

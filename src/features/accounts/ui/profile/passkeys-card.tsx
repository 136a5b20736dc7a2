import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { formatMoment, keepTogether } from "#shared/language.ts";
import { showToast } from "#shared/ui/feedback.ts";
import { ProblemLine, useOneAtATime } from "#shared/ui/form-actions.tsx";
import { useLoad } from "#shared/ui/use-load.tsx";
import type { Passkey } from "../../contract.ts";
import { sentences } from "../../person.ts";
import { LoginInNewTab } from "../account-form.tsx";
import { NO_ANSWER } from "../use-account-form.ts";
import { PasswordForPasskey, RemovePasskey, RenamePasskey } from "./passkey-forms.tsx";

const loadCalls = () =>
  import("./passkey-calls.ts").catch(() => {
    throw new Error(NO_ANSWER);
  });

/** Lists the user's passkeys, to add, rename and remove (LOG-23). */
export function PasskeysCard({ email }: { email: string }) {
  const title = useRef<HTMLHeadingElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const [form, setForm] = useState<ReactNode>();
  const { data: passkeys, error, reload } = useLoad(() => loadCalls().then(({ listPasskeys }) => listPasskeys()));
  const [refusal, setRefusal] = useState<string>();
  const problem = refusal ?? error?.message;
  const close = () => dialog.current?.close();
  const open = (shown: ReactNode) => {
    // Rendered first, because the dialog moves focus to its content when it opens.
    flushSync(() => setForm(shown));
    dialog.current?.showModal();
  };
  // The browser sends 'close' a moment later, when the dialog may have been opened again with another form.
  const onClose = () => dialog.current?.open || setForm(null);
  // It may have been added all the same, if only the answer was lost.
  const onRefused = (text: string) => {
    setRefusal(text);
    reload();
  };
  const onChanged = (text: string) => () => {
    close();
    showToast(text);
    setRefusal(undefined);
    reload();
  };
  const rename = (passkey: Passkey) =>
    open(<RenamePasskey passkey={passkey} onCancel={close} onDone={onChanged("The passkey has been renamed.")} />);
  const remove = (passkey: Passkey) => {
    const done = onChanged("The passkey has been removed.");
    const onDone = () => {
      done();
      // The button that had focus is gone.
      title.current?.focus();
    };
    open(<RemovePasskey passkey={passkey} onCancel={close} onDone={onDone} />);
  };
  const onAdded = onChanged("Your passkey has been added. You can now log in with it.");
  const askPassword = () => open(<PasswordForPasskey email={email} onCancel={close} onDone={onAdded} />);
  return (
    <section className="plain-card passkeys needs-script" aria-labelledby="passkeys-title">
      <h2 id="passkeys-title" tabIndex={-1} ref={title}>
        Passkeys
      </h2>
      <p>A passkey lets you log in with your fingerprint, face or screen lock. Your password still works.</p>
      {passkeys === undefined && problem === undefined && <p className="muted">Loading …</p>}
      {passkeys !== undefined && passkeys.length > 0 && (
        <ul className="passkey-list" aria-labelledby="passkeys-title">
          {passkeys.map((passkey) => (
            <PasskeyLine key={passkey.id} passkey={passkey} onRename={rename} onRemove={remove} />
          ))}
        </ul>
      )}
      <ProblemLine problem={problem} />
      {problem === sentences.loggedOut && <LoginInNewTab />}
      {passkeys === undefined && problem !== undefined && (
        <button type="button" className="btn btn-quiet" onClick={reload}>
          Try again
        </button>
      )}
      {passkeys !== undefined && (
        <AddPasskey
          onBegin={() => setRefusal(undefined)}
          onRefused={onRefused}
          onAdded={onAdded}
          askPassword={askPassword}
        />
      )}
      <dialog ref={dialog} className="passkey-dialog" aria-labelledby="passkey-dialog-title" onClose={onClose}>
        <div className="strip-ajrak" aria-hidden="true" />
        {form}
      </dialog>
    </section>
  );
}

type LineProps = {
  readonly passkey: Passkey;
  readonly onRename: (passkey: Passkey) => void;
  readonly onRemove: (passkey: Passkey) => void;
};

function PasskeyLine({ passkey, onRename, onRemove }: LineProps) {
  const { name, createdAt, lastUsedAt, isBlocked } = passkey;
  return (
    <li>
      <div>
        <bdi>
          <b>{name}</b>
        </bdi>{" "}
        {isBlocked && <span className="tag warn">Blocked</span>}
        <p className="muted small">
          Added <Day at={createdAt} />,{" "}
          {lastUsedAt === null ? (
            "not used yet"
          ) : (
            <>
              last used <Day at={lastUsedAt} />
            </>
          )}
        </p>
        {isBlocked && (
          <p className="small">A copy of it may exist, so it no longer works. Please remove it and add a new one.</p>
        )}
      </div>
      <div className="passkey-acts">
        <button type="button" className="btn btn-quiet" onClick={() => onRename(passkey)}>
          Rename <span className="sr">{name}</span>
        </button>
        <button type="button" className="btn btn-quiet" onClick={() => onRemove(passkey)}>
          Remove <span className="sr">{name}</span>
        </button>
      </div>
    </li>
  );
}

/** In the user's time zone. */
function Day({ at }: { at: string }) {
  const day = formatMoment(new Date(at), { dateStyle: "medium" });
  return <time dateTime={at}>{keepTogether(day)}</time>;
}

type AddProps = {
  readonly onBegin: () => void;
  readonly onRefused: (text: string) => void;
  readonly onAdded: () => void;
  readonly askPassword: () => void;
};

function AddPasskey({ onBegin, onRefused, onAdded, askPassword }: AddProps) {
  const { isBusy, run } = useOneAtATime();
  if (!("PublicKeyCredential" in window)) return <p className="muted">This browser doesn’t support passkeys.</p>;
  const add = async () => {
    onBegin();
    const outcome = await loadCalls()
      .then(({ addPasskey }) => addPasskey())
      .catch(() => ({ kind: "refused", text: NO_ANSWER }) as const);
    if (outcome.kind === "done") onAdded();
    else if (outcome.kind === "asks password") askPassword();
    else onRefused(outcome.kind === "refused" ? outcome.text : "We couldn’t add that passkey. Please try again.");
  };
  return (
    <button type="button" className="btn" aria-disabled={isBusy} onClick={() => run(add)}>
      Add a passkey
    </button>
  );
}

import { type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { keepTogether } from "#shared/keep-together.ts";
import { showToast } from "#shared/ui/feedback.ts";
import { Icon } from "#shared/ui/icon.tsx";
import type { Passkey } from "../../contract.ts";
import { NO_ANSWER } from "../use-account-form.ts";
import { PasswordForPasskey, RemovePasskey, RenamePasskey } from "./passkey-forms.tsx";

const loadCalls = () => import("./passkey-calls.ts");

/** One's own passkeys: to add, to rename and to remove (LOG-23). */
export function PasskeysCard({ email }: { email: string }) {
  const title = useRef<HTMLHeadingElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const [form, setForm] = useState<ReactNode>();
  const { passkeys, problem, setProblem, load } = usePasskeys();
  const close = () => dialog.current?.close();
  const open = (shown: ReactNode) => {
    // The dialog moves focus into what stands in it as it opens.
    flushSync(() => setForm(shown));
    dialog.current?.showModal();
  };
  const onChanged = (says: string) => async () => {
    close();
    showToast(says);
    await load();
  };
  const rename = (passkey: Passkey) =>
    open(<RenamePasskey passkey={passkey} onCancel={close} onDone={onChanged("The passkey has its new name.")} />);
  const remove = (passkey: Passkey) => {
    const done = onChanged("The passkey is removed.");
    // The button that was pressed is gone with it.
    const onDone = () => void done().then(() => title.current?.focus());
    open(<RemovePasskey passkey={passkey} onCancel={close} onDone={onDone} />);
  };
  const onAdded = onChanged("Your passkey is added. You can log in with it from now on.");
  const askPassword = () => open(<PasswordForPasskey email={email} onCancel={close} onDone={onAdded} />);
  return (
    <section className="plain-card passkeys needs-script" aria-labelledby="passkeys-title">
      <h2 id="passkeys-title" tabIndex={-1} ref={title}>
        Passkeys
      </h2>
      <p>
        A passkey logs you in with your fingerprint, your face or the lock of your screen. Your password still works.
      </p>
      {passkeys === undefined && problem === undefined && <p className="muted">Looking this up …</p>}
      {passkeys !== undefined && passkeys.length > 0 && (
        <ul className="passkey-list" aria-labelledby="passkeys-title">
          {passkeys.map((passkey) => (
            <PasskeyLine key={passkey.id} passkey={passkey} onRename={rename} onRemove={remove} />
          ))}
        </ul>
      )}
      {problem !== undefined && (
        <p className="err" role="alert">
          <Icon name="alert" />
          <span>{problem}</span>
        </p>
      )}
      {passkeys === undefined && problem !== undefined && (
        <button type="button" className="btn btn-quiet" onClick={load}>
          Try again
        </button>
      )}
      {passkeys !== undefined && <AddPasskey setProblem={setProblem} onAdded={onAdded} askPassword={askPassword} />}
      <dialog
        ref={dialog}
        className="passkey-dialog"
        aria-labelledby="passkey-dialog-title"
        onClose={() => setForm(null)}
      >
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
        <b>{name}</b> {isBlocked && <span className="tag warn">Blocked</span>}
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
          <p className="small">
            A copy of it may exist, so it does not work any more. Please remove it and add a new one.
          </p>
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

/** In the person's own time zone. */
function Day({ at }: { at: string }) {
  const said = new Intl.DateTimeFormat("en-AU", { dateStyle: "medium" }).format(new Date(at));
  return <time dateTime={at}>{keepTogether(said)}</time>;
}

type AddProps = {
  readonly setProblem: (problem: string | undefined) => void;
  readonly onAdded: () => void;
  readonly askPassword: () => void;
};

function AddPasskey({ setProblem, onAdded, askPassword }: AddProps) {
  const [isBusy, setBusy] = useState(false);
  if (!("PublicKeyCredential" in window)) return <p className="muted">This browser cannot make passkeys.</p>;
  const add = async () => {
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    const outcome = await loadCalls()
      .then(({ addPasskey }) => addPasskey())
      .catch(() => ({ kind: "refused", says: NO_ANSWER }) as const);
    setBusy(false);
    if (outcome.kind === "done") onAdded();
    else if (outcome.kind === "asks password") askPassword();
    else setProblem(outcome.kind === "refused" ? outcome.says : "That passkey could not be added. Please try again.");
  };
  return (
    <button type="button" className="btn" aria-disabled={isBusy} onClick={add}>
      Add a passkey
    </button>
  );
}

function usePasskeys() {
  const [passkeys, setPasskeys] = useState<readonly Passkey[]>();
  const [problem, setProblem] = useState<string>();
  const load = async () => {
    setProblem(undefined);
    const found = await loadCalls()
      .then(({ listPasskeys }) => listPasskeys())
      .catch(() => ({ problem: NO_ANSWER }));
    if ("problem" in found) setProblem(found.problem);
    else setPasskeys(found);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the page opens
  useEffect(() => {
    void load();
  }, []);
  return { passkeys, problem, setProblem, load };
}

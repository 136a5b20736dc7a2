import type { ReactNode } from "react";
import { z } from "zod";
import { TextField } from "#shared/ui/form-field.tsx";
import type { Passkey } from "../../contract.ts";
import { GivenPassword, PasskeyName } from "../../person.ts";
import { AccountForm, OwnPasswordField } from "../account-form.tsx";
import { type FormOutcome, useAccountForm } from "../use-account-form.ts";

const loadCalls = () => import("./passkey-calls.ts");

type FormProps = { readonly onDone: () => void; readonly onCancel: () => void };

/** A dialog of the passkeys: its title, what it is about, the form. */
function Dialogue({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="dlg">
      <h2 id="passkey-dialog-title">{title}</h2>
      <p>{text}</p>
      {children}
    </div>
  );
}

function Cancel({ onCancel }: Pick<FormProps, "onCancel">) {
  return (
    <button className="btn btn-quiet" type="button" onClick={onCancel}>
      Cancel
    </button>
  );
}

/** Once a log-in is ten minutes old, a new passkey needs the password (LOG-23). */
export function PasswordForPasskey({ email, onDone, onCancel }: FormProps & { email: string }) {
  const schema = z.object({ password: GivenPassword });
  const form = useAccountForm<{ password: string }>({ schema, order: ["password"], send });
  async function send({ password }: { password: string }): Promise<FormOutcome> {
    const outcome = await (await loadCalls()).addPasskey(password);
    if (outcome.kind === "done") onDone();
    return outcome as FormOutcome;
  }
  return (
    <Dialogue title="Add a passkey" text="You logged in a while ago, so please enter your password first.">
      <AccountForm name="Add a passkey" form={form} button="Add a passkey" beside={<Cancel onCancel={onCancel} />}>
        <OwnPasswordField {...form.field("password")} email={email} />
      </AccountForm>
    </Dialogue>
  );
}

export function RenamePasskey({ passkey, onDone, onCancel }: FormProps & { passkey: Passkey }) {
  const schema = z.object({ name: PasskeyName });
  const defaults = { name: passkey.name };
  const form = useAccountForm<{ name: string }>({ schema, order: ["name"], send, defaults });
  async function send({ name }: { name: string }) {
    const outcome = await (await loadCalls()).renamePasskey(passkey.id, name);
    if (outcome.kind === "done") onDone();
    return outcome;
  }
  return (
    <Dialogue title="Rename this passkey" text="Choose a name that tells you where this passkey is.">
      <AccountForm name="Rename this passkey" form={form} button="Save" beside={<Cancel onCancel={onCancel} />}>
        <TextField {...form.field("name")} label="Name" autoComplete="off" className="w-md" />
      </AccountForm>
    </Dialogue>
  );
}

export function RemovePasskey({ passkey, onDone, onCancel }: FormProps & { passkey: Passkey }) {
  const form = useAccountForm({ schema: z.object({}), order: [], send });
  async function send() {
    const outcome = await (await loadCalls()).removePasskey(passkey.id);
    if (outcome.kind === "done") onDone();
    return outcome;
  }
  return (
    <Dialogue
      title={`Remove ‘${passkey.name}’?`}
      text="You’ll no longer be able to log in with it. Your password still works. Your device may keep the passkey until you delete it there."
    >
      <AccountForm name="Remove this passkey" form={form} button="Remove" beside={<Cancel onCancel={onCancel} />}>
        {null}
      </AccountForm>
    </Dialogue>
  );
}

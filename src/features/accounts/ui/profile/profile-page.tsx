import "#shared/ui/form-without-eval.ts";
import { type ComponentType, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { paths } from "#shared/paths.ts";
import { ask, describeRefusal } from "#shared/ui/ask.ts";
import { showToast } from "#shared/ui/feedback.ts";
import { Icon } from "#shared/ui/icon.tsx";
import { Avatar } from "#shared/ui/profile-layout.tsx";
import { sendVerificationCall } from "../../contract.ts";
import { sendToLogin } from "../send-to-login.ts";
import type { ClosingForm } from "./closing-form.tsx";
import { SessionsCard } from "./sessions-card.tsx";

/** `mobile` is formatted for reading. */
export type Profile = {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly isEmailConfirmed: boolean;
  readonly country: string;
  readonly state: string;
  readonly mobile: string;
};

type ProfilePageProps = { readonly profile: Profile; readonly leaveFor?: (path: string) => void };

/** The user's details, sessions, data and closing of the account (PRO-2, PRO-11, PRO-12). */
export function ProfilePage({ profile, leaveFor }: ProfilePageProps) {
  return (
    <>
      <h1>My Profile</h1>
      <Details profile={profile} />
      <div className="own-affairs">
        <SessionsCard />
        <section className="plain-card" aria-labelledby="data-title">
          <h2 id="data-title">Your data</h2>
          <p>
            Your details, log-ins, donations, receipts, tickets, messages and applications in one file. It includes what
            you sent as a guest once you’ve confirmed your email.
          </p>
          <a className="btn btn-quiet" href="/api/my-data">
            <Icon name="down" />
            Download my data
          </a>
          <p className="closing">
            If you leave, we keep only what the law requires and what we still have to do: see{" "}
            <a href={paths.privacy}>what we keep, and for how long</a>.
          </p>
          <CloseAccount email={profile.email} leaveFor={leaveFor} />
        </section>
      </div>
    </>
  );
}

function Details({
  profile: { firstName, lastName, email, isEmailConfirmed, country, state, mobile },
}: ProfilePageProps) {
  return (
    <section className="plain-card details-card" aria-label="Your details">
      <Avatar name={firstName} />
      <dl>
        <div className="is-name">
          <dt>Name</dt>
          <dd>
            <bdi>
              {firstName} {lastName}
            </bdi>
          </dd>
        </div>
        <div>
          <dt>Country</dt>
          <dd>{country}</dd>
        </div>
        <div>
          <dt>State</dt>
          <dd>{state}</dd>
        </div>
        <div>
          <dt>Mobile</dt>
          <dd className="num">{mobile}</dd>
        </div>
        <div>
          <dt>Email</dt>
          <dd>
            {email}
            {!isEmailConfirmed && <ConfirmEmail />}
          </dd>
        </div>
      </dl>
      <a className="btn" href={paths.editProfile}>
        Edit Profile
      </a>
    </section>
  );
}

type State = { readonly kind: "waiting" | "sending" | "sent" } | { readonly kind: "failed"; readonly text: string };

/** Beside an unconfirmed email: sends the confirmation email again. */
function ConfirmEmail() {
  const [state, setState] = useState<State>({ kind: "waiting" });
  const send = async () => {
    if (state.kind === "sending") return;
    setState({ kind: "sending" });
    const answer = await ask(sendVerificationCall);
    if (!answer.ok && answer.status === 401) return sendToLogin();
    setState(answer.ok ? { kind: "sent" } : { kind: "failed", text: describeRefusal(answer) });
  };
  return (
    <span className="confirm-email" data-unconfirmed="">
      <span className="tag warn">Not confirmed yet</span>
      {state.kind !== "sent" && (
        <button type="button" className="link-btn needs-script" onClick={send} aria-disabled={state.kind === "sending"}>
          Send the email again
        </button>
      )}
      <span role="status">{describeSending(state)}</span>
    </span>
  );
}

function describeSending(state: State): string {
  if (state.kind === "waiting") return "";
  if (state.kind === "sending") return "Sending …";
  if (state.kind === "failed") return `We couldn’t send the email. ${state.text}`;
  return "The email is on its way. Open the link in it on a device where you’re logged in.";
}

type Form = typeof ClosingForm extends ComponentType<infer Props> ? ComponentType<Props> : never;
type CloseAccountProps = { readonly email: string; readonly leaveFor?: ((path: string) => void) | undefined };

/** Opens the form that closes the account, which is only then loaded. */
function CloseAccount({ email, leaveFor }: CloseAccountProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [Form, setForm] = useState<Form>();
  const open = async () => {
    const loaded = await import("./closing-form.tsx").catch(() => undefined);
    if (loaded === undefined) return showToast("This did not load. Please check your connection and try again.", "bad");
    flushSync(() => setForm(() => loaded.ClosingForm));
    dialog.current?.showModal();
    // Not the first field: that would scroll the text above it out of a phone's window.
    dialog.current?.querySelector("h2")?.focus();
  };
  return (
    <>
      <button type="button" className="btn btn-danger needs-script" onClick={open}>
        Close my account
      </button>
      <dialog ref={dialog} className="close-dialog" aria-labelledby="close-dialog-title">
        <div className="strip-ajrak" aria-hidden="true" />
        {Form !== undefined && <Form email={email} onKeep={() => dialog.current?.close()} leaveFor={leaveFor} />}
      </dialog>
    </>
  );
}

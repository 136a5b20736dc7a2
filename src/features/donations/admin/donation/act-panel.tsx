import type { ReactNode } from "react";
import type { FilledForm, ScreenRequest } from "#admin/screen.ts";
import { ActionForm } from "#admin/ui/form.tsx";
import type { ShownDonation } from "./find-donation.ts";
import type { EmailPreview } from "./preview.ts";

export type ActProps = {
  readonly donation: ShownDonation;
  readonly request: ScreenRequest;
  readonly preview: EmailPreview | null;
};

/** The form that was sent and is shown again, if it belongs to this panel. */
export const sentForm = ({ form }: ScreenRequest, action: string): FilledForm | null =>
  form?.action === action ? form : null;

/**
 * A form whose act emails the donor: its fields, what will happen, and the email, which is shown before it is sent.
 * `checked` identifies what the person confirms.
 */
export function ActPanel({
  id,
  title,
  action,
  request,
  checked,
  preview,
  send,
  fields,
  children,
}: {
  id: string;
  title: string;
  action: string;
  request: ScreenRequest;
  checked: (form: FilledForm) => string;
  preview: EmailPreview | null;
  /** The button of the second form: 'Send it to …'. */
  send: string;
  fields?: ReactNode;
  /** What will happen, as sentences. */
  children: ReactNode;
}) {
  const form = sentForm(request, action);
  const isChecking = form?.state === "checking";
  const back = action.replace(/(\/admin\/[^/]+\/[^/]+)\/.*/, "$1");
  return (
    <section className="panel act" aria-labelledby={`${id}-title`} id="act">
      <h2 id={`${id}-title`}>{title}</h2>
      <ActionForm action={action} id={id} request={request}>
        {fields}
        <div className="happens">{children}</div>
        {isChecking && preview !== null && <ShownEmail email={preview} />}
        {isChecking && <input type="hidden" name="checked" value={checked(form)} />}
        <p className="row press">
          {isChecking && (
            <button className="btn" type="submit" name="step" value="send">
              <bdi>{send}</bdi>
            </button>
          )}
          {(!isChecking || fields !== undefined) && (
            <button className={isChecking ? "btn quiet" : "btn"} type="submit" name="step" value="check">
              {isChecking ? "Show it again" : "Show what happens first"}
            </button>
          )}
          <a className="btn quiet" href={back}>
            Cancel
          </a>
        </p>
      </ActionForm>
    </section>
  );
}

/** An email's text as its reader will get it, without its layout. */
export function ShownEmail({ email: { to, subject, text } }: { email: EmailPreview }) {
  return (
    <section className="email" aria-label="The email">
      <dl className="kv">
        <div>
          <dt>To</dt>
          <dd>
            <bdi>{to.address}</bdi>
          </dd>
        </div>
        <div>
          <dt>Subject</dt>
          <dd>
            <bdi>{subject}</bdi>
          </dd>
        </div>
      </dl>
      <p className="typed" dir="auto">
        {text}
      </p>
    </section>
  );
}

import type { ReactNode } from "react";
import type { ScreenRequest } from "#admin/screen.ts";
import { ActionForm } from "#admin/ui/form.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { nextPath } from "./next-path.ts";

// Shared by the screens for logging in and for proving who one is.

/** The frame of these screens: a picture, and one thing to do. */
export function Gate({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="gate">
      <div className="gate-art">
        <img src="/identity/brand/logo-mark-light.svg" alt="" width="88" height="88" />
        <p className="gate-words">Back office</p>
        <p>Here we look after the people who give, the people who help, and every dollar in between.</p>
      </div>
      <div className="gate-in">
        <div>
          <h1>{title}</h1>
          {children}
        </div>
      </div>
    </div>
  );
}

/** Hidden fields with the address to go to afterwards, and a form that was sent in the meantime. */
export function Afterwards({ request }: { request: Pick<ScreenRequest, "query" | "carried" | "form"> }) {
  const next = request.form?.values.next?.[0] ?? request.query.next;
  return (
    <>
      {next !== undefined && <input type="hidden" name="next" value={nextPath(next)} />}
      {request.carried !== null && <input type="hidden" name="carried" value={request.carried} />}
    </>
  );
}

/**
 * A form whose button asks the device for a passkey. `passkey.admin.ts` fetches the options, fills the hidden field and
 * sends the form.
 */
export function PasskeyForm({
  id,
  action,
  options,
  purpose,
  label,
  hint,
  isQuiet = false,
  moreFields,
  request,
}: {
  id: string;
  action: string;
  /** The address of the options. */
  options: string;
  purpose: "use" | "create";
  label: string;
  hint?: string;
  isQuiet?: boolean;
  /** What else the form asks. */
  moreFields?: ReactNode;
  request: ScreenRequest;
}) {
  return (
    <ActionForm id={id} action={action} request={request} className="stack">
      <Afterwards request={request} />
      <input type="hidden" name="passkey" value="" />
      {moreFields}
      <p className="err" role="alert" data-passkey-problem hidden>
        <Icon name="alert" />
        <span />
      </p>
      <button
        className={isQuiet ? "btn quiet" : "btn big wide"}
        type="submit"
        data-enhance="passkey"
        data-passkey={purpose}
        data-options={options}
      >
        <Icon name={isQuiet ? "plus" : "key"} />
        {label}
      </button>
      {hint && <p className="hint">{hint}</p>}
    </ActionForm>
  );
}

/** Another way to log in, folded until somebody needs it or has used it. */
export function Way({
  name,
  icon,
  about,
  isOpen,
  children,
}: {
  name: string;
  icon: "lock" | "receipt";
  about: string;
  isOpen: boolean;
  children: ReactNode;
}) {
  return (
    <details className="way-to-log-in" open={isOpen} name="way">
      <summary className="way">
        <Icon name={icon} />
        <span>
          {name} <small>{about}</small>
        </span>
        <Icon name="chev" />
      </summary>
      {children}
    </details>
  );
}

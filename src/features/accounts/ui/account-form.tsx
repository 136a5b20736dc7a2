import { type BaseSyntheticEvent, type ComponentProps, type ReactNode, useEffect, useRef } from "react";
import { telephoneLink } from "#shared/telephone-link.ts";
import { ErrorSummary, type FormProblem, useErrorTitle } from "#shared/ui/form-error-summary.tsx";
import { Icon } from "#shared/ui/icon.tsx";
import { PasswordField, useShownPasswords } from "./form-password.tsx";

type AccountFormProps = {
  readonly name: string;
  readonly form: {
    readonly problems: readonly FormProblem[];
    readonly refusal: string | undefined;
    readonly shownAt: number;
    readonly isReady: boolean;
    readonly isBusy: boolean;
    readonly submit: (event: BaseSyntheticEvent) => void;
  };
  readonly button: string;
  /** Why the button does nothing but show the errors yet (LAY-11). */
  readonly closedBecause?: string | undefined;
  /** What stands beside the button. */
  readonly beside?: ReactNode;
  readonly onFocus?: () => void;
  readonly children: ReactNode;
};

/** A form of the account pages: what is wrong, or why it was refused, above its fields. */
export function AccountForm({ name, form, button, closedBecause, beside, onFocus, children }: AccountFormProps) {
  const { problems, refusal, shownAt, isReady, isBusy } = form;
  useErrorTitle(problems.length > 0 || refusal !== undefined);
  return (
    <form className="account-form" method="post" noValidate aria-label={name} onSubmit={form.submit} onFocus={onFocus}>
      <ErrorSummary problems={problems} shownAt={shownAt} />
      {refusal !== undefined && <Refusal says={refusal} shownAt={shownAt} />}
      {children}
      <div className="form-actions">
        <button
          className="btn"
          type={isReady ? "submit" : "button"}
          aria-disabled={isBusy || closedBecause !== undefined}
          aria-describedby={closedBecause === undefined ? undefined : "closed-because"}
        >
          {button}
        </button>
        {closedBecause !== undefined && (
          <span className="why" id="closed-because">
            {closedBecause}
          </span>
        )}
        {beside}
      </div>
    </form>
  );
}

type OwnPasswordProps = Omit<ComponentProps<typeof PasswordField>, "shown" | "label"> & { readonly email: string };

/** The password once more, before what cannot be undone; by the email password managers know whose it is. */
export function OwnPasswordField({ email, ...field }: OwnPasswordProps) {
  const shown = useShownPasswords();
  return (
    <>
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField {...field} shown={shown} label="Password" autoComplete="current-password" className="w-md" />
    </>
  );
}

/** Why it was refused; takes focus each time it is said. */
export function Refusal({ says, shownAt }: { says: string; shownAt: number }) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal takes focus anew
  useEffect(() => box.current?.focus(), [shownAt]);
  return (
    <div className="error-summary refusal" role="alert" tabIndex={-1} ref={box}>
      <p className="err">
        <Icon name="alert" />
        <span>{says}</span>
      </p>
    </div>
  );
}

/** Where scripts are off: what this page cannot do, and what to do instead. */
export function NeedsScript({ what, phone, email }: { what: string; phone: string; email: string }) {
  return (
    <noscript>
      <p className="note no-script">
        <span>
          {what} needs JavaScript, which is switched off in your browser. You can call us on{" "}
          <a href={telephoneLink(phone)}>{phone}</a> or write to <a href={`mailto:${email}`}>{email}</a>.
        </span>
      </p>
    </noscript>
  );
}

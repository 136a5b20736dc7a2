import type { BaseSyntheticEvent, ComponentProps, ReactNode } from "react";
import { paths } from "#shared/paths.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { ExplainedButton } from "#shared/ui/form-actions.tsx";
import { ErrorSummary, type FormProblem, FormRefusal, useErrorTitle } from "#shared/ui/form-error-summary.tsx";
import { dropUser } from "#shared/ui/session-record.ts";
import { useOnMount } from "#shared/ui/use-on-mount.ts";
import { sentences } from "../person.ts";
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
  /** Why the button only shows the errors so far (LAY-11). */
  readonly closedBecause?: string | undefined;
  readonly beside?: ReactNode;
  readonly onFocus?: () => void;
  readonly children: ReactNode;
};

export function AccountForm({ name, form, button, closedBecause, beside, onFocus, children }: AccountFormProps) {
  const { problems, refusal, shownAt, isReady, isBusy } = form;
  useErrorTitle(problems.length > 0 || refusal !== undefined);
  return (
    <form className="account-form" method="post" noValidate aria-label={name} onSubmit={form.submit} onFocus={onFocus}>
      <ErrorSummary problems={problems} shownAt={shownAt} />
      {refusal !== undefined && (
        <FormRefusal text={refusal} shownAt={shownAt}>
          {refusal === sentences.loggedOut && <LoginInNewTab />}
        </FormRefusal>
      )}
      {children}
      <div className="form-actions">
        <ExplainedButton
          reasonId="closed-because"
          reason={closedBecause}
          type={isReady ? "submit" : "button"}
          aria-disabled={isBusy || closedBecause !== undefined}
        >
          {button}
        </ExplainedButton>
        {beside}
      </div>
    </form>
  );
}

/** Beside `sentences.loggedOut`. While it shows, the page stays although nobody is logged in (`member.script.ts`). */
export function LoginInNewTab() {
  useOnMount(dropUser);
  return (
    <a href={paths.login} target="_blank" rel="noopener" data-logged-out="">
      Log in<span className="sr"> (opens in a new tab)</span>
    </a>
  );
}

type OwnPasswordProps = Omit<ComponentProps<typeof PasswordField>, "shown" | "label"> & { readonly email: string };

/** The current password, before an irreversible step. The hidden email tells password managers whose it is. */
export function OwnPasswordField({ email, ...field }: OwnPasswordProps) {
  const shown = useShownPasswords();
  return (
    <>
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField {...field} shown={shown} label="Password" autoComplete="current-password" className="w-md" />
    </>
  );
}

/** Shown when JavaScript is off: what the page can't do, and what to do instead. */
export function NeedsScript({ text, phone, email }: { text: string; phone: string; email: string }) {
  return (
    <noscript>
      <p className="note no-script">
        <span>
          {text} You can call us on <a href={telephoneLink(phone)}>{phone}</a> or write to{" "}
          <a href={`mailto:${email}`}>{email}</a>.
        </span>
      </p>
    </noscript>
  );
}

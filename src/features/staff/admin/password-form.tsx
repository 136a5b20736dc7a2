import type { ReactNode } from "react";
import type { ScreenRequest } from "#admin/screen.ts";
import { ActionForm, ChoiceField, TextField } from "#admin/ui/form.tsx";
import { QrCode } from "#admin/ui/qr-code.tsx";
import type { ShownSetUp } from "./shown-set-up.ts";

/** The hidden field of a form that is shown again, so that the person need not scan the QR code twice. */
export const sealedIn = ({ form }: Pick<ScreenRequest, "form">): string | undefined => form?.values.setUp?.[0];

/** Sets a password, an authenticator app and recovery codes in one go. */
export function PasswordForm({
  action,
  setUp,
  label,
  moreFields,
  request,
}: {
  action: string;
  setUp: ShownSetUp;
  label: string;
  /** What else the form asks. */
  moreFields?: ReactNode;
  request: ScreenRequest;
}) {
  return (
    <ActionForm id="password" action={action} request={request} className="set-up">
      <input type="hidden" name="setUp" value={setUp.sealed} />
      {/* Tells password managers whose password it is. */}
      <input type="email" name="email" value={setUp.email} autoComplete="username" readOnly hidden />
      {moreFields}
      <h2>1. Choose a password</h2>
      <TextField
        name="newPassword"
        label="Password"
        type="password"
        autoComplete="new-password"
        hint="At least 12 characters. Three or four words are easy to remember."
      />
      <h2>2. Scan this with an authenticator app</h2>
      <p className="hint">
        Such as the one in your password manager, Google Authenticator, or Microsoft Authenticator. It then shows a new
        code every 30 seconds.
      </p>
      <QrCode {...setUp.qrCode} label="QR code for your authenticator app" />
      <p className="hint">
        Cannot scan? Type this key into the app: <code className="secret">{setUp.typedSecret}</code>
      </p>
      <TextField name="code" label="The code it shows now" inputMode="numeric" autoComplete="one-time-code" />
      <h2>3. Keep your recovery codes</h2>
      <RecoveryCodes codes={setUp.recoveryCodes} />
      <KeptField />
      <button className="btn big" type="submit">
        {label}
      </button>
    </ActionForm>
  );
}

export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <>
      <p className="hint">
        If you lose the phone, one of these works instead of its code. Each works once. Print this page, write them
        down, or put them into your password manager: they are not shown again.
      </p>
      <ul className="codes" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </>
  );
}

export function KeptField() {
  const options = [{ value: "yes", label: "I have kept these ten codes" }];
  return <ChoiceField name="areKept" label="Recovery codes" options={options} />;
}

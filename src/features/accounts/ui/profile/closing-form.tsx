import { z } from "zod";
import { paths } from "#shared/paths.ts";
import { showOnArrival } from "#shared/ui/feedback.ts";
import { forgetOnDevice } from "#shared/ui/session-record.ts";
import { erasedOnClosing, keptOnClosing } from "../../closing.ts";
import { GivenPassword } from "../../person.ts";
import { AccountForm, OwnPasswordField } from "../account-form.tsx";
import { leaveFor } from "../leave.ts";
import { useAccountForm } from "../use-account-form.ts";
import { beginPersonalCalls, withPersonalCalls } from "./with-personal-calls.ts";

const CLOSED = "Your account is closed and you’re logged out. Thank you for your support.";
const ClosingFields = z.object({ password: GivenPassword });

type ClosingFormProps = {
  readonly email: string;
  readonly onKeep: () => void;
  readonly leaveFor?: ((path: string) => void) | undefined;
};

/** What happens to the person's data, and the password to confirm it (PRO-11). */
export function ClosingForm({ email, onKeep, leaveFor: leave = leaveFor }: ClosingFormProps) {
  const form = useAccountForm<{ password: string }>({ schema: ClosingFields, order: ["password"], send });
  async function send({ password }: { password: string }) {
    const outcome = await withPersonalCalls((calls) => calls.closeAccount(password));
    if (outcome.kind === "done") {
      forgetOnDevice();
      showOnArrival(CLOSED);
      leave(paths.home);
    }
    return outcome;
  }
  return (
    <div className="dlg">
      <h2 id="close-dialog-title" tabIndex={-1}>
        Close your account?
      </h2>
      <ul>
        <li>You’ll be logged out on all devices. This can’t be undone.</li>
        {[...erasedOnClosing, ...keptOnClosing].map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <p>Before you do, download your data and any receipts you need.</p>
      <AccountForm
        name="Close your account"
        form={form}
        onFocus={beginPersonalCalls}
        button="Close my account"
        beside={
          <button className="btn btn-quiet" type="button" onClick={onKeep}>
            Keep my account
          </button>
        }
      >
        <OwnPasswordField {...form.field("password")} email={email} />
      </AccountForm>
    </div>
  );
}

import { z } from "zod";
import { paths } from "#shared/paths.ts";
import { showOnArrival } from "#shared/ui/feedback.ts";
import { whatGoes, whatStays } from "../../closing.ts";
import { GivenPassword } from "../../person.ts";
import { AccountForm, OwnPasswordField } from "../account-form.tsx";
import { leaveFor } from "../leave.ts";
import { useAccountForm } from "../use-account-form.ts";
import { beginPersonalCalls, withPersonalCalls } from "./with-personal-calls.ts";

const CLOSED = "Your account is closed and you are logged out. Thank you for having been with us.";
const ClosingFields = z.object({ password: GivenPassword });

type ClosingFormProps = {
  readonly email: string;
  readonly onKeep: () => void;
  readonly leaveFor?: ((path: string) => void) | undefined;
};

/** What becomes of everything, and the password that closes the account (PRO-11). */
export function ClosingForm({ email, onKeep, leaveFor: leave = leaveFor }: ClosingFormProps) {
  const form = useAccountForm<{ password: string }>({ schema: ClosingFields, order: ["password"], send });
  async function send({ password }: { password: string }) {
    const outcome = await withPersonalCalls((calls) => calls.closeAccount(password));
    if (outcome.kind === "done") {
      forgetDraft();
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
        <li>You are logged out on every device. This cannot be undone.</li>
        {[...whatGoes, ...whatStays].map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <p>Download your data and the receipts that you need first.</p>
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

/** What this device keeps of a donation goes too, because the next person here may be another. */
function forgetDraft() {
  try {
    localStorage.removeItem("donation-draft");
  } catch {
    // Storage is switched off: nothing was kept.
  }
}

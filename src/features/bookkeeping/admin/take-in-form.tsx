import type { ScreenRequest } from "#admin/screen.ts";
import { ActionForm, SelectField, TextField } from "#admin/ui/form.tsx";
import { formatDollars } from "#shared/language.ts";
import type { Difference } from "../server/findings.ts";
import type { ForeignChargeFacts } from "../server/take-in.ts";

/** The form that makes a donation of a charge that was made outside the site. */
export function TakeInForm({
  difference: { id, day, title, provider, theirsCents },
  causes,
  request,
}: {
  difference: Difference;
  causes: ForeignChargeFacts["causes"];
  request: ScreenRequest;
}) {
  const action = `/admin/reconciliation/${day}/take-in/${id}`;
  const amount = formatDollars(theirsCents);
  return (
    <details open={request.form?.action === action}>
      <summary className="btn">
        Take it in as a donation<span className="sr">: {title}</span>
      </summary>
      <ActionForm action={action} id={`take-in-${id}`} request={request} className="stack">
        <input type="hidden" name="shown" value={theirsCents} />
        <TextField name="first_name" label="First name of the donor" autoComplete="off" required />
        <TextField name="last_name" label="Last name" autoComplete="off" required />
        <TextField
          name="email"
          label="Email"
          hint="The receipt goes to this address."
          type="email"
          autoComplete="off"
          required
        />
        <SelectField
          name="cause"
          label="Given to"
          hint={`What ${amount} can pay for.`}
          options={[{ value: "", label: "Choose a cause" }, ...causes]}
        />
        <p>
          The amount and the day are those of {provider}. It becomes a donation like any other, without fees: it is
          posted to the ledger, a receipt is issued and emailed, and this difference is closed. A mistake can only be
          put right by correcting or refunding the donation.
        </p>
        <div className="acts">
          <button className="btn" type="submit">
            Take in {amount}
          </button>
        </div>
      </ActionForm>
    </details>
  );
}

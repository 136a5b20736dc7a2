import type { ScreenRequest } from "#admin/screen.ts";
import { ActionForm, TextArea } from "#admin/ui/form.tsx";
import { formatDollars } from "#shared/language.ts";
import type { Difference } from "../server/findings.ts";
import type { ReversalForm } from "../server/reversals.ts";

/** The form that takes a payment off the books that the provider does not have. */
export function ReverseForm({
  difference: { id, day, title, provider },
  form,
  request,
}: {
  difference: Difference;
  form: ReversalForm;
  request: ScreenRequest;
}) {
  const action = `/admin/reconciliation/${day}/reverse/${id}`;
  const isHere = request.form?.action === action;
  const sent = isHere ? request.form?.values.form?.[0] : undefined;
  const isGift = form.of.kind === "donation";
  const words = isGift ? "Void the receipt and reverse the payment" : "Cancel the tickets and reverse the payment";
  return (
    <details open={isHere}>
      <summary className="btn">
        {words}
        <span className="sr">: {title}</span>
      </summary>
      <ActionForm action={action} id={`reverse-${id}`} request={request} className="stack">
        <input type="hidden" name="form" value={sent ?? form.formId} />
        <input type="hidden" name="shown" value={form.cents} />
        <TextArea
          name="reason"
          label="How you know that nothing was paid"
          hint="Kept with the reversal. No email says it."
          rows={3}
          required
        />
        <p>
          We ask {provider} once more first. Then the ledger’s entries of this payment are reversed,{" "}
          {isGift ? "its receipt becomes void" : "its tickets become void and their seats are free again"}, and an email
          says that the payment did not reach us. No money goes back. This cannot be undone. It counts towards what one
          person may refund in a day: above that, a second person has to approve it.
        </p>
        <div className="acts">
          <button className="btn" type="submit">
            Reverse {formatDollars(form.cents)}
          </button>
        </div>
      </ActionForm>
    </details>
  );
}

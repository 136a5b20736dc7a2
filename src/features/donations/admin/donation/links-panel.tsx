import { ActionForm, TextArea } from "#admin/ui/form.tsx";
import type { ActProps } from "./act-panel.tsx";

/** Ends all links to the receipt that were sent so far. */
export function EndLinks({ donation, request }: Pick<ActProps, "donation" | "request">) {
  const path = `/admin/donations/${donation.id}`;
  return (
    <section className="panel act" aria-labelledby="links-title" id="act">
      <h2 id="links-title">End the links to the receipt</h2>
      <ActionForm action={`${path}/links`} id="links" request={request}>
        <div className="happens">
          <ul>
            <li>Every link to this receipt that we have emailed so far stops working, whoever has it.</li>
            <li>The page behind it offers to email a new link, to the address that we have.</li>
            <li>A PDF that was attached to an email, or downloaded, cannot be taken back.</li>
          </ul>
        </div>
        <TextArea name="reason" label="Why" hint="Kept in the audit trail. The donor hears nothing from us." rows={2} />
        <p className="row press">
          <button className="btn" type="submit">
            End the links
          </button>
          <a className="btn quiet" href={path}>
            Cancel
          </a>
        </p>
      </ActionForm>
    </section>
  );
}

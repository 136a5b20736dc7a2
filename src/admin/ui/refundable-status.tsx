import { Status, type StatusLook } from "./status.tsx";

type Props = {
  readonly state: { readonly look: StatusLook; readonly label: string };
  /** The request for a refund that waits for approval, if there is one. */
  readonly refundRequest: string | null;
};

/** The state of what can be refunded, in a list. A refund waits only for what is paid, and then says more than 'Paid'. */
export function RefundableStatus({ state: { look, label }, refundRequest }: Props) {
  if (refundRequest === null || look === "bad") return <Status look={look}>{label}</Status>;
  return (
    <a href={`/admin/refunds/${refundRequest}`}>
      <Status look="act">To approve</Status>
    </a>
  );
}

import { Status } from "#admin/ui/status.tsx";
import type { describeState } from "../server/search/donation-states.ts";

type Props = {
  readonly state: ReturnType<typeof describeState>;
  /** The request for a refund that waits for approval, if there is one. */
  readonly refundRequest: string | null;
};

/** The state of a donation in a list. A refund waits only for a paid one, and then says more than 'Paid'. */
export function DonationStatus({ state: { look, label }, refundRequest }: Props) {
  if (refundRequest === null || look === "bad") return <Status look={look}>{label}</Status>;
  return (
    <a href={`/admin/refunds/${refundRequest}`}>
      <Status look="act">To approve</Status>
    </a>
  );
}

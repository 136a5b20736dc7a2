import { listWaitingRefund, type RefundPanelData } from "#admin/refund-panel.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { Moves } from "#admin/ui/moves.tsx";
import { NotePanel } from "#admin/ui/note-panel.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { RefundPanel, WaitingRefund } from "#admin/ui/refund-panel.tsx";
import { Status } from "#admin/ui/status.tsx";
import { describePaymentState } from "#payments/payment-words.ts";
import { formatDollars, formatMoment, formatTime, fullDate } from "#shared/language.ts";
import type { MoveTarget } from "../server/one-donation/move-fund.ts";
import { ActMenu, OpenAct, openActOf } from "./donation/acts.tsx";
import { Books } from "./donation/books.tsx";
import { donorName, mainPayment, refundedCents } from "./donation/describe-donation.ts";
import { DonorPanel } from "./donation/donor-panel.tsx";
import type { ShownDonation } from "./donation/find-donation.ts";
import { GivenTable } from "./donation/given-table.tsx";
import { listMoves } from "./donation/list-moves.ts";
import { PaymentPanel } from "./donation/payment-panel.tsx";
import type { EmailPreview } from "./donation/preview.ts";
import { ReceiptsTable } from "./donation/receipts-table.tsx";

type DonationScreenData = {
  readonly donation: ShownDonation;
  /** The email that the form would send. */
  readonly preview: EmailPreview | null;
  readonly refunds: RefundPanelData;
  /** The funds that a line can be moved to; only while the form for that is open. */
  readonly targets: readonly MoveTarget[];
};

export const donationScreen = screen({
  path: "/admin/donations/:id",
  right: "donations.see",
  section: "donations",
  async load(reads, request): Promise<DonationScreenData | null> {
    const donation = await reads.findDonation(request.params.id!, request);
    if (donation === null) return null;
    const preview = await reads.previewEmail(donation, request.form);
    const targets = openActOf(request) === "fund" ? await reads.listMoveTargets() : [];
    const refunds = await reads.readRefundPanel({ kind: "donation", id: donation.id });
    return { donation, preview, refunds, targets };
  },
  title: ({ donation }) => `Donation of ${formatDollars(donation.total_cents)} by ${donorName(donation)}`,
  body: (data, request) => (
    <>
      <Head data={data} request={request} />
      <OpenAct {...data} request={request} />
      <div className="split">
        <div>
          <GivenTable donation={data.donation} />
          <Moves moves={[...listWaitingRefund(data.refunds), ...listMoves(data.donation)]} />
          <ReceiptsTable donation={data.donation} />
          <Books donation={data.donation} />
        </div>
        <Aside data={data} request={request} />
      </div>
    </>
  ),
});

/** The panels beside the donation; those that need a decision come first. */
function Aside({ data, request }: { data: DonationScreenData; request: ScreenRequest }) {
  const { donation, refunds } = data;
  return (
    <div>
      {request.staff !== null && <RefundPanel data={refunds} staff={request.staff} />}
      <DonorPanel donation={donation} />
      <PaymentPanel donation={donation} />
      <NotePanel path={`/admin/donations/${donation.id}/note`} right="donations.change" request={request} />
    </div>
  );
}

function Head({ data: { donation, refunds }, request }: { data: DonationScreenData; request: ScreenRequest }) {
  const state = describePaymentState(mainPayment(donation.payments)?.state ?? null);
  const back = refundedCents(donation);
  return (
    <PageHead
      crumbs={[{ label: "Donations", path: "/admin/donations" }]}
      hasNeighbours
      title={
        <span className="money">
          <span className="sr">Donation of </span>
          <span className="amt">{formatDollars(donation.total_cents)}</span>
          <Status look={state.look}>
            {back > 0 && back < donation.total_cents
              ? `${state.label}, ${formatDollars(donation.total_cents - back)} kept`
              : state.label}
          </Status>
          <WaitingRefund data={refunds} />
        </span>
      }
      about={
        <>
          <DonorLink donation={donation} /> {describeGift(donation)}
        </>
      }
    >
      <ActMenu donation={donation} request={request} />
    </PageHead>
  );
}

function DonorLink({ donation }: { donation: ShownDonation }) {
  const name = <bdi>{donorName(donation)}</bdi>;
  return donation.email === "" ? (
    <b>{name}</b>
  ) : (
    <a href={`/admin/people/${donation.id}`}>
      <b>{name}</b>
    </a>
  );
}

function describeGift({ created_at, method, account }: ShownDonation): string {
  const day = formatMoment(created_at, { ...fullDate, timeZone: "Australia/Sydney" });
  const when = `${day} at ${formatTime(created_at, "Australia/Sydney").toLowerCase()}`;
  const how = method === "cc" ? "by card" : "by PayPal";
  return account === null ? `gave on ${when}, ${how}, as a guest` : `gave on ${when}, ${how}, with an account`;
}

import { screen } from "#admin/screen.ts";
import { eventScreenPath } from "#admin/ui/event-views.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { Empty } from "#admin/ui/note.tsx";
import { formatDollars, formatList, formatNumber, formatPercent, plural } from "#shared/language.ts";
import type { ReportedType } from "../../server/staff/event-report.ts";
import { EventScreenHead, mayPlan } from "../ticket-types/types-screen.tsx";
import type { ReportOfEvent } from "./report-part.ts";

/** `/admin/events/:id/report`: what was sold and given back, and who came, by type. */
export const reportScreen = screen<ReportOfEvent>({
  path: "/admin/events/:id/report",
  right: "events.see",
  section: "events",
  load: ({ findEventReport }, { params }) => findEventReport(params.id!),
  title: ({ event }) => `Report of ${event.title}`,
  body: (report, request) => (
    <>
      <EventScreenHead event={report.event} here="report" request={request}>
        {mayPlan(request) && report.types.length > 0 && (
          <a className="btn" href={`/admin/events/${report.event.screenId}/attendance.csv`}>
            <Icon name="down" />
            Attendance as CSV
          </a>
        )}
      </EventScreenHead>
      {report.types.length === 0 ? (
        <Empty title="This event has no tickets">
          <p>
            Once it has <a href={eventScreenPath(report.event.screenId, "tickets")}>ticket types</a>, this says what was
            sold, what was given back, and who came.
          </p>
        </Empty>
      ) : (
        <>
          <ReportTable report={report} />
          <ByStaff report={report} />
          <ProviderFees report={report} />
        </>
      )}
    </>
  ),
});

function ReportTable({ report: { types, otherRefundsCents, refused } }: { report: ReportOfEvent }) {
  const ofTypes = sumUp(types);
  const total = {
    ...ofTypes,
    paidCents: ofTypes.paidCents + refused.paidCents,
    refundedCents: ofTypes.refundedCents + refused.refundedCents + otherRefundsCents,
  };
  return (
    <div className="tw">
      <table className="cards">
        <caption className="sr">Tickets issued and cancelled, who came, and the money, by type</caption>
        <thead>
          <tr>
            <th scope="col">Ticket</th>
            {["Issued", "Cancelled", "Came", "Paid", "Refunded", "Left"].map((title) => (
              <th scope="col" className="num" key={title}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {types.map((type) => (
            <tr key={type.id}>
              <th scope="row" className="k-c">
                <bdi>{type.title}</bdi>
              </th>
              <Figures {...type} />
            </tr>
          ))}
          {refused.paidCents > 0 && (
            <tr>
              <th scope="row" className="k-c">
                Payments that bought no tickets
              </th>
              <td className="num m-c" colSpan={3} />
              <MoneyFigures {...refused} />
            </tr>
          )}
          {otherRefundsCents !== 0 && (
            <tr>
              <th scope="row" className="k-c">
                {otherRefundsCents > 0 ? "Refunds for other reasons" : "Cancelled, and not refunded in full"}
              </th>
              <td className="num m-c" colSpan={4} />
              <td className="num m-c" data-l="Refunded">
                {formatDollars(otherRefundsCents)}
              </td>
              <td className="num v-c" data-l="Left">
                {formatDollars(-otherRefundsCents)}
              </td>
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">In all</th>
            <Figures {...total} />
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

/** What staff gave, and took themselves: none of it is in the table's money. */
function ByStaff({ report: { event, byStaff } }: { report: ReportOfEvent }) {
  const { given, takenCents, toGiveBackCents } = byStaff;
  if (given === 0 && takenCents === 0) return null;
  return (
    <p className="hint">
      {given > 0 &&
        `${plural(given, { one: "1 of these tickets was given.", other: `${formatNumber(given)} of these tickets were given.` })} `}
      {takenCents > 0 && `${formatDollars(takenCents)} was taken at the door, besides what the table says. `}
      {toGiveBackCents > 0 && `${formatDollars(toGiveBackCents)} of it was for tickets that are cancelled. `}
      <a href={eventScreenPath(event.screenId, "give")}>See each</a>
    </p>
  );
}

/** An estimate: the providers deduct their fees from what they pay out, and say how much in their own statements. */
function ProviderFees({ report: { charged, rates } }: { report: ReportOfEvent }) {
  const methods = [
    { name: "by card", cents: charged.cardCents, rate: rates.cc },
    { name: "by PayPal", cents: charged.paypalCents, rate: rates.pp },
  ].filter(({ cents }) => cents > 0);
  if (methods.length === 0) return null;
  const feeCents = methods.reduce((sum, { cents, rate }) => sum + Math.round((cents * rate) / 10_000), 0);
  const parts = methods.map(({ name, cents, rate }) => `${formatPercent(rate)} of ${formatDollars(cents)} ${name}`);
  return (
    <p className="hint">
      PayWay and PayPal keep about {formatDollars(feeCents)} of what was paid: {formatList(parts, "and")}, at the rates
      of <a href="/admin/settings/fees">Settings, Fees</a>. Their statements have the exact sum.
    </p>
  );
}

type FiguresProps = Omit<ReportedType, "id" | "title">;

function Figures({ issued, cancelled, came, paidCents, refundedCents }: FiguresProps) {
  return (
    <>
      <td className="num m-c" data-l="Issued">
        {formatNumber(issued)}
      </td>
      <td className="num m-c" data-l="Cancelled">
        {formatNumber(cancelled)}
      </td>
      <td className="num m-c" data-l="Came">
        {formatNumber(came)}
      </td>
      <MoneyFigures paidCents={paidCents} refundedCents={refundedCents} />
    </>
  );
}

function MoneyFigures({ paidCents, refundedCents }: Pick<FiguresProps, "paidCents" | "refundedCents">) {
  return (
    <>
      <td className="num m-c" data-l="Paid">
        {formatDollars(paidCents)}
      </td>
      <td className="num m-c" data-l="Refunded">
        {formatDollars(refundedCents)}
      </td>
      <td className="num v-c" data-l="Left">
        {formatDollars(paidCents - refundedCents)}
      </td>
    </>
  );
}

function sumUp(types: readonly ReportedType[]): FiguresProps {
  const sum = (of: keyof FiguresProps) => types.reduce((total, type) => total + type[of], 0);
  return {
    issued: sum("issued"),
    cancelled: sum("cancelled"),
    came: sum("came"),
    paidCents: sum("paidCents"),
    refundedCents: sum("refundedCents"),
  };
}

import { type ScreenRequest, screen } from "#admin/screen.ts";
import { ActionForm, ChoiceField, TextArea, TextField } from "#admin/ui/form.tsx";
import { Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { formatDollars, formatList } from "#shared/language.ts";
import { needsSecondPerson, readAmount, writeAmount } from "../../refund-amounts.ts";
import type { RefundForm } from "../../server/refunds/shown-refund.ts";
import { DonationPanel, RefundsTable } from "./refund-facts.tsx";
import { askToCheck, foretell } from "./refund-words.ts";

type Data = RefundForm & {
  /** What the button refunds. */
  readonly amountCents: number;
};

/** `/admin/donations/:id/refund`: how much, why, what will happen, and the button that says the amount. */
export const refundFormScreen = screen<Data>({
  path: "/admin/donations/:id/refund",
  right: "refunds.make",
  section: "donations",
  async load(reads, request) {
    const typed = readTyped(request);
    const form = await reads.readRefundForm(request.params.id ?? "", {
      staffId: request.staff!.id,
      amountCents: typed,
    });
    if (form === null) return null;
    return { ...form, amountCents: typed === null || typed > form.leftCents ? form.leftCents : typed };
  },
  title: ({ donation }) => `Refund ${donation.reference}`,
  body: (data, request) => (
    <>
      <PageHead
        title="Refund a donation"
        about={
          <>
            {data.donation.reference}, <bdi>{data.donation.donorName ?? "an anonymous donor"}</bdi>
          </>
        }
        crumbs={[
          { label: "Donations", path: "/admin/donations" },
          { label: data.donation.reference, path: `/admin/donations/${data.donation.id}` },
        ]}
      />
      <div className="split">
        <div>
          {isPossible(data) ? <Form data={data} request={request} /> : <Impossible data={data} request={request} />}
        </div>
        <DonationPanel {...data} />
      </div>
      {data.refunds.length > 0 && (
        <section className="sec" aria-labelledby="h-refunds">
          <div className="sec-h">
            <h2 id="h-refunds">Refunds of this donation</h2>
          </div>
          <RefundsTable
            caption="Refunds of this donation, the latest first"
            refunds={data.refunds}
            withDonation={false}
          />
        </section>
      )}
    </>
  ),
});

/** The part that was typed; null for all of it, or if the text is not an amount. */
function readTyped({ form }: ScreenRequest): number | null {
  if (form?.values.how?.[0] !== "part") return null;
  const read = readAmount(form.values.amount?.[0] ?? "");
  return "cents" in read ? read.cents : null;
}

const findOpen = ({ refunds }: RefundForm) =>
  refunds.find(({ request }) => request !== null && request.decision === null);

const isPossible = (data: Data) =>
  data.payment !== null && data.payment.state !== "disputed" && data.leftCents > 0 && findOpen(data) === undefined;

function Impossible({ data, request }: { data: Data; request: ScreenRequest }) {
  const open = findOpen(data);
  const message = request.form?.message;
  return (
    <>
      {message !== undefined && (
        <Note look="bad" isNews>
          {message}
        </Note>
      )}
      {open !== undefined ? (
        <Note title={`A refund of ${formatDollars(open.amountCents)} waits for a second person`}>
          <p>It has to be decided before another one is requested.</p>
          <div className="acts">
            <a className="btn" href={`/admin/refunds/${open.id}`}>
              Open the request
            </a>
          </div>
        </Note>
      ) : data.payment === null ? (
        <Note>This donation has not been paid, so there is nothing to refund.</Note>
      ) : data.leftCents === 0 ? (
        <Note>All of this donation has been refunded, or is about to be.</Note>
      ) : (
        <Note look="warn" title="The donor disputes this payment">
          Until their bank has decided, a refund could pay the money back twice.
        </Note>
      )}
    </>
  );
}

function Form({ data, request }: { data: Data; request: ScreenRequest }) {
  const { amountCents, leftCents } = data;
  const path = `/admin/donations/${data.donation.id}/refund`;
  const isPart = amountCents < leftCents;
  const isTwo = needsSecondPerson(amountCents, data);
  const amount = formatDollars(amountCents);
  return (
    <ActionForm
      action={path}
      id="refund"
      request={asNews(request, amountCents)}
      className={`refund-form ${isPart ? "of-part" : "of-all"}`}
    >
      <input type="hidden" name="form" value={request.form?.values.form?.[0] ?? data.formId} />
      <input type="hidden" name="left" value={leftCents} />
      <input type="hidden" name="shown" value={amountCents} />
      <ChoiceField
        name="how"
        label="How much"
        isSingle
        chosen={["all"]}
        options={[
          { value: "all", label: `All that is left, ${formatDollars(leftCents)}` },
          { value: "part", label: "A part" },
        ]}
      />
      <div className="part">
        <TextField
          name="amount"
          label="Amount of the part"
          prefix="$"
          inputMode="decimal"
          autoComplete="off"
          defaultValue={isPart ? writeAmount(amountCents) : ""}
        />
      </div>
      <TextArea
        name="reason"
        label="Why"
        hint="Kept with the refund. No email says it, but the donor can read it in a download of their data."
        rows={3}
      />
      <div className="now">
        <Outlook data={data} />
        <SecondPerson data={data} isTwo={isTwo} />
        <button className={isTwo ? "btn" : "btn final"} type="submit">
          {isTwo ? `Request a refund of ${amount}` : `Refund ${amount}`}
        </button>
        {!isTwo && <p className="hint">This cannot be undone once the money is on its way.</p>}
      </div>
      <button className="btn later" type="submit">
        Check what happens
      </button>
    </ActionForm>
  );
}

/** Being asked to check another amount is not an error. */
function asNews(request: ScreenRequest, amountCents: number): ScreenRequest {
  const { form } = request;
  return form?.message === askToCheck(amountCents) ? { ...request, form: { ...form, state: "resumed" } } : request;
}

function Outlook({ data }: { data: Data }) {
  return (
    <section aria-labelledby="h-outlook">
      <div className="sec-h">
        <h2 id="h-outlook">What happens with {formatDollars(data.amountCents)}</h2>
      </div>
      <dl className="kv">
        {foretell(data, data.amountCents).map(({ title, text }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{text}</dd>
          </div>
        ))}
        {data.parts !== null && (
          <div>
            <dt>Taken from</dt>
            <dd>
              {data.parts
                .filter(({ cents }) => cents > 0)
                .map(({ title, cents }) => `${title} ${formatDollars(cents)}`)
                .join(" · ")}
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}

/** Whether this needs a second person, why, and who that can be. */
function SecondPerson({ data: { aloneCents, limitCents, others }, isTwo }: { data: Data; isTwo: boolean }) {
  const limit = formatDollars(limitCents);
  if (!isTwo) {
    return (
      <p className="hint">
        One person may refund {limit} a day.
        {aloneCents > 0 && ` You have refunded ${formatDollars(aloneCents)} today.`}
      </p>
    );
  }
  const why =
    limitCents === 0
      ? "Every refund needs two people."
      : aloneCents === 0
        ? `Above ${limit} a day, a refund needs two people.`
        : `Above ${limit} a day, a refund needs two people, and you have refunded ${formatDollars(aloneCents)} today.`;
  return others.length === 0 ? (
    <Note look="warn" title="Nobody else may approve it">
      {why} You are the only one who may make refunds. An administrator must invite another person, or give somebody a
      role that may.
    </Note>
  ) : (
    <Note title="Someone else has to approve it">
      {why} <bdi>{formatList(others, "or")}</bdi> can approve it, and gets an email. Nothing is refunded until then.
    </Note>
  );
}

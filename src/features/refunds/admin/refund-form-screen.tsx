import type { RefundedSubject } from "#admin/refund-panel.ts";
import { type AdminReads, type ScreenRequest, screen } from "#admin/screen.ts";
import { ActionForm, ChoiceField, TextArea, TextField } from "#admin/ui/form.tsx";
import { Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { formatDollars, formatList } from "#shared/language.ts";
import { needsSecondPerson, readAmount, writeAmount } from "../refund-amounts.ts";
import type { RefundForm } from "../server/shown-refund.ts";
import { RefundedPanel, RefundsTable } from "./refund-facts.tsx";
import { About } from "./refund-screen.tsx";
import { askToCheck, describeEffects, refusalWords, subjectPaths, subjectWords } from "./refund-words.ts";

type Data = RefundForm & {
  /** What the button refunds, and how many tickets it cancels. */
  readonly amountCents: number;
  readonly cancelled: number;
  /** The choice that this amount is for. */
  readonly how: "all" | "tickets" | "part";
};

/** How much, why, what will happen, and the button that says the amount. */
const formOf = (kind: RefundedSubject["kind"]) =>
  screen<Data>({
    path: `${subjectPaths[kind]}/:id/refund`,
    right: "refunds.make",
    section: "donations",
    load: (reads, request) => load(reads, request, { kind, id: request.params.id ?? "" }),
    title: ({ of }) => `Refund ${of.reference}`,
    body: (data, request) => <Body data={data} request={request} />,
  });

/** `/admin/donations/:id/refund` and `/admin/orders/:id/refund` */
export const refundFormScreens = [formOf("donation"), formOf("ticket_order")] as const;

async function load(reads: AdminReads, request: ScreenRequest, of: RefundedSubject): Promise<Data | null> {
  const asking = { staffId: request.staff!.id, amountCents: readPart(request) };
  const form = await reads.readRefundForm(of, asking);
  if (form === null) return null;
  const { leftCents, tickets } = form;
  const chosen = request.form?.values.tickets ?? [];
  if (request.form?.values.how?.[0] === "tickets" && chosen.length > 0) {
    const cancelled = tickets.filter(({ id }) => chosen.includes(id));
    const cents = cancelled.reduce((sum, ticket) => sum + ticket.cents, 0);
    return { ...form, how: "tickets", amountCents: Math.min(leftCents, cents), cancelled: cancelled.length };
  }
  const typed = asking.amountCents;
  return typed === null || typed > leftCents
    ? { ...form, how: "all", amountCents: leftCents, cancelled: tickets.length }
    : { ...form, how: "part", amountCents: typed, cancelled: 0 };
}

function Body({ data, request }: { data: Data; request: ScreenRequest }) {
  const { of } = data;
  return (
    <>
      <PageHead
        title={of.kind === "donation" ? "Refund a donation" : "Refund tickets"}
        about={<About of={of} />}
        crumbs={[
          { label: subjectWords[of.kind].list, path: subjectPaths[of.kind] },
          { label: of.reference, path: `${subjectPaths[of.kind]}/${of.id}` },
        ]}
      />
      <div className="split">
        <div>
          {isPossible(data) ? <Form data={data} request={request} /> : <Impossible data={data} request={request} />}
        </div>
        <RefundedPanel {...data} />
      </div>
      {data.refunds.length > 0 && (
        <section className="sec" aria-labelledby="h-refunds">
          <div className="sec-h">
            <h2 id="h-refunds">Earlier refunds</h2>
          </div>
          <RefundsTable caption="Earlier refunds, the latest first" refunds={data.refunds} showsSubject={false} />
        </section>
      )}
    </>
  );
}

/** The part that was typed; null for all of it, or if the text is not an amount. */
function readPart({ form }: ScreenRequest): number | null {
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
        <Note title={`A refund of ${formatDollars(open.amountCents)} is waiting for a second person`}>
          <p>It has to be decided before another one is requested.</p>
          <div className="acts">
            <a className="btn" href={`/admin/refunds/${open.id}`}>
              Open the request
            </a>
          </div>
        </Note>
      ) : data.payment === null ? (
        <Note>{refusalWords[data.of.kind].notPaid}</Note>
      ) : data.leftCents === 0 ? (
        <Note>{refusalWords[data.of.kind].allRefunded}</Note>
      ) : (
        <Note look="warn">{refusalWords[data.of.kind].disputed}</Note>
      )}
    </>
  );
}

function Form({ data, request }: { data: Data; request: ScreenRequest }) {
  const { amountCents, leftCents, of, how } = data;
  const path = `${subjectPaths[of.kind]}/${of.id}/refund`;
  const isTwo = needsSecondPerson(amountCents, data);
  const amount = formatDollars(amountCents);
  return (
    <ActionForm action={path} id="refund" request={asNews(request, amountCents)} className={`refund-form of-${how}`}>
      <input type="hidden" name="form" value={request.form?.values.form?.[0] ?? data.formId} />
      <input type="hidden" name="left" value={leftCents} />
      <input type="hidden" name="shown" value={amountCents} />
      <AmountFields data={data} />
      <TextArea
        name="reason"
        label="Why"
        hint="Kept with the refund. No email says it, but the payer can read it in a download of their data."
        rows={3}
      />
      <div className="now">
        <Outlook data={data} />
        <SecondPerson data={data} isTwo={isTwo} hasNoMail={request.hasNoMail} />
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

function AmountFields({ data: { amountCents, leftCents, tickets, how } }: { data: Data }) {
  const left = formatDollars(leftCents);
  return (
    <>
      <ChoiceField
        name="how"
        label="How much"
        isSingle
        chosen={["all"]}
        options={
          tickets.length === 0
            ? [
                { value: "all", label: `All that is left, ${left}` },
                { value: "part", label: "A part" },
              ]
            : [
                { value: "all", label: `All that is left, ${left}, and cancel every ticket` },
                { value: "tickets", label: "Cancel some tickets, and refund what they cost" },
                { value: "part", label: "An amount, and every ticket stays valid" },
              ]
        }
      />
      {tickets.length > 0 && (
        <div className="some">
          <ChoiceField
            name="tickets"
            label="Tickets to cancel"
            options={tickets.map(({ id, title, detail, cents }) => ({
              value: id,
              label: `${title}, ${formatDollars(cents)}`,
              hint: detail,
            }))}
          />
        </div>
      )}
      <div className="part">
        <TextField
          name="amount"
          label={tickets.length === 0 ? "Amount of the part" : "Amount"}
          prefix="$"
          inputMode="decimal"
          autoComplete="off"
          defaultValue={how === "part" ? writeAmount(amountCents) : ""}
        />
      </div>
    </>
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
        {describeEffects(data, data.amountCents, data.cancelled).map(({ title, text }) => (
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
type SecondPersonProps = { data: Data; isTwo: boolean; hasNoMail: boolean };

function SecondPerson({ data: { aloneCents, limitCents, others }, isTwo, hasNoMail }: SecondPersonProps) {
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
      {why} <bdi>{formatList(others, "or")}</bdi> can approve it{!hasNoMail && ", and gets an email"}. Nothing is
      refunded until then.
    </Note>
  );
}

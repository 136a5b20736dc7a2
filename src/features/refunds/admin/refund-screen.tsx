import type { ReactNode } from "react";
import { formatWhen } from "#admin/format-when.ts";
import { hasRight, type StaffMember } from "#admin/rights.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { ActionForm, TextArea } from "#admin/ui/form.tsx";
import { Icon, type IconName } from "#admin/ui/icon.tsx";
import { Initials } from "#admin/ui/layout.tsx";
import { Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { UnshownFormMessage } from "#admin/ui/unshown-form.tsx";
import { providerNames } from "#payments/payment-words.ts";
import { formatDollars, formatList } from "#shared/language.ts";
import type { RefundForm, ShownRefund } from "../server/shown-refund.ts";
import { RefundedPanel, RefundStatus } from "./refund-facts.tsx";
import {
  describeEffects,
  describeRefund,
  describeReversalEffects,
  nameRequester,
  refusalWords,
  subjectPaths,
  subjectWords,
} from "./refund-words.ts";

type Data = { readonly refund: ShownRefund; readonly form: RefundForm };

/** `/admin/refunds/:id`: what was requested, the result, and the decision. */
export const refundScreen = screen<Data>({
  path: "/admin/refunds/:id",
  right: "donations.see",
  section: "donations",
  async load(reads, { params, staff }) {
    const refund = await reads.findRefund(params.id ?? "");
    if (refund === null) return null;
    const asking = { staffId: staff!.id, amountCents: refund.amountCents };
    const form = await reads.readRefundForm(refund.of, asking);
    return form === null ? null : { refund, form };
  },
  title: ({ refund }) => `Refund of ${refund.of.reference}`,
  body: ({ refund, form }, request) => (
    <>
      <PageHead
        title={refund.request?.isReversal ? "Reversal" : "Refund"}
        about={<About of={refund.of} />}
        crumbs={[
          { label: "Refunds", path: "/admin/refunds" },
          { label: refund.of.reference, path: `${subjectPaths[refund.of.kind]}/${refund.of.id}` },
        ]}
      >
        {isWaiting(refund) && refund.request!.by.id !== request.staff?.id && mayRefund(request.staff) && (
          <a className="btn narrow" href="#h-decision">
            Approve or decline
          </a>
        )}
      </PageHead>
      <UnshownFormMessage request={request} shown={listForms({ refund, form, request })} />
      <p className="money">
        <span className="amt">{formatDollars(refund.amountCents)}</span>
        <RefundStatus refund={refund} />
      </p>
      <p className="refund-told">{describeRefund(refund).text}</p>
      <div className="split">
        <div className="refund-facts">
          {isWaiting(refund) && <Outlook refund={refund} form={form} />}
          <History refund={refund} />
        </div>
        <div>
          {isWaiting(refund) && <Decision refund={refund} form={form} request={request} />}
          {needsHand(refund) && <ByHand refund={refund} request={request} />}
          <RefundedPanel {...form} />
        </div>
      </div>
    </>
  ),
});

/** What it is a refund of, and who paid. */
export function About({ of }: { of: ShownRefund["of"] }) {
  const name = <bdi>{of.payerName ?? subjectWords[of.kind].nobody}</bdi>;
  return of.kind === "donation" ? (
    <>
      Of donation {of.reference}, {name}
    </>
  ) : (
    <>
      Of ticket order {of.reference} for <bdi>{of.event}</bdi>, {name}
    </>
  );
}

const isWaiting = ({ request }: ShownRefund) => request !== null && request.decision === null;
const needsHand = ({ refund }: ShownRefund) => refund?.state === "failed" && refund.byHand === null;
const mayRefund = (staff: StaffMember | null) => staff !== null && hasRight(staff, "refunds.make");

/** Whether approving is possible as far as this screen knows; the server decides. */
const isPossible = ({ refund, form }: Data) =>
  refund.amountCents <= form.leftCents && form.payment !== null && form.payment.state !== "disputed";

/** The forms of the screen, by the ends of their addresses. */
function listForms({ refund, form, request }: DecisionProps): readonly string[] {
  const isMine = refund.request?.by.id === request.staff?.id;
  const decisions = isMine ? ["withdraw"] : ["decline", ...(isPossible({ refund, form }) ? ["approve"] : [])];
  return [...(isWaiting(refund) ? decisions : []), ...(needsHand(refund) ? ["by-hand"] : [])];
}

function Outlook({ refund: { amountCents, request, reason }, form }: Data) {
  const { leftCents } = form;
  const isMuch = amountCents > leftCents;
  return (
    <section aria-labelledby="h-outlook">
      <div className="sec-h">
        <h2 id="h-outlook">What happens if it is approved</h2>
      </div>
      {isMuch ? (
        <Note look="warn" title="Not enough is left">
          {formatDollars(request!.leftCents)} was left when this was requested. {formatDollars(leftCents)} is left now,
          so this cannot be approved.
        </Note>
      ) : (
        <dl className="kv">
          <div>
            <dt>Why</dt>
            <dd dir="auto">{reason}</dd>
          </div>
          {(request!.isReversal
            ? describeReversalEffects(form)
            : describeEffects(form, amountCents, request!.tickets)
          ).map(({ title, text }) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

/** Who asked, who decided, and what the provider did, the latest first. */
function History({ refund: shown }: { refund: ShownRefund }) {
  const { request, refund } = shown;
  const name = providerNames[shown.payment.provider];
  const done = refund?.settledAt ?? null;
  return (
    <section aria-labelledby="h-history">
      <div className="sec-h">
        <h2 id="h-history">What happened</h2>
      </div>
      <ol className="tl">
        {refund?.byHand && (
          <Step icon="note" at={refund.byHand.at} quote={refund.byHand.note}>
            <bdi>{refund.byHand.by}</bdi> noted that it was dealt with by hand.
          </Step>
        )}
        {done !== null && (
          <Step icon={refund!.state === "succeeded" ? "back" : "alert"} at={done}>
            {describeRefund({ ...shown, refund: { ...refund!, byHand: null } }).label}{" "}
            {request?.isReversal ? "on our books" : `at ${name}`}, our reference {refund!.reference}.
          </Step>
        )}
        {request?.decidedAt && request.decision !== "alone" && (
          <Step
            icon={request.decision === "approved" ? "tick" : "x"}
            at={request.decidedAt}
            quote={request.decisionReason}
          >
            <bdi>{request.decidedBy!.name}</bdi> {decided[request.decision!]}
          </Step>
        )}
        <Step icon="back" at={shown.at} quote={shown.reason}>
          <bdi>{nameRequester(shown)}</bdi>{" "}
          {request?.isReversal
            ? `${request.decision === "alone" ? "reversed" : "requested to reverse"} ${formatDollars(shown.amountCents)}.`
            : request === null || request.decision === "alone"
              ? `${refund?.state === "succeeded" ? "refunded" : "asked to refund"} ${formatDollars(shown.amountCents)} of ${formatDollars(shown.of.totalCents)}.`
              : `requested a refund of ${formatDollars(shown.amountCents)}. ${formatDollars(request.leftCents)} was left.`}
        </Step>
      </ol>
    </section>
  );
}

const decided = {
  alone: "",
  approved: "approved it.",
  declined: "declined it. Nothing was refunded.",
  withdrawn: "withdrew it. Nothing was refunded.",
} as const;

function Step({ icon, at, quote = "", children }: { icon: IconName; at: Date; quote?: string; children: ReactNode }) {
  return (
    <li>
      <span className="dot">
        <Icon name={icon} />
      </span>
      <div>
        <p>{children}</p>
        {quote !== "" && (
          <p className="d" dir="auto">
            “{quote}”
          </p>
        )}
      </div>
      <time dateTime={at.toISOString()}>{formatWhen(at)}</time>
    </li>
  );
}

type DecisionProps = Data & { readonly request: ScreenRequest };

/** Two stars: who asked, and who decides. */
function Decision({ refund, form, request }: DecisionProps) {
  const { by } = refund.request!;
  const { staff } = request;
  const isMine = by.id === staff?.id;
  const others = form.others.filter((name) => name !== by.name);
  return (
    <section className="panel" aria-labelledby="h-decision">
      <h2 id="h-decision">Two people</h2>
      <ol className="hands">
        <li>
          <Initials name={by.name} />
          <span>
            {isMine ? (
              <b>You</b>
            ) : (
              <b>
                <bdi>{by.name}</bdi>
              </b>
            )}{" "}
            requested it
            <small>{formatWhen(refund.at)}</small>
          </span>
        </li>
        <li>
          <span className="hole" aria-hidden="true" />
          <span>
            {isMine || !mayRefund(staff) ? (
              "Someone else decides"
            ) : (
              <>
                <b>You</b> can decide
              </>
            )}
            {others.length > 0 && (
              <small>
                {isMine || !mayRefund(staff) ? "" : "Or "}
                <bdi>{formatList(others, "or")}</bdi>
              </small>
            )}
          </span>
        </li>
      </ol>
      {isMine ? (
        <Withdraw refund={refund} form={form} request={request} />
      ) : (
        mayRefund(staff) && <Decide refund={refund} form={form} request={request} />
      )}
    </section>
  );
}

function Withdraw({ refund, form, request }: DecisionProps) {
  return (
    <div className="stack">
      <button className="btn wide" type="button" aria-disabled="true" aria-describedby="own">
        Approve
      </button>
      <p className="hint" id="own">
        You requested this, so someone else has to approve it.
      </p>
      {form.others.length === 0 && (
        <Note look="warn" title="Nobody else may approve it">
          An administrator must invite another person, or give somebody a role that may make refunds.
        </Note>
      )}
      <ActionForm action={`/admin/refunds/${refund.id}/withdraw`} id="withdraw" request={request}>
        <button className="btn quiet wide" type="submit">
          Withdraw the request
        </button>
      </ActionForm>
    </div>
  );
}

function Decide({ refund, form, request }: DecisionProps) {
  const path = `/admin/refunds/${refund.id}`;
  const isOpen = isPossible({ refund, form });
  return (
    <div className="stack">
      {isOpen ? (
        <ActionForm action={`${path}/approve`} id="approve" request={request}>
          <button className="btn final wide" type="submit">
            Approve and {refund.request?.isReversal ? "reverse" : "refund"} {formatDollars(refund.amountCents)}
          </button>
        </ActionForm>
      ) : (
        <>
          <button className="btn wide" type="button" aria-disabled="true" aria-describedby="impossible">
            Approve
          </button>
          <p className="hint" id="impossible">
            {form.payment?.state === "disputed"
              ? refusalWords[refund.of.kind].disputed
              : `Only ${formatDollars(form.leftCents)} is left.`}
          </p>
        </>
      )}
      {isOpen && (
        <p className="hint">
          This cannot be undone{refund.request?.isReversal ? "." : " once the money is on its way."}
        </p>
      )}
      <ActionForm action={`${path}/decline`} id="decline" request={request} className="stack">
        <TextArea name="reason" label="Why not" hint="Whoever requested it can read this." rows={2} />
        <button className="btn quiet wide" type="submit">
          Decline
        </button>
      </ActionForm>
    </div>
  );
}

function ByHand({ refund, request }: Pick<DecisionProps, "refund" | "request">) {
  if (!mayRefund(request.staff)) return null;
  return (
    <section className="panel" aria-labelledby="h-hand">
      <h2 id="h-hand">What now</h2>
      <p>
        <a href={`${subjectPaths[refund.of.kind]}/${refund.of.id}/refund`}>Refund again</a>, or pay{" "}
        {refund.of.kind === "donation" ? "the donor" : "the buyer"} by hand and note it here. The ledger will not show
        it: tell whoever keeps the accounts.
      </p>
      <ActionForm action={`/admin/refunds/${refund.id}/by-hand`} id="by-hand" request={request} className="stack">
        <TextArea name="note" label="What was done" rows={2} />
        <button className="btn quiet wide" type="submit">
          Note that it is dealt with
        </button>
      </ActionForm>
    </section>
  );
}

import type { DescribedAct } from "#admin/acts.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { Acts } from "#admin/ui/acts.tsx";
import { ActionForm, TextField } from "#admin/ui/form.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { Status } from "#admin/ui/status.tsx";
import { formatDollars } from "#shared/language.ts";
import type { Cause, SetPrice } from "../../server/find-cause.ts";
import { CATALOGUE_PATH, causeScreenPath } from "./catalogue-step.ts";
import { suggestedText, wordsOf } from "./cause-actions.ts";
import { KindsPanel } from "./kinds-panel.tsx";
import { mayChangeCatalogue } from "./may-change.ts";
import { PricesPanel } from "./prices-panel.tsx";
import { ReceiptFields } from "./receipt-fields.tsx";

type Shown = {
  readonly cause: Cause;
  readonly prices: readonly SetPrice[];
  readonly acts: readonly DescribedAct[];
  readonly now: Date;
};

export const causeScreen = screen<Shown>({
  path: `${CATALOGUE_PATH}/:id`,
  right: "catalogue.see",
  section: "content",
  load: async ({ findCause, listActs, now }, { params }) => {
    const found = await findCause(params.id!);
    if (found === null) return null;
    return { ...found, acts: await listActs({ subject: "catalogue", subjectId: params.id! }), now: now() };
  },
  title: ({ cause }) => cause.title,
  body: (shown, request) => <CauseBody shown={shown} request={request} />,
});

function CauseBody({ shown: { cause, prices, acts, now }, request }: { shown: Shown; request: ScreenRequest }) {
  const isEditor = mayChangeCatalogue(request);
  return (
    <>
      <PageHead
        title={<bdi>{cause.title}</bdi>}
        about={
          <>
            <Status look={cause.isRetired ? "off" : "ok"}>{cause.isRetired ? "Not on offer" : "On offer"}</Status>{" "}
            <span className="small muted">In the books and in addresses: {cause.fund}</span>
          </>
        }
        crumbs={[{ label: "What donors give to", path: CATALOGUE_PATH }]}
      />
      <div className="split">
        <div>
          {isEditor ? <WordsForm cause={cause} request={request} /> : <Words cause={cause} />}
          {cause.hasKinds && <KindsPanel cause={cause} request={request} isEditor={isEditor} />}
          {!cause.isFree && (
            <PricesPanel cause={cause} prices={prices} request={request} now={now} isEditor={isEditor} />
          )}
        </div>
        <aside aria-label="Receipt and state">
          {isEditor && <ReceiptPanel cause={cause} request={request} />}
          {isEditor && <StatePanel cause={cause} request={request} />}
          <section className="panel" aria-labelledby="history">
            <h2 id="history">What was changed</h2>
            <Acts acts={acts} now={now} nothing="Nothing has been changed yet." />
          </section>
        </aside>
      </div>
    </>
  );
}

function Words({ cause }: { cause: Cause }) {
  return (
    <section className="panel" aria-label="Words">
      <WordsList cause={cause} />
    </section>
  );
}

function WordsList({ cause: { title, description, isFree, hasQuantity, ...cause } }: { cause: Cause }) {
  return (
    <dl className="kv wide">
      <div>
        <dt>Title</dt>
        <dd>
          <bdi>{title}</bdi>
        </dd>
      </div>
      <div>
        <dt>Description</dt>
        <dd>{description === "" ? <span className="muted">Nothing</span> : <bdi>{description}</bdi>}</dd>
      </div>
      {isFree && !hasQuantity && (
        <div>
          <dt>Suggested amounts</dt>
          <dd>{cause.suggestedCents.map((cents) => formatDollars(cents)).join(", ") || "None"}</dd>
        </div>
      )}
    </dl>
  );
}

function WordsForm({ cause, request }: { cause: Cause; request: ScreenRequest }) {
  const { form } = request;
  const was = form?.action === causeScreenPath(cause) ? form.values.was?.[0] : undefined;
  return (
    <ActionForm action={causeScreenPath(cause)} id="words" request={request} className="settings-form">
      <input type="hidden" name="was" value={wordsOf(cause)} />
      {was !== undefined && was !== wordsOf(cause) && (
        <section className="panel" aria-labelledby="theirs">
          <h2 id="theirs">Saved in the meantime</h2>
          <WordsList cause={cause} />
        </section>
      )}
      <TextField
        name="title"
        label="Title"
        hint="On the donation form and on new receipts. Issued receipts keep the title they have."
        defaultValue={cause.title}
      />
      <TextField
        name="description"
        label="Description"
        hint="A sentence below the choice."
        isOptional
        defaultValue={cause.description}
      />
      {cause.isFree && !cause.hasQuantity && (
        <TextField
          name="suggested"
          label="Suggested amounts"
          hint="In dollars, with commas between. Donors can always enter another amount."
          isOptional
          defaultValue={suggestedText(cause)}
        />
      )}
      <div className="acts">
        <button className="btn" type="submit">
          Save
        </button>
      </div>
    </ActionForm>
  );
}

function ReceiptPanel({ cause, request }: { cause: Cause; request: ScreenRequest }) {
  return (
    <section className="panel" aria-labelledby="receipt">
      <h2 id="receipt">Receipt and fee</h2>
      <ActionForm action={`${causeScreenPath(cause)}/receipt`} id="receipt-form" request={request}>
        <ReceiptFields receiptKind={cause.receiptKind} hasAdminFee={cause.hasAdminFee} />
        <p className="hint">This applies to donations from then on. Saving asks for your passkey.</p>
        <button className="btn quiet" type="submit">
          Save receipt and fee
        </button>
      </ActionForm>
    </section>
  );
}

function StatePanel({ cause, request }: { cause: Cause; request: ScreenRequest }) {
  const [path, label, text] = cause.isRetired
    ? (["bring-back", "Bring it back", "Donors can choose it again, as it was."] as const)
    : (["retire", "Take it out", "Donors can then no longer choose it. Books and receipts keep it."] as const);
  return (
    <section className="panel" aria-labelledby="state">
      <h2 id="state">{cause.isRetired ? "Not on offer" : "On offer"}</h2>
      <ActionForm action={`${causeScreenPath(cause)}/${path}`} id="state-form" request={request}>
        <p className="small">{text}</p>
        <button className={cause.isRetired ? "btn quiet" : "btn danger"} type="submit">
          {label}
        </button>
      </ActionForm>
    </section>
  );
}

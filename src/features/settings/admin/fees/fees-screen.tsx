import type { DescribedAct } from "#admin/acts.ts";
import { hasRight } from "#admin/rights.ts";
import { type FilledForm, type ScreenRequest, screen } from "#admin/screen.ts";
import { Acts } from "#admin/ui/acts.tsx";
import { ActionForm, TextField } from "#admin/ui/form.tsx";
import { Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { type FeeName, type Fees, type FeeValues, feeNames, listFees, percentText } from "#payments/fees.ts";
import { formatDollars } from "#shared/language.ts";
import { shareOf } from "#shared/money.ts";
import { checkedText, FEES_PATH, type FeesVersion, feeLabels, readFees } from "./fees-part.ts";

type Shown = {
  readonly version: FeesVersion;
  readonly delivered: Fees;
  readonly acts: readonly DescribedAct[];
  readonly now: Date;
};

export const feesScreen = screen<Shown>({
  path: FEES_PATH,
  right: "settings.see",
  section: "settings",
  menuLabel: "Fees",
  load: async ({ readFees, deliveredFees, listActs, now }) => {
    const [version, acts] = await Promise.all([readFees(), listActs([{ subject: "fees", subjectId: "fees" }])]);
    return { version, delivered: deliveredFees, acts, now: now() };
  },
  title: () => "Fees",
  body: (shown, request) => <FeesBody shown={shown} request={request} />,
});

function FeesBody({ shown: { version, delivered, acts, now }, request }: { shown: Shown; request: ScreenRequest }) {
  const mayChange = request.staff !== null && hasRight(request.staff, "settings.change");
  return (
    <>
      <PageHead
        title="Fees"
        about="What donors pay on top of their gift. The form says so before they pay, and receipts show it."
      />
      {findChecked(request.form) === null && (
        <section className="panel" aria-labelledby="today">
          <h2 id="today">What donors pay now</h2>
          <Examples fees={version.fees} />
        </section>
      )}
      {mayChange && (
        <section className="panel" aria-labelledby="change">
          <h2 id="change">Change the fees</h2>
          <FeesForm version={version} delivered={listFees(delivered)} request={request} />
        </section>
      )}
      <section className="panel" aria-labelledby="history">
        <h2 id="history">What was changed</h2>
        <Acts
          acts={acts}
          now={now}
          nothing="Nothing has been changed yet: the fees are those of the server’s settings."
        />
      </section>
    </>
  );
}

const hints: Readonly<Record<FeeName, string>> = {
  admin: "For your running costs. Donors may leave it out. It applies to the causes that take it.",
  card: "Charged to everybody who pays by card, on the gift and the fee above.",
  paypal: "Charged to everybody who pays by PayPal, on the gift and the fee above.",
};

function FeesForm({
  version,
  delivered,
  request,
}: {
  version: FeesVersion;
  delivered: FeeValues;
  request: ScreenRequest;
}) {
  const checked = findChecked(request.form);
  return (
    <ActionForm action={FEES_PATH} id="fees" request={request} className="settings-form">
      <input type="hidden" name="from" value={version.number} />
      {feeNames.map((name) => (
        <TextField
          name={name}
          label={`${feeLabels[name]}, per cent`}
          hint={`${hints[name]} Now ${percentText(version.fees[name])}; the server’s settings say ${percentText(delivered[name])}.`}
          inputMode="decimal"
          defaultValue={percentText(version.fees[name])}
          key={name}
        />
      ))}
      <Note look="warn" title="Card surcharges are restricted in Australia">
        Since 1 October 2026 a fee charged only to people who pay by card may not be allowed. Ask your adviser first.
      </Note>
      {checked !== null && (
        <section aria-labelledby="then">
          <h3 id="then">What donors will pay</h3>
          <Examples fees={checked} before={version.fees} />
          <input type="hidden" name="checked" value={checkedText(checked)} />
        </section>
      )}
      <p className="hint">
        Saving asks for your passkey. People who are filling in the form now see the new total before anything is
        charged.
      </p>
      <div className="acts">
        <button className="btn" type="submit">
          {checked === null ? "Show what donors will pay" : "Save these fees"}
        </button>
        {checked !== null && (
          <a className="btn quiet" href={FEES_PATH}>
            Leave them as they are
          </a>
        )}
      </div>
    </ActionForm>
  );
}

/** The fees to be confirmed, once they have been typed. */
function findChecked(form: FilledForm | null): FeeValues | null {
  if (form?.state !== "checking") return null;
  const typed = readFees(Object.fromEntries(feeNames.map((name) => [name, form.values[name]?.[0]])));
  return feeNames.some((name) => typed[name] === undefined) ? null : (typed as FeeValues);
}

const GIFT_CENTS = 10_000;
const methods = ["card", "paypal"] as const;

/** What a gift of $100 comes to, by each way to pay, with and without the admin fee. */
function Examples({ fees, before }: { fees: FeeValues; before?: FeeValues }) {
  const rows = methods.flatMap((way) => [true, false].map((covers) => ({ way, covers })));
  return (
    <div className="tw">
      <table className="cards">
        <caption className="sr">What a gift of {formatDollars(GIFT_CENTS)} comes to</caption>
        <thead>
          <tr>
            <th scope="col">A gift of {formatDollars(GIFT_CENTS)}</th>
            <th scope="col" className="num">
              Admin fee
            </th>
            <th scope="col" className="num">
              Merchant fee
            </th>
            <th scope="col" className="num">
              Charged
            </th>
            {before && (
              <th scope="col" className="num">
                Until now
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ way, covers }) => {
            const { admin, payment, total } = example(fees, way, covers);
            return (
              <tr key={`${way}-${covers}`}>
                <th scope="row">
                  {way === "card" ? "By card" : "By PayPal"}, {covers ? "with" : "without"} the admin fee
                </th>
                <td className="num" data-l="Admin fee">
                  {formatDollars(admin)}
                </td>
                <td className="num" data-l="Merchant fee">
                  {formatDollars(payment)}
                </td>
                <td className="num" data-l="Charged">
                  <b>{formatDollars(total)}</b>
                </td>
                {before && (
                  <td className="num" data-l="Until now">
                    {formatDollars(example(before, way, covers).total)}
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function example(fees: FeeValues, way: (typeof methods)[number], covers: boolean) {
  const admin = covers ? shareOf(GIFT_CENTS, fees.admin) : 0;
  const payment = shareOf(GIFT_CENTS + admin, fees[way]);
  return { admin, payment, total: GIFT_CENTS + admin + payment };
}

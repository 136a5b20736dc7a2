import type { ScreenRequest } from "#admin/screen.ts";
import { ActionForm, SelectField, TextField } from "#admin/ui/form.tsx";
import { Note } from "#admin/ui/note.tsx";
import { Status, type StatusLook } from "#admin/ui/status.tsx";
import { dayInSydney, formatDay, formatDollars } from "#shared/language.ts";
import { type PriceState, statesOf } from "../../catalogue.ts";
import type { Cause, SetPrice } from "../../server/find-cause.ts";
import { causeScreenPath } from "./catalogue-step.ts";

type Props = {
  readonly cause: Cause;
  readonly prices: readonly SetPrice[];
  readonly request: ScreenRequest;
  readonly now: Date;
  readonly isEditor: boolean;
};

/** The prices that were set, each with the day from which it applies, and the form for a new one. */
export function PricesPanel({ cause, prices, request, now, isEditor }: Props) {
  const today = dayInSydney(now);
  return (
    <section className="panel" aria-labelledby="prices">
      <h2 id="prices">Prices</h2>
      {prices.length === 0 ? (
        <p className="muted">No price has changed since the cause was added.</p>
      ) : (
        <PricesTable cause={cause} prices={prices} today={today} isEditor={isEditor} />
      )}
      {request.form?.action.endsWith("/withdraw") && request.form.message && (
        <Note look="bad" isNews>
          {request.form.message}
        </Note>
      )}
      {isEditor && <PriceForm cause={cause} request={request} today={today} />}
    </section>
  );
}

const looks: Readonly<Record<PriceState, { readonly text: string; readonly look: StatusLook }>> = {
  holds: { text: "Applies now", look: "ok" },
  "to come": { text: "To come", look: "act" },
  past: { text: "Past", look: "off" },
  withdrawn: { text: "Withdrawn", look: "off" },
};

type TableProps = Pick<Props, "cause" | "prices" | "isEditor"> & { readonly today: string };

function PricesTable({ cause, prices, today, isEditor }: TableProps) {
  const states = statesOf(prices, today);
  return (
    <div className="tw">
      <table className="cards">
        <caption className="sr">Prices set so far</caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            {cause.hasKinds && <th scope="col">Kind</th>}
            <th scope="col" className="num">
              Price
            </th>
            <th scope="col">State</th>
            <th scope="col">Set by</th>
          </tr>
        </thead>
        <tbody>
          {prices.map((price) => {
            const state = states.get(price.id)!;
            return (
              <tr data-id={price.id} key={price.id}>
                <th scope="row" className="k-c">
                  {formatDay(price.holdsFrom)}
                </th>
                {cause.hasKinds && (
                  <td className="m-c" data-l="Kind">
                    <bdi>{price.kind}</bdi>
                  </td>
                )}
                <td className="m-c num" data-l="Price">
                  {formatDollars(price.cents)}
                </td>
                <td className="s-c">
                  <Status look={looks[state].look}>{looks[state].text}</Status>
                  {isEditor && state === "to come" && (
                    <form
                      method="post"
                      action={`${causeScreenPath(cause)}/prices/${price.id}/withdraw`}
                      className="row-acts"
                    >
                      <button
                        className="lk"
                        type="submit"
                        aria-label={`Withdraw the price from ${formatDay(price.holdsFrom)}`}
                      >
                        Withdraw
                      </button>
                    </form>
                  )}
                </td>
                <td className="m-c" data-l="Set by">
                  <bdi>{price.setBy}</bdi>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function PriceForm({ cause, request, today }: { cause: Cause; request: ScreenRequest; today: string }) {
  const offered = cause.kinds.filter(({ isRetired }) => !isRetired);
  return (
    <ActionForm action={`${causeScreenPath(cause)}/prices`} id="new-price" request={request} className="new-price">
      <h3>A new price</h3>
      <div className="frow">
        {cause.hasKinds && (
          <SelectField
            name="kind"
            label="Kind"
            options={[
              { value: "", label: "Choose one" },
              ...offered.map(({ id, title }) => ({ value: String(id), label: title })),
            ]}
          />
        )}
        <TextField name="dollars" label="Price of one" prefix="$" inputMode="decimal" />
        <TextField name="from" label="Applies from" type="date" min={today} defaultValue={today} />
      </div>
      <p className="hint">
        It applies from midnight in Sydney, or immediately if you choose today. Donors who have the form open then are
        asked to choose again, and nothing is charged. Setting it asks for your passkey.
      </p>
      <button className="btn quiet" type="submit">
        Set this price
      </button>
    </ActionForm>
  );
}

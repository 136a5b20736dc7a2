import { paths } from "#shared/paths.ts";
import { Field } from "#shared/ui/form-field.tsx";
import { Icon } from "#shared/ui/icon.tsx";
import { rangeField } from "../../contract.ts";
import { bothDatesNeeded, type DayRange, type History, summaryRedirect } from "../../history.ts";
import { HistoryTable } from "./history-table.tsx";

type HistoryPageProps = { readonly history: History; readonly isEmailConfirmed: boolean };

/** The donation history: links and one form, which work without scripts (PRO-7, PRO-8). */
export function HistoryPage({ history, isEmailConfirmed }: HistoryPageProps) {
  const { rows, fault, range } = history;
  return (
    <>
      <h1>Donation History</h1>
      <Years history={history} />
      <RangeForm history={history} />
      <div id="donations" className="history-list">
        {rows.length > 0 ? (
          <HistoryTable page={history} addressOf={(place) => historyAddress(range, place)} />
        ) : (
          fault === null && <NothingThere isWholeTime={range.from === "" && range.to === ""} />
        )}
      </div>
      {!isEmailConfirmed && (
        <p className="muted" data-unconfirmed="">
          Have you donated as a guest with this email? <a href={paths.profile}>Confirm it in My Profile</a> to see those
          donations here too.
        </p>
      )}
    </>
  );
}

function historyAddress({ from, to }: DayRange, place: Record<string, string> = {}): string {
  const days = { ...(from === "" ? {} : { [rangeField.from]: from }), ...(to === "" ? {} : { [rangeField.to]: to }) };
  const query = new URLSearchParams({ ...days, ...place }).toString();
  return query === "" ? paths.donationHistory : `${paths.donationHistory}?${query}`;
}

function Years({ history: { range, years } }: Pick<HistoryPageProps, "history">) {
  const [thisYear, lastYear] = years;
  const choices = [
    { label: "This financial year", days: thisYear! },
    { label: "Last financial year", days: lastYear! },
    { label: "All", days: { from: "", to: "" } },
  ];
  return (
    <nav className="row history-years" aria-label="Period">
      {choices.map(({ label, days }) => {
        const isShown = days.from === range.from && days.to === range.to;
        return (
          <a key={label} href={historyAddress(days)} aria-current={isShown ? "true" : undefined}>
            {label}
          </a>
        );
      })}
    </nav>
  );
}

function RangeForm({ history: { range, fault, pdfFault } }: Pick<HistoryPageProps, "history">) {
  const isReady = range.from !== "" && range.to !== "" && fault === null;
  const wrong = fault ?? pdfFault;
  const days = {
    className: "input",
    type: "date",
    min: "1900-01-01",
    max: "2099-12-31",
    "aria-describedby": "history-why",
    "aria-invalid": fault === null ? undefined : true,
  };
  return (
    <form className="history-range" action={paths.donationHistory} noValidate data-enhance="history-range">
      <Field id="startDate" label="Start date">
        <input {...days} id="startDate" name={rangeField.from} defaultValue={range.from} />
      </Field>
      <Field id="endDate" label="End date">
        <input {...days} id="endDate" name={rangeField.to} defaultValue={range.to} />
      </Field>
      <div className="acts">
        <button className="btn btn-quiet" type="submit">
          Show
        </button>
        <button
          className="btn"
          type="submit"
          formAction={summaryRedirect}
          formTarget="_blank"
          aria-disabled={!isReady}
          aria-describedby="history-why"
        >
          <Icon name="down" />
          Download PDF
          <span className="sr"> (opens in a new tab)</span>
        </button>
      </div>
      <p className={wrong === null ? "why" : "why err"} id="history-why" aria-live="polite">
        {wrong ?? (isReady ? "" : bothDatesNeeded)}
      </p>
    </form>
  );
}

function NothingThere({ isWholeTime }: { isWholeTime: boolean }) {
  return (
    <div className="empty">
      <img src="/identity/illustrations/spot-empty-history.svg" alt="" width={320} height={320} />
      {isWholeTime ? (
        <>
          <p>You haven’t donated yet. Your donations and their receipts will appear here.</p>
          <a className="btn btn-cta" href={paths.donation}>
            Donate
          </a>
        </>
      ) : (
        <>
          <p>You have no donations in this period.</p>
          <a className="btn btn-quiet" href={paths.donationHistory}>
            Show all donations
          </a>
        </>
      )}
    </div>
  );
}

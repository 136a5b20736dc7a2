import { hasRight } from "#admin/rights.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { addressWith } from "#admin/ui/filters.tsx";
import { ActionForm, TextField } from "#admin/ui/form.tsx";
import { Empty, Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { formatNumber, plural } from "#shared/language.ts";
import { type JournalFormat, journalFormats } from "../journal-formats.ts";
import { ACCOUNTS_PATH } from "./accounts-part.ts";
import type { journalReads } from "./journal-part.ts";
import { shortDay, shortTime } from "./shown-times.ts";

const PATH = "/admin/journal";

type Journals = Awaited<ReturnType<ReturnType<typeof journalReads>["readJournals"]>>;

export const journalScreen = screen({
  path: PATH,
  right: "exports.make",
  section: "donations",
  menuLabel: "Journal",
  load: ({ readJournals }) => readJournals(),
  title: () => "Journal",
  body: (journals, request) => (
    <>
      <PageHead title="Journal for accounts" about={describeWaiting(journals)} />
      {!journals.isWhole && (
        <Note look="warn">The newest entries are still being counted. Reload this page in a few minutes.</Note>
      )}
      <div className="split">
        <Batches batches={journals.batches} />
        <aside>
          <MakeForm journals={journals} request={request} />
        </aside>
      </div>
      <Accounts accounts={journals.accounts} />
    </>
  ),
});

function describeWaiting({ waiting: { days, corrections } }: Journals): string {
  if (days === 0) return "Every past day has been exported, and nothing has changed since.";
  const fresh = plural(days, {
    one: "One day is still to be exported",
    other: `${formatNumber(days)} days are still to be exported`,
  });
  if (corrections === 0) return `${fresh}. A day is exported once.`;
  return plural(corrections, {
    one: `${fresh}; one of them corrects a day that was exported before.`,
    other: `${fresh}; ${formatNumber(corrections)} of them correct days that were exported before.`,
  });
}

function MakeForm({
  journals: { waiting, yesterday, lastMonth },
  request,
}: {
  journals: Journals;
  request: ScreenRequest;
}) {
  if (request.staff === null || !hasRight(request.staff, "exports.make")) return null;
  return (
    <section className="panel" aria-labelledby="make">
      <h2 id="make">Make the next journal</h2>
      <ActionForm action={`${PATH}/make`} id="journal" request={request}>
        <TextField
          name="from"
          label="First day"
          type="date"
          defaultValue={waiting.firstDay ?? lastMonth.first}
          required
        />
        <TextField
          name="to"
          label="Last day"
          hint="Days that were exported before are left out. What has changed of them since becomes a correction."
          type="date"
          defaultValue={yesterday}
          max={yesterday}
          required
        />
        <div className="acts">
          <button className="btn" type="submit">
            Make the journal
          </button>
        </div>
      </ActionForm>
    </section>
  );
}

function Batches({ batches }: { batches: Journals["batches"] }) {
  if (batches.length === 0) {
    return (
      <Empty title="No journal yet">
        <p>A journal has one balanced set of lines for each day, ready for your accounting program.</p>
      </Empty>
    );
  }
  return (
    <div className="tw">
      <table className="cards">
        <caption className="sr">Exported journals, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Days</th>
            <th scope="col">Made</th>
            <th scope="col" className="num">
              Journals
            </th>
            <th scope="col" className="num">
              Lines
            </th>
            <th scope="col">Files</th>
          </tr>
        </thead>
        <tbody>
          {batches.map((batch) => (
            <BatchRow batch={batch} key={batch.id} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function BatchRow({ batch }: { batch: Journals["batches"][number] }) {
  const { id, firstDay, lastDay, madeAt, madeBy, days, corrections, lines, files } = batch;
  return (
    <tr id={`journal-${id}`} data-id={id}>
      <th scope="row" className="k-c">
        {shortDay(firstDay)} to {shortDay(lastDay)}
      </th>
      <td className="w-c">
        {shortTime(madeAt)}
        <span className="two-l">
          by <bdi>{madeBy}</bdi>
        </span>
      </td>
      <td className="num v-c" data-l="Journals">
        {formatNumber(days)}
        {corrections > 0 && (
          <span className="two-l">
            {plural(corrections, { one: "one correction", other: `${formatNumber(corrections)} corrections` })}
          </span>
        )}
      </td>
      <td className="num m-c" data-l="Lines">
        {formatNumber(lines)}
      </td>
      <td className="w-c">
        <ul>
          {(Object.keys(journalFormats) as JournalFormat[]).map((format) => (
            <Files id={id} format={format} count={format === "xero" ? files : 1} key={format} />
          ))}
        </ul>
      </td>
    </tr>
  );
}

/** Links to a journal's files in one format. */
function Files({ id, format, count }: { id: number; format: JournalFormat; count: number }) {
  const { label } = journalFormats[format];
  const names =
    count > 1 ? Array.from({ length: count }, (_, index) => `${label}, file ${index + 1} of ${count}`) : [label];
  return names.map((name, index) => (
    <li key={name}>
      <a
        href={addressWith(`${PATH}.csv`, {
          format,
          batch: String(id),
          file: index === 0 ? undefined : String(index + 1),
        })}
      >
        {name}
      </a>
    </li>
  ));
}

function Accounts({ accounts }: { accounts: Journals["accounts"] }) {
  return (
    <section className="sec" aria-labelledby="accounts">
      <div className="sec-h">
        <h2 id="accounts">Accounts</h2>
        <p>
          Let your accountant confirm these before the first journal. <a href={ACCOUNTS_PATH}>Change the accounts</a>
        </p>
      </div>
      <div className="tw">
        <table className="cards">
          <caption className="sr">Accounts of the journal</caption>
          <thead>
            <tr>
              <th scope="col">Account</th>
              <th scope="col">Code</th>
              <th scope="col">Tax in Xero</th>
            </tr>
          </thead>
          <tbody>
            {[...accounts].map(([account, { code, name, tax }]) => (
              <tr data-id={account} key={account}>
                <th scope="row" className="k-c">
                  {name}
                </th>
                <td className="v-c" data-l="Code">
                  {code}
                </td>
                <td className="m-c" data-l="Tax">
                  {tax}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

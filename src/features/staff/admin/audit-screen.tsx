import { screen } from "#admin/screen.ts";
import { ActDetails, ActSentence } from "#admin/ui/acts.tsx";
import {
  AppliedFilters,
  addressWith,
  Filters,
  Pager,
  SearchFilter,
  SelectFilter,
  TypedFilter,
} from "#admin/ui/filters.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { Empty } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { When } from "#admin/ui/when.tsx";
import type { AuditView } from "./audit.ts";

const PATH = "/admin/audit";

type Shown = AuditView & { readonly now: Date };

export const auditScreen = screen<Shown>({
  path: PATH,
  right: "audit.see",
  section: "settings",
  menuLabel: "Audit trail",
  load: async (reads, { query }) => ({ ...(await reads.readAudit(query, reads)), now: reads.now() }),
  title: () => "Audit trail",
  body: (view) => (
    <>
      <PageHead
        title="Audit trail"
        about="Who did what, when and from where. It can be read and exported, never changed."
      >
        <a className="btn quiet" href={addressWith(`${PATH}.csv`, view.texts)}>
          <Icon name="down" />
          Export as CSV
        </a>
      </PageHead>
      <AuditFilters view={view} />
      {view.acts.length === 0 ? <NothingFound view={view} /> : <Trail view={view} />}
      <Pager
        label="Pages of the audit trail"
        newer={pageAddress(view, "after", view.newerThan)}
        older={pageAddress(view, "before", view.olderThan)}
      />
    </>
  ),
});

function pageAddress({ texts }: Shown, name: "before" | "after", id: number | null): string | null {
  return id === null ? null : addressWith(PATH, { ...texts, [name]: String(id) });
}

function AuditFilters({ view: { texts, errors, people, groups } }: { view: Shown }) {
  const who = [
    { value: "", label: "Everybody" },
    ...people.map(({ id, name }) => ({ value: String(id), label: name })),
    { value: "commands", label: "Commands on the server" },
  ];
  // A date field shows anything but a date as empty, and the browser reports it.
  const shown = (name: "from" | "to") => (/^\d{4}-\d\d-\d\d$/.test(texts[name]) ? texts[name] : "");
  const dates = { from: shown("from"), to: shown("to") };
  const what = [{ value: "", label: "Anything" }, ...groups];
  const applied = [
    { name: "q", label: texts.q && `About: ${texts.q}` },
    { name: "who", label: who.find(({ value }) => value !== "" && value === texts.who)?.label },
    { name: "what", label: texts.what && (what.find(({ value }) => value === texts.what)?.label ?? texts.what) },
    { name: "from", label: texts.from && !errors.from && `From ${texts.from}` },
    { name: "to", label: texts.to && !errors.to && `To ${texts.to}` },
  ].flatMap(({ name, label }) =>
    label ? [{ label, without: addressWith(PATH, { ...texts, [name]: undefined }) }] : [],
  );
  return (
    <div className="gap">
      <Filters label="Audit trail" path={PATH}>
        <SearchFilter value={texts.q} label="About" placeholder="Reference, name or email" errors={errors} />
        <SelectFilter name="who" label="Who" value={texts.who} options={who} errors={errors} />
        <SelectFilter name="what" label="What" value={texts.what} options={what} errors={errors} />
        <TypedFilter name="from" label="From" value={dates.from} type="date" errors={errors} />
        <TypedFilter name="to" label="To" value={dates.to} type="date" errors={errors} />
      </Filters>
      <AppliedFilters applied={applied} path={PATH} />
    </div>
  );
}

function NothingFound({ view: { texts } }: { view: Shown }) {
  const hasFilter = Object.values(texts).some((text) => text !== "");
  return hasFilter ? (
    <Empty title="Nothing was found">
      <p>
        No act fits these filters. <a href={PATH}>See all</a>
      </p>
    </Empty>
  ) : (
    <Empty title="Nothing has been done yet">
      <p>Whatever staff change will be listed here.</p>
    </Empty>
  );
}

function Trail({ view: { acts, now } }: { view: Shown }) {
  return (
    <div className="tw">
      <table className="cards trail">
        <caption className="sr">What was done, latest first</caption>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
            <th scope="col">From</th>
          </tr>
        </thead>
        <tbody>
          {acts.map((act) => (
            <tr data-id={act.id} key={act.id}>
              <td className="m-c nowrap tn">
                <When at={act.at} now={now} withSeconds />
              </td>
              <th scope="row" className="k-c">
                <bdi>{act.actor}</bdi>
              </th>
              <td className="w-c">
                <ActSentence act={act} />
                <ActDetails act={act} />
              </td>
              <td className="m-c muted">{act.ipAddress === "" ? "Server" : act.ipAddress}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

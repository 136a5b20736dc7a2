import type { SavedFilter } from "#admin/saved-filters.ts";
import { screen } from "#admin/screen.ts";
import { AppliedFilters, addressWith, Filters, Pager, SearchFilter, SelectFilter } from "#admin/ui/filters.tsx";
import type { Option } from "#admin/ui/form.tsx";
import { Empty } from "#admin/ui/note.tsx";
import { ownTabs, SaveFilter } from "#admin/ui/own-filters.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { Status } from "#admin/ui/status.tsx";
import { When } from "#admin/ui/when.tsx";
import { dayInSydney, formatList } from "#shared/language.ts";
import { availabilityWords } from "../../application.ts";
import { addMonths } from "../../checks.ts";
import type { ListedApplication } from "../../server/listed-applications.ts";
import { waitsTooLong } from "../../waiting.ts";
import { describeCheck, describeListedWait } from "../application-words.ts";
import { ListOrBoard, NoApplications } from "../list-or-board.tsx";
import { stageStatus } from "../stage-status.ts";
import { type ApplicationList, type FilterName, filterNames } from "./read-filter.ts";

const PATH = "/admin/volunteers/list";

const stageOptions: readonly Option[] = [
  { value: "", label: "Any stage" },
  { value: "open", label: "Not decided" },
  ...Object.entries(stageStatus).map(([value, { label }]) => ({ value, label })),
];
const daysOptions: readonly Option[] = [
  { value: "", label: "Any" },
  { value: "Weekend", label: availabilityWords.Weekend },
  { value: "Availability", label: availabilityWords.Availability },
];
const checkOptions: readonly Option[] = [
  { value: "", label: "Any" },
  { value: "valid", label: "Valid" },
  { value: "ends", label: "Ends within three months" },
  { value: "unverified", label: "Not verified" },
  { value: "missing", label: "Needed and missing" },
];

/** `/admin/volunteers/list`: all applications, newest first. */
export const listScreen = screen<{ readonly list: ApplicationList; readonly saved: readonly SavedFilter[] }>({
  path: PATH,
  right: "applications.see",
  section: "volunteers",
  async load(reads, { query, staff }) {
    const [list, saved] = await Promise.all([
      reads.listVolunteerApplications(query),
      reads.listSavedFilters(staff!.id, PATH),
    ]);
    return { list, saved };
  },
  title: () => "Applications to volunteer",
  body: ({ list, saved }) => (
    <>
      <PageHead title="Applications to volunteer" />
      <ListOrBoard here="list" own={ownTabs({ list: PATH, saved, typed: list.typed })} />
      <ListFilters list={list} />
      <AppliedFilters path={PATH} applied={describeFilters(list)}>
        <SaveFilter
          list={PATH}
          saved={saved}
          typed={list.typed}
          words={describeFilters(list).map(({ label }) => label)}
        />
      </AppliedFilters>
      {list.rows.length === 0 ? <NothingFound list={list} /> : <Table list={list} />}
      <Pager label="Pages of applications" newer={place(list, "newer")} older={place(list, "older")} />
    </>
  ),
});

const place = (list: ApplicationList, name: "newer" | "older") =>
  list[name] && addressWith(PATH, { ...list.typed, [name]: list[name] });

function NothingFound({ list: { typed } }: { list: ApplicationList }) {
  if (filterNames.every((name) => typed[name] === "")) return <NoApplications />;
  return (
    <Empty title="Nothing found">
      <p>No application matches. Try fewer filters, or the beginning of a name.</p>
    </Empty>
  );
}

function ListFilters({ list: { typed, errors, roles } }: { list: ApplicationList }) {
  const roleOptions = [{ value: "", label: "Any role" }, ...roles.map((title) => ({ value: title, label: title }))];
  return (
    <Filters label="Filter the applications" path={PATH}>
      <SearchFilter value={typed.q} placeholder="Name, email or reference" errors={errors} />
      <SelectFilter name="stage" label="Stage" value={typed.stage} options={stageOptions} errors={errors} />
      <SelectFilter name="role" label="Role" value={typed.role} options={roleOptions} errors={errors} />
      <SelectFilter name="days" label="Days" value={typed.days} options={daysOptions} errors={errors} />
      <SelectFilter name="check" label="Check" value={typed.check} options={checkOptions} errors={errors} />
    </Filters>
  );
}

const optionsOf: Partial<Record<FilterName, readonly Option[]>> = {
  stage: stageOptions,
  days: daysOptions,
  check: checkOptions,
};
const filterLabels: Readonly<Record<FilterName, string>> = {
  q: "Text",
  stage: "Stage",
  role: "Role",
  days: "Days",
  check: "Check",
};

function describeFilters({ typed, errors }: ApplicationList) {
  return filterNames
    .filter((name) => typed[name] !== "" && errors[name] === undefined)
    .map((name) => {
      const value = optionsOf[name]?.find((option) => option.value === typed[name])?.label ?? typed[name];
      return { label: `${filterLabels[name]}: ${value}`, without: addressWith(PATH, { ...typed, [name]: "" }) };
    });
}

function Table({ list: { rows, now } }: { list: ApplicationList }) {
  return (
    <div className="tw">
      <table className="cards">
        <caption className="sr">Applications, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Wants to do</th>
            <th scope="col">When</th>
            <th scope="col">Working With Children Check</th>
            <th scope="col">Stage</th>
            <th scope="col" aria-sort="descending">
              Sent
            </th>
            <th scope="col" className="num">
              Waits
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row row={row} now={now} key={row.id} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row, now }: { row: ListedApplication; now: Date }) {
  const { id, name, state, postcode, wants, availability, stage, at, since, isAsked } = row;
  const today = dayInSydney(now);
  const check = describeCheck(row, { today, endsSoon: addMonths(today, 3) });
  const isOpen = stage === "received" || stage === "in_review" || stage === "waiting";
  return (
    <tr data-id={id}>
      <th scope="row" className="k-c">
        <a className="k" href={`/admin/volunteers/${id}`}>
          <bdi>{name}</bdi>
        </a>
        <span className="two-l">
          <bdi>{state}</bdi> <bdi>{postcode}</bdi>
        </span>
      </th>
      <td className="m-c">{formatList(wants, "comma")}</td>
      <td className="m-c">{availabilityWords[availability]}</td>
      <td className="w-c">
        <Status look={check.look}>{check.label}</Status>
      </td>
      <td className="s-c">
        <Status look={stageStatus[stage].look}>{stageStatus[stage].label}</Status>
      </td>
      <td className="m-c nowrap">
        <When at={at} now={now} />
      </td>
      <td className="num v-c" data-l={isOpen && !isAsked ? "Waits" : undefined}>
        {!isOpen ? null : waitsTooLong({ stage, since, isAsked }, now) ? (
          <Status look="warn" icon="clock">
            {describeListedWait(row, now)}
          </Status>
        ) : (
          describeListedWait(row, now)
        )}
      </td>
    </tr>
  );
}

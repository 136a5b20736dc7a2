import { hasRight } from "#admin/rights.ts";
import { type Screen, type ScreenRequest, screen } from "#admin/screen.ts";
import { CallOffStatus } from "#admin/ui/event-views.tsx";
import { addressWith, Filters, Pager, SavedFilters, SearchFilter } from "#admin/ui/filters.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { Empty } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { Status } from "#admin/ui/status.tsx";
import { When } from "#admin/ui/when.tsx";
import { keepTogether } from "#shared/language.ts";
import { momentOf } from "../server/banners.ts";
import { describeEventTimes } from "../server/editing/event-kind.ts";
import { type Kind, rightsOf } from "../server/editing/kind.ts";
import type { ListedItem } from "../server/editing/list-items.ts";
import type { ContentList } from "./editing-reads.ts";
import { describeState, describeTime } from "./item-words.ts";

export const mayChange = ({ staff }: Pick<ScreenRequest, "staff">, kind: Pick<Kind, "rights"> = {}) =>
  staff !== null && hasRight(staff, rightsOf(kind).change);

type Shown = { readonly list: ContentList; readonly now: Date };

/** All items of a kind. */
export function listScreen(kind: Kind): Screen {
  return screen<Shown>({
    path: `/admin/${kind.name}`,
    right: rightsOf(kind).see,
    section: kind.section ?? "content",
    menuLabel: kind.words.plural,
    load: async ({ listContent, now }, { query }) => ({ list: await listContent(kind, query), now: now() }),
    title: () => kind.words.plural,
    body: (shown, request) => <ListBody kind={kind} shown={shown} request={request} />,
  });
}

function ListBody({ kind, shown: { list, now }, request }: { kind: Kind; shown: Shown; request: ScreenRequest }) {
  const path = `/admin/${kind.name}`;
  const { filter, counts, rows, page, hasMore } = list;
  const at = (state: string, number = 1) =>
    addressWith(path, { q: filter.q, state, page: number > 1 ? String(number) : "" });
  const here = filter.state === "kept" || filter.state === null ? "" : filter.state;
  const isHere = (state: string) => here === state;
  return (
    <>
      <PageHead title={kind.words.plural} about={kind.words.about}>
        {kind.isOpen && mayChange(request, kind) && (
          <a className="btn" href={`${path}/new`}>
            <Icon name="plus" />
            {kind.words.write}
          </a>
        )}
      </PageHead>
      <SavedFilters
        label="States"
        saved={[
          { label: "All", path: at(""), isHere: isHere("") },
          { label: "To publish", path: at("draft"), isHere: isHere("draft"), count: counts.draft },
          { label: "At a time", path: at("scheduled"), isHere: isHere("scheduled"), count: counts.scheduled },
          { label: "Published", path: at("published"), isHere: isHere("published") },
          ...(counts.aside > 0 || isHere("aside")
            ? [{ label: "Put aside", path: at("aside"), isHere: isHere("aside") }]
            : []),
        ]}
      />
      <div className="list-search">
        <Filters label={`Search in ${kind.words.plural}`} path={path}>
          {here !== "" && <input type="hidden" name="state" value={here} />}
          <SearchFilter value={filter.q} label="Title" placeholder="Words in the title" errors={{}} />
        </Filters>
      </div>
      {rows.length === 0 ? <Nothing kind={kind} list={list} /> : <ItemsTable kind={kind} rows={rows} now={now} />}
      <Pager
        label="Pages of the list"
        newer={page === 1 ? null : at(here, page - 1)}
        older={hasMore ? at(here, page + 1) : null}
      />
    </>
  );
}

function Nothing({ kind, list: { counts } }: { kind: Kind; list: ContentList }) {
  if (counts.all === 0) return <Empty title={kind.words.nothing} picture="spot-vision" />;
  return (
    <Empty title="Nothing has this title or state">
      <p>
        <a href={`/admin/${kind.name}`}>Show all</a>
      </p>
    </Empty>
  );
}

function describeTimes({ from, until, timeZone, isAllDay }: ListedItem, now: Date): string {
  if (timeZone !== null) return describeEventTimes({ from, until, timeZone, isAllDay }, now);
  const over = momentOf(until!) <= now ? ": over" : "";
  return `${describeTime(momentOf(from!))} to ${describeTime(momentOf(until!))}${over}`;
}

function ItemsTable({ kind, rows, now }: { kind: Kind; rows: readonly ListedItem[]; now: Date }) {
  return (
    <div className="tw">
      <table className="cards">
        <caption className="sr">{kind.words.plural}</caption>
        <thead>
          <tr>
            <th scope="col">Title</th>
            <th scope="col">State</th>
            <th scope="col">Last saved</th>
            <th scope="col">By</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const { text, look } = describeState(row);
            return (
              <tr data-id={row.id} key={row.id}>
                <th scope="row" className="k-c">
                  <a href={`/admin/${kind.name}/${row.id}`}>
                    <bdi>{row.title}</bdi>
                  </a>
                  {(row.timeZone !== null || (row.from !== null && row.until !== null)) && (
                    <span className="two-l">{keepTogether(describeTimes(row, now))}</span>
                  )}
                </th>
                <td className="s-c">
                  <Status look={look}>{text}</Status>
                  {row.callOff !== null && (
                    <div>
                      <CallOffStatus callOff={row.callOff} />
                    </div>
                  )}
                </td>
                <td className="m-c" data-l="Saved">
                  <When at={row.savedAt} now={now} />
                </td>
                <td className={row.savedBy === null ? "no-c" : "m-c"}>
                  {row.savedBy === null ? "–" : <bdi>{row.savedBy}</bdi>}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

import type { SavedFilter } from "#admin/saved-filters.ts";
import { AppliedFilters, addressWith, Pager, SavedFilters } from "#admin/ui/filters.tsx";
import { Note } from "#admin/ui/note.tsx";
import { ownTabs, SaveFilter } from "#admin/ui/own-filters.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { addDays, dayInSydney, formatDollars, formatNumber } from "#shared/language.ts";
import { donationStates } from "../../server/search/donation-states.ts";
import { DonationFilters } from "./donation-filters.tsx";
import { DonationTable } from "./donation-table.tsx";
import { ExportMenu } from "./export-menu.tsx";
import { describeFilters } from "./filter-words.ts";
import type { DonationList } from "./list-screen.ts";
import { NoDonations } from "./no-donations.tsx";
import { filterNames } from "./read-filter.ts";

const PATH = "/admin/donations";

type Props = { readonly list: DonationList; readonly saved: readonly SavedFilter[] };

export function DonationsBody({ list, saved }: Props) {
  const { typed, applied } = list;
  if (list.isEmpty) {
    return (
      <>
        <PageHead title="Donations" />
        <NoDonations list={list} />
      </>
    );
  }
  const described = describeFilters(list);
  const own = { list: PATH, saved, typed } as const;
  const place = (name: "older" | "newer", at: string | null) => at && addressWith(PATH, { ...typed, [name]: at });
  return (
    <>
      <PageHead title="Donations">{list.mayExport && <ExportMenu list={list} />}</PageHead>
      <SavedFilters label="Saved filters" saved={[...listSaved(list), ...ownTabs(own)]} />
      <DonationFilters list={list} />
      <AppliedFilters
        path={PATH}
        applied={described.map(({ label, names }) => ({
          label,
          without: addressWith(PATH, { ...typed, ...Object.fromEntries(names.map((name) => [name, ""])) }),
        }))}
      >
        <SaveFilter {...own} words={described.map(({ label }) => label)} />
      </AppliedFilters>
      {list.isTooSlow ? (
        <TooSlow list={list} />
      ) : list.rows.length === 0 ? (
        <NoDonations list={list} />
      ) : (
        <>
          <Sums list={list} />
          <People list={list} />
          <DonationTable list={list} isFiltered={applied.length > 0} />
          <Pager label="Pages of donations" newer={place("newer", list.newer)} older={place("older", list.older)} />
        </>
      )}
    </>
  );
}

function listSaved({ now, typed }: DonationList) {
  const today = dayInSydney(now);
  const first = `${today.slice(0, 7)}-01`;
  const last = addDays(`${addDays(first, 31).slice(0, 7)}-01`, -1);
  const saved: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ["All", {}],
    ["This month", { from: first, to: last }],
    ["To review", { state: "review" }],
    [donationStates.disputed.label, { state: "disputed" }],
    [donationStates.refunded.label, { state: "refunded" }],
    [donationStates.declined.label, { state: "declined" }],
  ];
  return saved.map(([label, query]) => ({
    label,
    path: addressWith(PATH, query),
    isHere: filterNames.every((name) => typed[name] === (query[name] ?? "")),
  }));
}

/** The sums of all donations that the filter finds. */
function Sums({ list: { sums, applied } }: { list: DonationList }) {
  if (typeof sums === "string") {
    return (
      <p className="chips" id="sums">
        <b>{sums === "many" ? "More than 10,000 donations." : "Many donations."}</b>{" "}
        <span className="muted">
          {sums === "many"
            ? "Up to 10,000 are added up: choose a shorter time, or another filter."
            : "They took too long to add up: choose a shorter time, or another filter."}
        </span>
      </p>
    );
  }
  const { count, givenCents, feeCents, adminFeeCents, refundedCents } = sums;
  const fees = `${formatDollars(adminFeeCents)} administration, ${formatDollars(feeCents - adminFeeCents)} payment`;
  const figures: readonly (readonly [name: string, figure: string, about?: string | undefined])[] = [
    [applied.length > 0 ? "Donations found" : "Donations", formatNumber(count)],
    ["Given", formatDollars(givenCents)],
    ["Of which fees", formatDollars(feeCents), feeCents === 0 ? undefined : fees],
    ["Refunded", formatDollars(refundedCents)],
    ["Kept", formatDollars(givenCents - refundedCents)],
  ];
  return (
    <dl className="sums" id="sums">
      {figures.map(([name, figure, about]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{figure}</dd>
          {about !== undefined && <dd className="muted small">{about}</dd>}
        </div>
      ))}
    </dl>
  );
}

/** The people found, each with a link to everything that they have given. */
function People({ list: { people } }: { list: DonationList }) {
  if (people.length === 0) return null;
  return (
    <p className="chips" id="people">
      <span className="muted">People:</span>{" "}
      {people.map(({ name, email, donationId }) => (
        <a className="chip" href={`/admin/people/${donationId}`} key={donationId}>
          <bdi>{name === "" ? email : name}</bdi>
        </a>
      ))}
    </p>
  );
}

function TooSlow({ list: { typed, now } }: { list: DonationList }) {
  const today = dayInSydney(now);
  return (
    <Note look="bad" title="We could not search the donations" isNews>
      The database took too long. Nothing was changed and nothing is lost. Fewer days are quicker to search.
      <div className="acts">
        <a className="btn" href={addressWith(PATH, typed)}>
          Try again
        </a>
        <a className="btn quiet" href={addressWith(PATH, { ...typed, from: addDays(today, -6), to: today })}>
          Only this week
        </a>
      </div>
    </Note>
  );
}

import type { ReactNode } from "react";
import type { SavedFilter } from "#admin/saved-filters.ts";
import { ChooseRows } from "#admin/ui/choose-rows.tsx";
import { AppliedFilters, addressWith, ExportMenu, Pager, SavedFilters } from "#admin/ui/filters.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { Note } from "#admin/ui/note.tsx";
import { ownTabs, SaveFilter } from "#admin/ui/own-filters.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { addDays, dayInSydney, formatDollars, formatNumber, plural } from "#shared/language.ts";
import { donationStates } from "../../server/search/donation-states.ts";
import { DonationFilters } from "./donation-filters.tsx";
import { DonationTable } from "./donation-table.tsx";
import { describeFees, describeFilters } from "./filter-words.ts";
import type { DonationList } from "./list-screen.ts";
import { NoDonations } from "./no-donations.tsx";
import { filterNames, writeOrder } from "./read-filter.ts";

const PATH = "/admin/donations";

type Props = { readonly list: DonationList; readonly saved: readonly SavedFilter[] };

export function DonationsBody({ list, saved }: Props) {
  const { typed } = list;
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
  const sort = writeOrder(list.order);
  return (
    <>
      <PageHead title="Donations">{list.mayExport && <ExportDonations list={list} />}</PageHead>
      <SavedFilters label="Saved filters" saved={[...listSaved(list), ...ownTabs(own)]} />
      <DonationFilters list={list} />
      <AppliedFilters
        path={PATH}
        applied={described.map(({ label, names }) => ({
          label,
          without: addressWith(PATH, { ...typed, sort, ...Object.fromEntries(names.map((name) => [name, ""])) }),
        }))}
      >
        <SaveFilter {...own} words={described.map(({ label }) => label)} />
      </AppliedFilters>
      {list.isNothingChosen && (
        <Note look="warn" title="No row was ticked" isNews>
          Tick the donations first, then export them.
        </Note>
      )}
      {list.isTooSlow ? (
        <TooSlow list={list} />
      ) : list.rows.length === 0 ? (
        <NoDonations list={list} />
      ) : (
        <FoundDonations list={list} />
      )}
    </>
  );
}

/** One page of what the filter finds, and the sums of all of it. */
function FoundDonations({ list }: { list: DonationList }) {
  const { typed, applied, order, sums } = list;
  const place = (name: "previous" | "next", at: string | null) =>
    at && addressWith(PATH, { ...typed, sort: writeOrder(order), [name]: at });
  return (
    <>
      <Sums list={list} />
      <People list={list} />
      <ChosenDonations list={list}>
        <DonationTable list={list} isFiltered={applied.length > 0} mayChoose={mayChoose(list)} />
      </ChosenDonations>
      <Pager
        label="Pages of donations"
        newer={place("previous", list.previous)}
        older={place("next", list.next)}
        isByTime={order === "newest"}
        printed={
          typeof sums === "string"
            ? undefined
            : `This page has ${list.rows.length} of ${formatNumber(sums.count)} donations.`
        }
      />
    </>
  );
}

function ExportDonations({ list: { typed, maySeeFaith } }: { list: DonationList }) {
  return (
    <ExportMenu path={PATH} names={filterNames} typed={typed}>
      {maySeeFaith && (
        <p>
          <label className="check">
            <input className="box" type="checkbox" name="faith" value="yes" />
            With what each gift is for, which shows who gave Zakat or Qurban
          </label>
        </p>
      )}
    </ExportMenu>
  );
}

const mayChoose = ({ mayExport, maySend }: DonationList) => mayExport || maySend;

/** The table, and what can be done with its ticked rows. */
function ChosenDonations({ list, children }: { list: DonationList; children: ReactNode }) {
  if (!mayChoose(list)) return children;
  const buttons = (
    <>
      {list.maySend && (
        <button className="btn quiet" type="submit" formAction="/admin/donations/receipts">
          <Icon name="mail" />
          Send receipts again
        </button>
      )}
      {list.mayExport && (
        <button className="btn quiet" type="submit" formAction="/admin/donations.xlsx">
          <Icon name="down" />
          Export these
        </button>
      )}
    </>
  );
  return (
    <ChooseRows label="With the ticked donations" buttons={buttons}>
      {children}
    </ChooseRows>
  );
}

function listSaved({ now, typed, counts }: DonationList) {
  const today = dayInSydney(now);
  const first = `${today.slice(0, 7)}-01`;
  const last = addDays(`${addDays(first, 31).slice(0, 7)}-01`, -1);
  const saved: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ["All", {}],
    ["This month", { from: first, to: last }],
    [donationStates.review.label, { state: "review" }],
    [donationStates.disputed.label, { state: "disputed" }],
    [donationStates.refunded.label, { state: "refunded" }],
    [donationStates.declined.label, { state: "declined" }],
  ];
  return saved.map(([label, query]) => ({
    label,
    count: query.state === "review" || query.state === "disputed" ? counts[query.state] : 0,
    path: addressWith(PATH, query),
    isHere: filterNames.every((name) => typed[name] === (query[name] ?? "")),
  }));
}

/** The sums of all donations that the filter finds. */
function Sums({ list: { sums, part, applied } }: { list: DonationList }) {
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
  const { count, paidCount, givenCents, feeCents, adminFeeCents, refundedCents } = sums;
  const fees = describeFees(adminFeeCents, feeCents - adminFeeCents);
  const figures: readonly (readonly [name: string, figure: string, about?: string | undefined])[] = [
    [
      applied.length > 0 ? "Donations found" : "Donations",
      formatNumber(count),
      paidCount === count ? undefined : describePaid(paidCount),
    ],
    ...(part?.cents == null ? [] : [[`Given to ${part.title}`, formatDollars(part.cents)] as const]),
    ["Given", formatDollars(givenCents)],
    ["Of which fees", formatDollars(feeCents), feeCents === 0 ? undefined : fees],
    ["Refunded", formatDollars(refundedCents)],
    ["Kept", formatDollars(givenCents - refundedCents)],
  ];
  return (
    <>
      <dl className="sums" id="sums">
        {figures.map(([name, figure, about]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{figure}</dd>
            {about !== undefined && <dd className="muted small">{about}</dd>}
          </div>
        ))}
      </dl>
      {part !== null && (
        <p className="hint">
          {part.cents === null
            ? `These are sums of whole donations, with fees. The report has what was given to ${part.title}.`
            : `Only the sum for ${part.title} is of this fund alone. The others are of whole donations, with fees.`}
        </p>
      )}
    </>
  );
}

const describePaid = (count: number) =>
  plural(count, { one: "of which one was paid", other: `of which ${formatNumber(count)} were paid` });

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

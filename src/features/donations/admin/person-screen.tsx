import { hasRight } from "#admin/rights.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { Initials } from "#admin/ui/layout.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { dayInSydney, formatDay, formatDollars, formatNumber } from "#shared/language.ts";
import type { ShownPerson } from "./person/find-shown-person.ts";
import { PersonDetails, ReceiptsKept } from "./person/person-panels.tsx";
import { PersonDonations, PersonYears } from "./person/person-tables.tsx";

/** `id`: of any donation of theirs. */
export const personScreen = screen({
  path: "/admin/people/:id",
  right: "donations.see",
  section: "donations",
  async load(reads, request) {
    const person = await reads.findPerson(request.params.id!, request);
    return person && { person, now: reads.now() };
  },
  title: ({ person }) => nameOf(person),
  body: ({ person, now }, request) => (
    <>
      <Head person={person} />
      <Sums person={person} now={now} />
      <div className="split">
        <div>
          <PersonDonations person={person} now={now} />
          <PersonYears person={person} />
        </div>
        <div>
          <PersonDetails person={person} />
          {mayErase(request) && <ReceiptsKept id={request.params.id!} />}
        </div>
      </div>
    </>
  ),
});

const mayErase = ({ staff }: ScreenRequest) => staff !== null && hasRight(staff, "donors.erase");

const nameOf = ({ names, email }: ShownPerson) => names[0]?.name ?? email;

function Head({ person }: { person: ShownPerson }) {
  const name = nameOf(person);
  return (
    <PageHead
      crumbs={[{ label: "Donations", path: "/admin/donations" }]}
      title={
        <span className="row">
          <Initials name={name} />
          <bdi>{name}</bdi>
        </span>
      }
      about={
        <>
          <bdi>{person.email}</bdi>
          {person.account === undefined ? ", no account" : ", with an account"}
        </>
      }
    />
  );
}

function Sums({ person: { years, donations }, now }: { person: ShownPerson; now: Date }) {
  const kept = (list: ShownPerson["years"]) =>
    list.reduce((sum, { givenCents, refundedCents }) => sum + givenCents - refundedCents, 0);
  const count = years.reduce((sum, year) => sum + year.count, 0);
  const today = dayInSydney(now);
  const thisYear = Number(today.slice(0, 4)) + (today.slice(5) < "07-01" ? 0 : 1);
  const first = donations.at(-1);
  return (
    <dl className="sums">
      <div>
        <dt>Given in all</dt>
        <dd>{formatDollars(kept(years))}</dd>
      </div>
      <div>
        <dt>This financial year</dt>
        <dd>{formatDollars(kept(years.filter(({ endsIn }) => endsIn === thisYear)))}</dd>
      </div>
      <div>
        <dt>Paid donations</dt>
        <dd>{formatNumber(count)}</dd>
      </div>
      {first && (
        <div>
          <dt>{years.length === 0 ? "First tried" : "Since"}</dt>
          <dd>{formatDay(dayInSydney(first.at), { dateStyle: "medium" })}</dd>
        </div>
      )}
    </dl>
  );
}

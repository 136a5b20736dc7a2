import { hasRight, type Right } from "#admin/rights.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { Initials } from "#admin/ui/layout.tsx";
import { Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { PersonFacts } from "#admin/ui/person-table.tsx";
import { UnshownFormMessage } from "#admin/ui/unshown-form.tsx";
import { dayInSydney, formatDay, formatDollars, formatNumber } from "#shared/language.ts";
import type { ShownPerson } from "./person/find-shown-person.ts";
import { OwnData, PersonDetails } from "./person/person-panels.tsx";
import { PersonDonations, PersonYears } from "./person/person-tables.tsx";

/** `id` is that of any of the person's donations, ticket orders, applications or messages, or of their account. */
export const personScreen = screen({
  path: "/admin/people/:id",
  right: "donations.see",
  section: "donations",
  async load(reads, request) {
    const id = request.params.id!;
    const email = await reads.findPersonEmail(request.staff!, id);
    if (email === null) return null;
    const [person, others] = await Promise.all([
      reads.findPerson({ id, email }, request),
      reads.readPersonTables(request.staff!, email),
    ]);
    const alsoCalled = others.tables.flatMap(({ names }) => names);
    const name = person.names[0]?.name ?? alsoCalled[0] ?? email;
    return { person, name, alsoCalled, others, now: reads.now() };
  },
  title: ({ name }) => name,
  body: ({ person, name, alsoCalled, others, now }, request) => (
    <>
      <Head person={person} name={name} />
      <UnshownFormMessage request={request} shown={[]} />
      {person.donations.length > 0 && <Sums person={person} now={now} />}
      <div className="split">
        <div>
          <PersonYears person={person} id={request.params.id!} />
          <PersonDonations person={person} now={now} />
          {others.tables.map((table) => (
            <PersonFacts table={table} now={now} key={table.id} />
          ))}
          {others.isIncomplete && (
            <Note look="warn" title="Something is missing here.">
              <p>A part of this page could not be read. Load it again in a moment.</p>
            </Note>
          )}
        </div>
        <div>
          <PersonDetails person={person} alsoCalled={alsoCalled} mayChange={may(request, "donations.change")} />
          <OwnData
            id={request.params.id!}
            mayExport={may(request, "people.export")}
            mayErase={may(request, "donors.erase")}
          />
        </div>
      </div>
    </>
  ),
});

const may = ({ staff }: ScreenRequest, right: Right) => staff !== null && hasRight(staff, right);

function Head({ person, name }: { person: ShownPerson; name: string }) {
  return (
    <PageHead
      crumbs={[{ label: "Donations", path: "/admin/donations" }]}
      title={
        <span className="row">
          <Initials name={name} isLarge />
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
  const given = (list: ShownPerson["years"]) => list.reduce((sum, { givenCents }) => sum + givenCents, 0);
  const refunded = years.reduce((sum, { refundedCents }) => sum + refundedCents, 0);
  const count = years.reduce((sum, year) => sum + year.count, 0);
  const today = dayInSydney(now);
  const thisYear = Number(today.slice(0, 4)) + (today.slice(5) < "07-01" ? 0 : 1);
  const first = years.at(-1)?.first ?? donations.at(-1)?.at;
  return (
    <dl className="sums">
      <div>
        <dt>Given in all</dt>
        <dd>{formatDollars(given(years))}</dd>
      </div>
      {refunded > 0 && (
        <div>
          <dt>Kept</dt>
          <dd>{formatDollars(given(years) - refunded)}</dd>
        </div>
      )}
      <div>
        <dt>Given this financial year</dt>
        <dd>{formatDollars(given(years.filter(({ endsIn }) => endsIn === thisYear)))}</dd>
      </div>
      <div>
        <dt>Paid donations</dt>
        <dd>{formatNumber(count)}</dd>
      </div>
      {first && (
        <div>
          <dt>{years.length === 0 ? "First tried" : "First donation"}</dt>
          <dd>{formatDay(dayInSydney(first), { dateStyle: "medium" })}</dd>
        </div>
      )}
    </dl>
  );
}

import { dayInSydney, formatDay, formatList, plural } from "#shared/language.ts";
import { ANONYMOUS_DONOR } from "../../donor.ts";
import { EmailText } from "../../ui/email-text.tsx";
import type { ShownPerson } from "./find-shown-person.ts";

/** The names and post codes given under this address, with donations and elsewhere, and the account. */
export function PersonDetails({
  person,
  alsoCalled,
  mayChange,
}: {
  person: ShownPerson;
  alsoCalled: readonly string[];
  mayChange: boolean;
}) {
  const { email, names, account } = person;
  const postcodes = [...new Set(names.flatMap(({ postcode }) => postcode ?? []))];
  const called = [...new Set([...names.map(({ name }) => name), ...alsoCalled])];
  return (
    <section className="panel" aria-labelledby="details">
      <h2 id="details">Details</h2>
      <dl className="kv">
        <div>
          <dt>Email</dt>
          <dd>
            <EmailText email={email} />
          </dd>
        </div>
        <div>
          <dt>Goes by</dt>
          <dd>
            <Names names={called} />
          </dd>
        </div>
        {postcodes.length > 0 && (
          <div>
            <dt>Post code</dt>
            <dd>{formatList(postcodes, "comma")}</dd>
          </div>
        )}
        <div>
          <dt>Account</dt>
          <dd>
            {describeAccount(account)}
            {mayChange && <JoinAll person={person} />}
          </dd>
        </div>
        {account !== undefined && <AccountContact account={account} />}
      </dl>
    </section>
  );
}

function Names({ names }: { names: readonly string[] }) {
  if (names.length === 0) return ANONYMOUS_DONOR;
  return names.map((name, place) => (
    <span key={name}>
      {place > 0 && ", "}
      <bdi>{name}</bdi>
    </span>
  ));
}

function AccountContact({ account }: { account: NonNullable<ShownPerson["account"]> }) {
  const { mobile, city, state, postcode, country } = account;
  return (
    <>
      <div>
        <dt>Phone</dt>
        <dd className="tn">+{mobile}</dd>
      </div>
      <div>
        <dt>Address</dt>
        <dd>
          <bdi>{formatList([city, state, postcode, country].filter(Boolean), "comma")}</bdi>
        </dd>
      </div>
    </>
  );
}

/** Moves what was given as a guest to the account, once that has confirmed the address. */
function JoinAll({ person: { account, guest } }: { person: ShownPerson }) {
  if (guest.latest === null || !account?.email_verified_at) return null;
  return (
    <form method="post" action={`/admin/people/${guest.latest}/account`}>
      <button className="btn quiet small" type="submit">
        {plural(guest.count, {
          one: "Move 1 guest donation to the account",
          other: `Move ${guest.count} guest donations to the account`,
        })}
      </button>
    </form>
  );
}

function describeAccount(account: ShownPerson["account"]): string {
  if (account === undefined) return "None";
  const since = formatDay(dayInSydney(account.created_at));
  return account.email_verified_at === null ? `Since ${since}, address not confirmed` : `Since ${since}`;
}

/** What somebody may ask for under privacy law: to see all their data, and to be erased. */
export function OwnData({ id, mayExport, mayErase }: { id: string; mayExport: boolean; mayErase: boolean }) {
  if (!mayExport && !mayErase) return null;
  return (
    <section className="panel" aria-labelledby="own-data">
      <h2 id="own-data">If they ask about their data</h2>
      <p className="small">First make sure that it is really them asking.</p>
      {mayExport && (
        <p className="press">
          <a className="btn quiet" href={`/admin/people/${id}/data.zip`}>
            Download everything about this person
          </a>
        </p>
      )}
      {mayErase && (
        <>
          <p className="press">
            <a className="btn quiet" href={`/admin/people/${id}/erase`}>
              Erase this person
            </a>
          </p>
          <p className="hint">You first see what goes, what stays, until when and why.</p>
        </>
      )}
    </section>
  );
}

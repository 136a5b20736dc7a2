import { dayInSydney, formatDay, formatList, plural } from "#shared/language.ts";
import { EmailText } from "../../ui/email-text.tsx";
import { donorName } from "./describe-donation.ts";
import type { ShownDonation } from "./find-donation.ts";

/** Who gave: as the donor said, and as their account says. */
export function DonorPanel({ donation }: { donation: ShownDonation }) {
  const { account, email, postcode } = donation;
  const name = donorName(donation);
  const isErased = email === "";
  return (
    <section className="panel" aria-labelledby="donor">
      <h2 id="donor">Donor</h2>
      <dl className="kv">
        <Row title="Name">
          {isErased ? <bdi>{name}</bdi> : <a href={`/admin/people/${donation.id}`}>{<bdi>{name}</bdi>}</a>}
        </Row>
        {!isErased && (
          <Row title="Email">
            <EmailText email={email} />
          </Row>
        )}
        {postcode !== null && <Row title="Post code">{postcode}</Row>}
        {!isErased && <Row title="Gave">{describeGifts(donation)}</Row>}
        <Row title="Account">{account === null ? describeGuest(donation) : <EmailText email={account.email} />}</Row>
        {account !== null && (
          <>
            <Row title="Phone">+{account.mobile}</Row>
            <Row title="Address">
              <bdi>
                {formatList([account.city, account.state, account.postcode, account.country].filter(Boolean), "comma")}
              </bdi>
            </Row>
          </>
        )}
      </dl>
    </section>
  );
}

function Row({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function describeGifts({ givenBefore: { count, since } }: ShownDonation): string {
  if (count === 0 || since === null) return "Nothing paid with this address";
  const from = formatDay(dayInSydney(since));
  return plural(count, { one: `Once, on ${from}`, other: `${count} times since ${from}` });
}

function describeGuest({ email, account_closed_at, stays_out_of_account }: ShownDonation): string {
  if (email === "") return "None";
  if (account_closed_at !== null) return "Closed: the data goes once its payment is decided";
  return stays_out_of_account ? "None: taken out by staff" : "None, as a guest";
}

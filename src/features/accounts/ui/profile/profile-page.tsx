import "#shared/ui/form-without-eval.ts";
import { paths } from "#shared/paths.ts";
import { Icon } from "#shared/ui/icon.tsx";
import { Avatar } from "#shared/ui/profile-layout.tsx";
import { CloseAccount } from "./close-account.tsx";
import { ConfirmEmail } from "./confirm-email.tsx";
import { SessionsCard } from "./sessions-card.tsx";

/** What the page shows; `mobile` as people write it. */
export type Profile = {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly isEmailConfirmed: boolean;
  readonly country: string;
  readonly state: string;
  readonly mobile: string;
};

type ProfilePageProps = { readonly profile: Profile; readonly leaveFor?: (path: string) => void };

/** Who one is, where one is logged in, and what one may do with one's data (PRO-2, PRO-11, PRO-12). */
export function ProfilePage({ profile, leaveFor }: ProfilePageProps) {
  return (
    <>
      <h1>My Profile</h1>
      <Details profile={profile} />
      <div className="own-affairs needs-script">
        <SessionsCard />
        <section className="plain-card" aria-labelledby="data-title">
          <h2 id="data-title">Your data</h2>
          <p>
            Your details, log-ins, donations, receipts, tickets, messages and applications, as one file. What you sent
            as a guest is in it once you have confirmed your email.
          </p>
          <a className="btn btn-quiet" href="/api/my-data" download>
            <Icon name="down" />
            Download my data
          </a>
          <p className="closing">
            If you leave us, we keep only what the law requires and what is still to be done: see{" "}
            <a href={paths.privacy}>what we keep, and for how long</a>.
          </p>
          <CloseAccount email={profile.email} leaveFor={leaveFor} />
        </section>
      </div>
    </>
  );
}

function Details({
  profile: { firstName, lastName, email, isEmailConfirmed, country, state, mobile },
}: ProfilePageProps) {
  return (
    <section className="plain-card details-card" aria-label="Your details">
      <Avatar name={firstName} />
      <dl>
        <div className="is-name">
          <dt>Name</dt>
          <dd>
            {firstName} {lastName}
          </dd>
        </div>
        <div>
          <dt>Country</dt>
          <dd>{country}</dd>
        </div>
        <div>
          <dt>State</dt>
          <dd>{state}</dd>
        </div>
        <div>
          <dt>Mobile</dt>
          <dd className="num">{mobile}</dd>
        </div>
        <div>
          <dt>Email</dt>
          <dd>
            {email}
            {!isEmailConfirmed && <ConfirmEmail />}
          </dd>
        </div>
      </dl>
      <a className="btn" href={paths.editProfile}>
        Edit Profile
      </a>
    </section>
  );
}

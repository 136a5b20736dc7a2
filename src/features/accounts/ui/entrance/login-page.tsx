import type { ReactNode } from "react";
import type { Organisation } from "#shared/organisation.ts";
import { paths } from "#shared/paths.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { LegalNote } from "#shared/ui/form-legal.tsx";
import { Entrance } from "./entrance.tsx";

type LoginPageProps = { organisation: Pick<Organisation, "phone" | "email" | "banks">; form: ReactNode };

/** Log in, or continue as a guest, which is just as prominent (LOG-1, LOG-3). */
export function LoginPage({ organisation, form }: LoginPageProps) {
  return (
    <Entrance title="Log in, or donate as a guest">
      <p className="note why-log-in">
        Please log in to confirm your email address. The link only works in the account it was sent to.
      </p>
      {form}
      <LegalNote />
      <section className="guest" aria-labelledby="guest-title">
        <h2 id="guest-title">Just here to donate?</h2>
        <p>You don’t need an account. We only ask for your name, your post code and where to send the receipt.</p>
        <a className="btn btn-cta btn-block" href={paths.continueAsGuest} rel="nofollow" data-guest="">
          Continue As a Guest User
        </a>
        <noscript>
          <OtherWays organisation={organisation} needed="JavaScript" />
        </noscript>
        <div data-no-cookies="" hidden>
          <OtherWays organisation={organisation} needed="cookies, which your browser blocks" />
        </div>
      </section>
    </Entrance>
  );
}

function OtherWays({ organisation, needed }: Pick<LoginPageProps, "organisation"> & { needed: string }) {
  const { phone, email, banks } = organisation;
  return (
    <p className="without-script">
      Logging in and donating by card need {needed}. You can donate by bank deposit instead:
      {banks.map(({ bank, bsb, accountNumber }) => (
        <span key={bsb + accountNumber}>
          {bank}: BSB {bsb}, account {accountNumber}
        </span>
      ))}
      or call us on <a href={telephoneLink(phone)}>{phone}</a> or write to {email}.
    </p>
  );
}

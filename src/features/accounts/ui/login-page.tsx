import type { ReactNode } from "react";
import type { Organisation } from "#shared/organisation.ts";
import { paths } from "#shared/paths.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { Entrance } from "./entrance.tsx";

type LoginPageProps = { organisation: Pick<Organisation, "phone" | "email" | "banks">; form: ReactNode };

/** Log in, or go on as a guest, which is no less in sight (LOG-1, LOG-3). */
export function LoginPage({ organisation, form }: LoginPageProps) {
  return (
    <Entrance title="Log in">
      {form}
      <section className="guest" aria-labelledby="guest-title">
        <h2 id="guest-title">Just here to donate?</h2>
        <p>No account is needed. We only ask for your name, and where to send the receipt.</p>
        <a className="btn btn-cta btn-block" href={paths.donation} data-guest="">
          Continue As a Guest User
        </a>
        <noscript>
          <p className="without-script">
            Logging in and giving by card on this site need JavaScript. You can give by bank deposit instead
            {organisation.banks.map(({ bank, bsb, accountNumber }) => (
              <span key={bsb + accountNumber}>
                {bank}: BSB {bsb}, account {accountNumber}
              </span>
            ))}
            or call us on <a href={telephoneLink(organisation.phone)}>{organisation.phone}</a> or write to{" "}
            {organisation.email}.
          </p>
        </noscript>
      </section>
    </Entrance>
  );
}

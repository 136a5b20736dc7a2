import type { Organisation } from "#shared/organisation.ts";
import { paths } from "#shared/paths.ts";

type LoginPageProps = { organisation: Pick<Organisation, "phone" | "email" | "banks"> };

/** The page between Donate and the donation. Accounts are not there yet, so being a guest is the main thing. */
export function LoginPage({ organisation }: LoginPageProps) {
  return (
    <div className="auth">
      <div className="side tile-bg" aria-hidden="true">
        <img src="/identity/illustrations/dastarkhwan-meal.svg" alt="" width={800} height={600} fetchPriority="low" />
      </div>
      <div className="forms">
        <div className="inner">
          <h1>Give as a guest</h1>
          <p className="lede">No account is needed to donate.</p>
          <section className="guest" aria-labelledby="guest-title">
            <h2 id="guest-title">Just here to donate?</h2>
            <p>We only ask for your name, and where to send the receipt.</p>
            <a className="btn btn-cta btn-block" href={paths.donation} data-guest="">
              Continue As a Guest User
            </a>
            <noscript>
              <p className="without-script">
                Giving by card on this site needs JavaScript. You can give by bank deposit instead
                {organisation.banks.map(({ bank, bsb, accountNumber }) => (
                  <span key={bsb + accountNumber}>
                    {bank}: BSB {bsb}, account {accountNumber}
                  </span>
                ))}
                or call us on {organisation.phone} or write to {organisation.email}.
              </p>
            </noscript>
          </section>
          <p className="muted">
            Accounts open soon: you will then log in here to see your donations and receipts in one place.
          </p>
        </div>
      </div>
    </div>
  );
}

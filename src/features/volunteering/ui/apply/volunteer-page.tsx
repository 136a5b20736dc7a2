import type { ReactNode } from "react";
import picture from "#shared/ui/identity/illustrations/spot-volunteer.svg?inline";
import type { interests } from "../../application.ts";
import { ContactWays, type OrganisationContact } from "./contact-ways.tsx";

/** The application's page: introduction, form, and what volunteers do (VOL-1). */
type VolunteerPageProps = {
  readonly organisation: OrganisationContact;
  readonly lede: string;
  readonly form: ReactNode;
};

export function VolunteerPage({ organisation, lede, form }: VolunteerPageProps) {
  return (
    <>
      <section className="vol-head tile-bg" aria-labelledby="page-title">
        <div className="wrap">
          <div>
            <h1 id="page-title">Volunteer Application</h1>
            {lede !== "" && <p className="lede">{lede}</p>}
          </div>
          <img src={picture} alt="" width={320} height={320} />
        </div>
      </section>
      <div className="strip-ajrak" aria-hidden="true" />
      <div className="wrap-narrow vol">
        <WithoutScript organisation={organisation} />
        {form}
      </div>
      <Works />
    </>
  );
}

function WithoutScript({ organisation }: { organisation: OrganisationContact }) {
  return (
    <noscript>
      <div className="plain-card no-script">
        <h2>Call or email us</h2>
        <p>
          Applying on this page needs JavaScript, which is switched off in your browser. You can still apply: reach us
          by <ContactWays organisation={organisation} />, tell us what you would like to do and when you are available,
          and we will go through the rest with you.
        </p>
      </div>
    </noscript>
  );
}

/** The kinds of work that the application asks about (VOL-3). */
const works: Readonly<Record<(typeof interests)[number], string>> = {
  Administration: "Letters, records and the telephone.",
  Events: "Setting up, welcoming guests, packing up.",
  "Field Work": "Lending a hand where help is needed.",
  Fundraising: "Stalls, dinners and collections in your suburb.",
  "Newsletter Production": "Writing, taking pictures, laying out pages.",
  "Volunteer Coordination": "Showing new people around, planning who helps when.",
};

function Works() {
  return (
    <section className="section works" aria-labelledby="works-title">
      <div className="wrap-narrow">
        <div className="sec-head">
          <div>
            <h2 id="works-title">What volunteers do</h2>
            <p className="muted">
              Tell us which of these you would enjoy, where you live, and whether weekdays or weekends suit you.
            </p>
          </div>
        </div>
        <ul className="grid-3 interests">
          {Object.entries(works).map(([name, work]) => (
            <li key={name} className="plain-card">
              <h3>{name}</h3>
              <p>{work}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

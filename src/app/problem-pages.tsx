import type { Organisation } from "#shared/organisation.ts";
import { paths } from "#shared/paths.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { DonateLink } from "./shell/header.tsx";
import { serviceLinks } from "./shell/menu.ts";
import { MessagePage } from "./shell/message-page.tsx";

const drawings = "/identity/illustrations";

const likelyPages = [
  ...serviceLinks,
  { label: "Events", path: paths.events },
  { label: "Become a volunteer", path: paths.volunteer },
  { label: "Contact Us", path: paths.contact },
];

/** An address that leads nowhere (NAV-8). */
export function NotFoundPage({ organisation }: { organisation: Organisation }) {
  const { phone, email } = organisation;
  return (
    <MessagePage image={`${drawings}/spot-vision.svg`} title="We could not find that page">
      <p className="lede">
        The address may have a typing error, or the page has moved. Nothing you entered elsewhere is lost.
      </p>
      <div className="row">
        <a className="btn" href={paths.home}>
          Go to the home page
        </a>
        <DonateLink className="btn btn-cta" />
      </div>
      <nav className="likely" aria-labelledby="likely-title">
        <h2 id="likely-title">Perhaps you were looking for</h2>
        <ul className="links">
          {likelyPages.map(({ label, path }) => (
            <li key={path}>
              <a href={path}>{label}</a>
            </li>
          ))}
        </ul>
      </nav>
      <p className="muted">
        Or ask us: call our helpline on <a href={telephoneLink(phone)}>{phone}</a> or write to{" "}
        <a href={`mailto:${email}`}>{email}</a>.
      </p>
    </MessagePage>
  );
}

/** What was sent could not be taken, as when a form is sent before its page has loaded (API-16). */
export function RefusalPage({ says }: { says: string }) {
  return (
    <MessagePage image={`${drawings}/spot-failed.svg`} title="That did not work">
      <p className="lede">{says}</p>
      <p>
        Nothing was kept or charged. If you sent a form, go back, wait until the page has loaded, and send it again.
      </p>
      <div className="row">
        <a className="btn" href={paths.home}>
          Go to the home page
        </a>
      </div>
    </MessagePage>
  );
}

/** Something failed on our side (NAV-8): the number lets the helpline find it in the log. */
export function FailurePage({ organisation, incident }: { organisation: Organisation; incident: string }) {
  const { phone, email } = organisation;
  return (
    <MessagePage image={`${drawings}/spot-failed.svg`} title="This page could not be shown">
      <p className="lede">Something went wrong on our side, not on yours. Trying again in a moment often helps.</p>
      <p>If you were paying, please do not pay again: we email you the outcome of every payment that was begun.</p>
      <div className="row">
        {/* biome-ignore lint/a11y/useValidAnchor: an empty address is the one that failed, its query included. */}
        <a className="btn" href="">
          Try this page again
        </a>
        <a className="btn btn-quiet" href={paths.home}>
          Go to the home page
        </a>
      </div>
      <dl className="incident">
        <dt>Incident number</dt>
        <dd className="num">{incident}</dd>
      </dl>
      <p className="muted">
        If it keeps happening, tell us this number: call <a href={telephoneLink(phone)}>{phone}</a> or write to{" "}
        <a href={`mailto:${email}?subject=Incident%20${encodeURIComponent(incident)}`}>{email}</a>. We then find what
        went wrong in our log.
      </p>
    </MessagePage>
  );
}

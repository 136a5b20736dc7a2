import type { MenuLink } from "#features/content/menu-links.ts";
import type { Organisation } from "#shared/organisation.ts";
import { paths } from "#shared/paths.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { invitations } from "#shared/ui/invitations.ts";
import { MessagePage } from "#shared/ui/message-page.tsx";
import { DonateLink } from "./shell/header.tsx";

const drawings = "/identity/illustrations";

const otherPages = [
  { label: "Events", path: paths.events },
  ...invitations,
  { label: "Contact Us", path: paths.contact },
];

type NotFoundProps = { organisation: Organisation; services: readonly MenuLink[] };

export function NotFoundPage({ organisation, services }: NotFoundProps) {
  const { phone, email } = organisation;
  return (
    <MessagePage image={`${drawings}/spot-vision.svg`} title="We couldn’t find that page">
      <p className="lede">
        The address may have a typing error, or the page has moved. A link from an email may have been cut off: copy all
        of it. Nothing you entered elsewhere is lost.
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
          {[...services, ...otherPages].map(({ label, path }) => (
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

/** For a request that was refused, such as a form sent before its page had loaded (API-16). */
export function RefusalPage({ text }: { text: string }) {
  return (
    <MessagePage image={`${drawings}/spot-failed.svg`} title="That did not work">
      <p className="lede">{text}</p>
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

/** For a failure on our side (NAV-8). The incident number lets us find it in the log. */
export function FailurePage({ organisation, incident }: { organisation: Organisation; incident: string }) {
  const { phone, email } = organisation;
  return (
    <MessagePage image={`${drawings}/spot-failed.svg`} title="This page could not be shown">
      <p className="lede">Something went wrong on our side. Please try again in a moment.</p>
      <p>If you were paying, please don’t pay again: we email you the outcome of every payment that was begun.</p>
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
        <a href={`mailto:${email}?subject=Incident%20${encodeURIComponent(incident)}`}>{email}</a>. With it we can find
        what went wrong.
      </p>
    </MessagePage>
  );
}

import type { Organisation } from "#shared/organisation.ts";
import { paths } from "#shared/paths.ts";
import { telephoneLink } from "./shell/contact-lines.tsx";
import { DonateLink } from "./shell/header.tsx";
import { MessagePage } from "./shell/message-page.tsx";

const drawings = "/identity/illustrations";

function Ways({ organisation }: { organisation: Organisation }) {
  return (
    <>
      <div className="row">
        <a className="btn" href={paths.home}>
          Go to the home page
        </a>
        <DonateLink className="btn btn-cta" />
      </div>
      <p className="muted">
        Looking for something in particular? Call our helpline on{" "}
        <a href={telephoneLink(organisation.phone)}>{organisation.phone}</a> or write to{" "}
        <a href={`mailto:${organisation.email}`}>{organisation.email}</a>.
      </p>
    </>
  );
}

/** An address that leads nowhere (NAV-8). */
export function NotFoundPage({ organisation }: { organisation: Organisation }) {
  return (
    <MessagePage image={`${drawings}/spot-vision.svg`} title="We could not find that page">
      <p className="lede">
        The address may have a typing error, or the page has moved. Nothing you entered elsewhere is lost.
      </p>
      <Ways organisation={organisation} />
    </MessagePage>
  );
}

/** An address of the menu whose page is not there yet. */
export function ComingPage({ organisation, label }: { organisation: Organisation; label: string }) {
  return (
    <MessagePage image={`${drawings}/spot-message.svg`} title={`${label}: this page is being written`}>
      <p className="lede">It is on our list and will appear at this address. Donating already works.</p>
      <Ways organisation={organisation} />
    </MessagePage>
  );
}

/** Something failed on our side (NAV-8): the number lets the helpline find it in the log. */
export function FailurePage({ organisation, incident }: { organisation: Organisation; incident: string }) {
  return (
    <MessagePage image={`${drawings}/spot-failed.svg`} title="This page could not be shown">
      <p className="lede">
        Something went wrong on our side. Please reload the page in a moment. If it keeps happening, tell us the
        incident number <b className="num">{incident}</b>.
      </p>
      <p className="muted">
        If you were paying, please do not pay again: we e-mail you the outcome of every payment that was begun.
      </p>
      <Ways organisation={organisation} />
    </MessagePage>
  );
}

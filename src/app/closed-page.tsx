import type { Organisation } from "#shared/organisation.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { MessagePage } from "#shared/ui/message-page.tsx";

/** What visitors see until the site is opened; null for an organisation whose details are not there yet. */
export function ClosedPage({ organisation }: { organisation: Organisation | null }) {
  return (
    <main id="main">
      <MessagePage image="/identity/illustrations/spot-vision.svg" title="This site is being set up">
        <p className="lede">
          {organisation === null ? "There is nothing to see here yet." : <bdi>{organisation.name}</bdi>}
          {organisation !== null && " will be here soon."} Please come back in a few days.
        </p>
        {organisation !== null && (
          <p className="muted">
            Until then, call us on <a href={telephoneLink(organisation.phone)}>{organisation.phone}</a> or write to{" "}
            <a href={`mailto:${organisation.email}`}>{organisation.email}</a>.
          </p>
        )}
        <p className="muted">
          Do you work here? <a href="/admin">Log in to the back office</a>
        </p>
      </MessagePage>
    </main>
  );
}

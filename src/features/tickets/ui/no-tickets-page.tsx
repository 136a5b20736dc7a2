import type { EventDetails } from "#shared/events/event.ts";
import type { Organisation } from "#shared/organisation.ts";
import { contactAbout, eventPath, paths } from "#shared/paths.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { MessagePage } from "#shared/ui/message-page.tsx";

type NoTicketsPageProps = {
  /** The requested event, if it has no tickets. */
  readonly event: EventDetails | null;
  readonly organisation: Organisation;
};

/** Says that no tickets are on sale, and links on, because the page has no header (LAY-1). */
export function NoTicketsPage({ event, organisation: { phone } }: NoTicketsPageProps) {
  return (
    <>
      <div className="strip-ajrak" aria-hidden="true" />
      <MessagePage image="/identity/illustrations/spot-empty-cart.svg" title="Event tickets">
        {event === null ? (
          <>
            <p className="lede">No tickets are on sale online at the moment. Nothing has been charged.</p>
            <p>See our events for what is coming up, where and when. Any tickets sold online are listed there.</p>
          </>
        ) : (
          <p className="lede">
            No tickets are sold online for <a href={eventPath(event.slug)}>{event.title}</a>. Its page says how to take
            part.
          </p>
        )}
        <div className="row">
          <a className="btn" href={paths.events}>
            See our events
          </a>
          <a className="btn btn-quiet" href={paths.home}>
            Go to the home page
          </a>
        </div>
        <p className="muted">
          Questions? <a href={contactAbout(event?.title ?? "Event tickets")}>Send us a message</a> or call our helpline
          on <a href={telephoneLink(phone)}>{phone}</a>.
        </p>
      </MessagePage>
    </>
  );
}

import { type ScreenRequest, screen } from "#admin/screen.ts";
import { ActionForm, SelectField, TextField } from "#admin/ui/form.tsx";
import { Empty } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { formatEventMoment } from "#shared/events/event-times.ts";
import type { DoorEvent } from "../../server/door/door-figures.ts";

/** `/admin/door`: makes the phone on which it is open one of the door of an event. */
export const ownPhoneScreen = screen<readonly DoorEvent[]>({
  path: "/admin/door",
  right: "door.open",
  section: "events",
  menuLabel: "The door",
  load: ({ listDoorEvents }) => listDoorEvents(),
  title: () => "The door",
  body: (events, request) => (
    <>
      <PageHead title="The door" about="Check people in with the phone that you are holding." />
      {events.length === 0 ? (
        <Empty title="No event is near" picture="spot-vision">
          <p>From a week before an event with tickets, you can make this phone one of its door here.</p>
        </Empty>
      ) : (
        <OwnPhoneForm events={events} request={request} />
      )}
    </>
  ),
});

function OwnPhoneForm({ events, request }: { events: readonly DoorEvent[]; request: ScreenRequest }) {
  const options = events.map(({ screenId, title, startsAt, timeZone }) => ({
    value: String(screenId),
    label: `${title}, ${formatEventMoment(startsAt, timeZone)}`,
  }));
  return (
    <ActionForm action="/admin/door" id="own-phone" request={request} className="stack door-add">
      <SelectField name="event" label="Event" options={options} />
      <TextField name="name" label="Where you stand" hint="Such as Main entrance." />
      <p className="hint">The phone then checks tickets, with and without a network, until two days after the event.</p>
      <p className="acts">
        <button className="btn" type="submit">
          Use this phone
        </button>
      </p>
    </ActionForm>
  );
}

type Data = { readonly event: string; readonly organisationName: string };

/** `/admin/door/:event`: the door on a phone. It has no data: the phone's script asks for them with its pass. */
export const phoneScreen = screen<Data>({
  path: "/admin/door/:event",
  right: "everybody",
  isBare: true,
  readsCodes: true,
  load: async ({ readOrganisationName }, { params }) => ({
    event: params.event!,
    organisationName: readOrganisationName(),
  }),
  title: () => "Door",
  body: ({ event, organisationName }) => (
    <>
      <link rel="manifest" href={`/admin/door/${event}/manifest.webmanifest`} />
      <link rel="apple-touch-icon" href="/icons/apple-touch-icon.png" />
      <div data-enhance="door" data-organisation={organisationName}>
        <div className="door">
          <div className="door-page">
            <h1>The door</h1>
            <noscript>
              <p>Checking tickets needs scripts. Allow them for this site, then reload.</p>
            </noscript>
          </div>
        </div>
      </div>
    </>
  ),
});

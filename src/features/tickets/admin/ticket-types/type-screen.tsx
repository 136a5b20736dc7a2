import { type ScreenRequest, screen } from "#admin/screen.ts";
import { eventScreenPath } from "#admin/ui/event-views.tsx";
import { ActionForm, ChoiceField, TextArea, TextField } from "#admin/ui/form.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { plainDollars } from "#shared/money.ts";
import { cityOf, writeClock } from "../ticket-services.ts";
import { savedType, visibilities } from "./type-actions.ts";
import { type TypesOfEvent, typeLink } from "./types-part.ts";
import { EventScreenHead, mayPlan } from "./types-screen.tsx";

type TypeOfEvent = TypesOfEvent["types"][number];

export const newTypeScreen = screen<TypesOfEvent>({
  path: "/admin/events/:id/tickets/new",
  right: "events.change",
  section: "events",
  load: ({ findTypesOfEvent }, { params }) => findTypesOfEvent(params.id!),
  title: () => "Add a ticket type",
  body: (found, request) => (
    <>
      <PageHead title="Add a ticket type" crumbs={crumbsOf(found)} />
      <TypeForm found={found} type={null} request={request} />
    </>
  ),
});

export const typeScreen = screen<{ readonly found: TypesOfEvent; readonly type: TypeOfEvent }>({
  path: "/admin/events/:id/tickets/:type",
  right: "events.see",
  section: "events",
  load: async ({ findTypesOfEvent }, { params }) => {
    const found = await findTypesOfEvent(params.id!);
    const type = found?.types.find(({ id }) => String(id) === params.type);
    return found && type ? { found, type } : null;
  },
  title: ({ type }) => type.title,
  body: ({ found, type }, request) => (
    <>
      <EventScreenHead event={found.event} here="tickets" request={request} />
      <h2>
        <bdi>{type.title}</bdi>
      </h2>
      <p className="muted">
        {type.sold} sold, {type.held} held, {Math.max(0, type.capacity - type.sold - type.held)} free.
      </p>
      {type.visibility === "link" && (
        <p className="as-typed">
          Whoever has this link can order it:{" "}
          <a href={typeLink(found, type.access_key)}>{typeLink(found, type.access_key)}</a>
        </p>
      )}
      {mayPlan(request) && <TypeForm found={found} type={type} request={request} />}
      {mayPlan(request) && <OffSale found={found} type={type} />}
    </>
  ),
});

const crumbsOf = ({ event }: TypesOfEvent) => [
  { label: "Events", path: "/admin/events" },
  { label: event.title, path: eventScreenPath(event.screenId, "tickets") },
];

type TypeFormProps = { found: TypesOfEvent; type: TypeOfEvent | null; request: ScreenRequest };

function TypeForm({ found: { event, types }, type, request }: TypeFormProps) {
  const city = cityOf(event.timeZone);
  const path = `${eventScreenPath(event.screenId, "tickets")}/${type?.id ?? "new"}`;
  return (
    <ActionForm action={path} id="type" request={request} className="settings-form">
      {type !== null && <input type="hidden" name="was" value={JSON.stringify(savedType(type, event))} />}
      <TextField
        name="title"
        label="Title"
        hint="Orders keep the title and price they had."
        defaultValue={type?.title ?? ""}
      />
      <TextArea
        name="description"
        label="Description"
        rows={2}
        isOptional
        hint="A sentence below the title: what the seat includes."
        defaultValue={type?.description ?? ""}
      />
      <div className="frow">
        <TextField
          name="price"
          label="Price of one"
          prefix="$"
          inputMode="decimal"
          hint="0 is free."
          defaultValue={type === null ? "" : plainDollars(type.price_cents)}
        />
        <TextField
          name="capacity"
          label="Seats"
          inputMode="numeric"
          hint={type === null ? "How many there are." : `At least ${type.sold + type.held}, which are sold or held.`}
          defaultValue={String(type?.capacity ?? "")}
        />
        <TextField
          name="limit"
          label="Most in one order"
          inputMode="numeric"
          hint="Of this type."
          defaultValue={String(type?.limit_per_order ?? 10)}
        />
      </div>
      <div className="frow">
        <TextField
          name="from"
          label="Sales begin"
          type="datetime-local"
          isOptional
          hint={`${city} time. Empty: when the event is published.`}
          defaultValue={writeClock(type?.sales_from ?? null, event.timeZone)}
        />
        <TextField
          name="until"
          label="Sales end"
          type="datetime-local"
          isOptional
          hint={`${city} time. Empty: when the event is over.`}
          defaultValue={writeClock(type?.sales_until ?? null, event.timeZone)}
        />
      </div>
      <ChoiceField
        name="visibility"
        label="Who can order it"
        isSingle
        chosen={[type?.visibility ?? "public"]}
        options={Object.entries(visibilities).map(([value, label]) => ({ value, label }))}
      />
      <TextField
        name="position"
        label="Place in the list"
        inputMode="numeric"
        hint="1 comes first."
        defaultValue={String(type?.position ?? types.length + 1)}
      />
      <div className="acts">
        <button className="btn" type="submit">
          {type === null ? "Add the type" : "Save"}
        </button>
      </div>
    </ActionForm>
  );
}

/** Takes a type off sale or brings it back; one that nobody ever ordered can be deleted. */
function OffSale({ found, type }: { found: TypesOfEvent; type: TypeOfEvent }) {
  const path = `${eventScreenPath(found.event.screenId, "tickets")}/${type.id}`;
  const isOff = type.retired_at !== null;
  return (
    <section className="sec" aria-labelledby="off-sale-title">
      <div className="sec-h">
        <h2 id="off-sale-title">{isOff ? "Bring it back" : "Take it off sale"}</h2>
      </div>
      <p className="hint">
        {isOff
          ? "Nobody can order it now. Tickets that were sold are valid."
          : "Nobody can order it any more. Tickets that were sold stay valid, and orders keep their titles and prices."}
      </p>
      <div className="acts">
        <form method="post" action={`${path}/${isOff ? "bring-back" : "retire"}`}>
          <button className="btn quiet" type="submit">
            {isOff ? "Bring it back" : "Take it off sale"}
          </button>
        </form>
        {!type.wasOrdered && (
          <form method="post" action={`${path}/delete`}>
            <button className="btn quiet" type="submit">
              Delete it
            </button>
          </form>
        )}
      </div>
    </section>
  );
}

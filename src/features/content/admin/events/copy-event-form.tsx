import { randomUUID } from "node:crypto";
import type { ScreenRequest } from "#admin/screen.ts";
import { eventScreenPath } from "#admin/ui/event-views.tsx";
import { ActionForm, TextField } from "#admin/ui/form.tsx";

/** Below an event: the day of its copy. */
export function CopyEventForm({ id, request }: { id: number; request: ScreenRequest }) {
  const action = `/admin/events/${id}/copy`;
  const { form } = request;
  return (
    <section className="sec" aria-labelledby="copy-title">
      <div className="sec-h">
        <h2 id="copy-title">Copy this event</h2>
      </div>
      <p className="hint">
        The copy is a draft with the same texts and picture. Its ticket types come along, with nobody in them, and their
        sales begin and end as long before it as here. Discount codes stay here.
      </p>
      <ActionForm action={action} id="copy" request={request}>
        <input
          type="hidden"
          name="form"
          value={form?.action === action ? (form.values.form?.[0] ?? randomUUID()) : randomUUID()}
        />
        <div className="frow">
          <TextField name="on" label="Day of the copy" type="date" />
          <TextField name="at" label="Starts at" hint="Empty: at the same time." type="time" isOptional />
        </div>
        <button className="btn quiet" type="submit">
          Copy the event
        </button>
      </ActionForm>
    </section>
  );
}

/** Below an event: the way to the screen that says what calling it off means. */
export function CallOffLink({ id }: { id: number }) {
  return (
    <section className="sec" aria-labelledby="call-off-title">
      <div className="sec-h">
        <h2 id="call-off-title">Call it off</h2>
      </div>
      <p className="hint">
        If it does not take place: everybody gets their money back and an email. The next screen says what happens,
        before anything does.
      </p>
      <p>
        <a className="btn danger" href={eventScreenPath(id, "call-off")}>
          Call off this event
        </a>
      </p>
    </section>
  );
}

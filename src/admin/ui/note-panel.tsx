import { hasRight, type Right } from "../rights.ts";
import type { ScreenRequest } from "../screen.ts";
import { ActionForm, TextArea } from "./form.tsx";

/** Writes a note on what the screen shows, for those with the right. `path`: where it is sent. */
export function NotePanel({ path, right, request }: { path: string; right: Right; request: ScreenRequest }) {
  if (request.staff === null || !hasRight(request.staff, right)) return null;
  return (
    <section className="panel" aria-labelledby="note-title">
      <h2 id="note-title">Note</h2>
      <ActionForm action={path} id="note" request={request}>
        <TextArea
          name="text"
          label="For your colleagues"
          hint="It cannot be changed or erased later, and whom it is about may ask to read it. No card numbers."
          rows={3}
        />
        <p className="press">
          <button className="btn quiet" type="submit">
            Add the note
          </button>
        </p>
      </ActionForm>
    </section>
  );
}

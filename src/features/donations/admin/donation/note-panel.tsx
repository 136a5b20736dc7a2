import { hasRight } from "#admin/rights.ts";
import type { ScreenRequest } from "#admin/screen.ts";
import { ActionForm, TextArea } from "#admin/ui/form.tsx";

/** Writes a note, for those who may. */
export function NotePanel({ id, request }: { id: string; request: ScreenRequest }) {
  if (request.staff === null || !hasRight(request.staff, "donations.change")) return null;
  return (
    <section className="panel" aria-labelledby="note-title">
      <h2 id="note-title">Note</h2>
      <ActionForm action={`/admin/donations/${id}/note`} id="note" request={request}>
        <TextArea
          name="text"
          label="For your colleagues"
          hint="It cannot be changed or erased later, and the donor may ask to read it. No card numbers."
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

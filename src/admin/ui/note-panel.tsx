import { hasRight, type Right } from "../rights.ts";
import type { ScreenRequest } from "../screen.ts";
import { ActionForm, TextArea } from "./form.tsx";

type Props = {
  /** Where the note is sent. */
  readonly path: string;
  readonly right: Right;
  readonly request: ScreenRequest;
  /** How long the note is kept, who may read it, and what it must not have. */
  readonly hint?: string;
};

const KEPT = "It cannot be changed or erased later, and whom it is about may ask to read it. No card numbers.";

/** Writes a note on what the screen shows, for those with the right. */
export function NotePanel({ path, right, request, hint = KEPT }: Props) {
  if (request.staff === null || !hasRight(request.staff, right)) return null;
  return (
    <section className="panel" aria-labelledby="note-title">
      <h2 id="note-title">Note</h2>
      <ActionForm action={path} id="note" request={request}>
        <TextArea name="text" label="For your colleagues" hint={hint} rows={3} />
        <p className="press">
          <button className="btn quiet" type="submit">
            Add the note
          </button>
        </p>
      </ActionForm>
    </section>
  );
}

import type { FilledForm } from "#admin/screen.ts";
import { Note } from "#admin/ui/note.tsx";
import { cleanHtml } from "#shared/html/removed-parts.ts";
import type { Kind } from "../server/editing/kind.ts";
import { agreementTo } from "./agreement.ts";

/** The parts of a text that the site cannot show. Sending the form again means agreeing to leave them out. */
export function LeftOut({ kind, form }: { kind: Kind; form: FilledForm }) {
  const left = kind.fields
    .filter(({ input }) => input === "html")
    .map(({ name }) => form.values[name]?.[0] ?? "")
    .map((text) => ({ text, removed: cleanHtml(text).removed }))
    .filter(({ removed }) => removed.length > 0);
  return left.map(({ text, removed }) => (
    <div className="editor-note" key={text}>
      <Note look="warn" title="This would be left out of the text">
        <ul>
          {removed.map((part) => (
            <li key={part}>
              <code>{part}</code>
            </li>
          ))}
        </ul>
        <p>Change the text, or save again to leave it out.</p>
        <input type="hidden" name="agreed" value={agreementTo(text)} />
      </Note>
    </div>
  ));
}

import type { ScreenRequest } from "../screen.ts";
import { MadeLink, messageLooks } from "./form.tsx";
import { Note } from "./note.tsx";

/**
 * What came of a form that the screen no longer shows, for example because somebody else has decided. `shown`: the
 * forms that it has, by the ends of their addresses; each of them shows its own message.
 */
export function UnshownFormMessage({ request: { form }, shown }: { request: ScreenRequest; shown: readonly string[] }) {
  if (form?.message === undefined || shown.includes(form.action.split("/").at(-1)!)) return null;
  return (
    <Note look={messageLooks[form.state]} isNews>
      {form.message}
      {form.link !== undefined && <MadeLink link={form.link} />}
    </Note>
  );
}

import type { ScreenRequest } from "../screen.ts";
import { Note } from "./note.tsx";

/**
 * Why a form was refused that the screen no longer shows, for example because somebody else has decided. `shown`: the
 * forms that it has, by the ends of their addresses; each of them shows its own message.
 */
export function UnshownFormMessage({ request: { form }, shown }: { request: ScreenRequest; shown: readonly string[] }) {
  if (form?.message === undefined || shown.includes(form.action.split("/").at(-1)!)) return null;
  return (
    <Note look="bad" isNews>
      {form.message}
    </Note>
  );
}

import type { ScreenRequest } from "#admin/screen.ts";
import { ActionForm, TextField } from "#admin/ui/form.tsx";

/** A form with one field, for screens of tests. */
export function TrialForm({ request, action }: { request: ScreenRequest; action: string }) {
  return (
    <ActionForm action={action} id="trial" request={request}>
      <TextField name="note" label="Note" />
      <TextField name="password" label="Password" type="password" />
    </ActionForm>
  );
}

import type { ComponentProps } from "react";
import { ExplainedButton, PreviousButton } from "#shared/ui/form-actions.tsx";
import type { DonationForm } from "./use-donation.ts";

/** The Previous and Next buttons; a step opened by Change only leads back to the preview. */
export function StepActions({
  donation,
  ...next
}: { donation: DonationForm } & ComponentProps<typeof ExplainedButton>) {
  const { step, isChanging } = donation.flow;
  return (
    <div className="form-actions">
      {step > 1 && !isChanging && <PreviousButton onClick={donation.goBack} />}
      <ExplainedButton {...next}>{isChanging ? "Save and go back to Preview" : "Next"}</ExplainedButton>
    </div>
  );
}

import type { KnownPlaces } from "#shared/places/contract.ts";
import { fetchLater } from "#shared/ui/form-later.tsx";
import type { ApplicationForm } from "./use-application.ts";
import type { Reached } from "./ways.tsx";

export type LaterStepsProps = {
  readonly form: ApplicationForm;
  readonly organisation: Reached;
  readonly places: KnownPlaces;
};

/** The code of steps 2 to 4. */
export const laterSteps = fetchLater(() => import("./later-steps.tsx"));

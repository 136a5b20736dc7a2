import { fetchLater } from "#shared/ui/form-later.tsx";
import type { ApplicationForm } from "./use-application.ts";
import type { Reached } from "./ways.tsx";

export type LaterStepsProps = { readonly form: ApplicationForm; readonly organisation: Reached };

/** The code of steps 2 to 4. */
export const laterSteps = fetchLater(() => import("./later-steps.tsx"));

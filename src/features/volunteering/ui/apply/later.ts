import { fetchLater } from "#shared/ui/form-later.tsx";

/** The code of steps 2 to 4. */
export const laterSteps = fetchLater(() => import("./later-steps.tsx"));

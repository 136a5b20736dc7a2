import { fetchLater } from "#shared/ui/form-later.tsx";

/** The code of steps 2 to 5. */
export const laterSteps = fetchLater(() => import("./later-steps.tsx"));

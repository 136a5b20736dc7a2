import { fetchLater } from "#shared/ui/form-later.tsx";

/** The code of paying and of what comes after. */
export const laterPart = fetchLater(() => import("./later-part.tsx"));

import type { Screen } from "#admin/screen.ts";
import { organisationScreens } from "./organisation/organisation-screens.tsx";

export const settingsScreens: readonly Screen[] = organisationScreens;

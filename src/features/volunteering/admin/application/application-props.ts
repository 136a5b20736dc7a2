import { hasRight } from "#admin/rights.ts";
import type { ScreenRequest } from "#admin/screen.ts";
import type { ApplicationScreenData } from "./find-application.ts";

/** What each part of an application’s screen gets. */
export type ApplicationProps = { readonly data: ApplicationScreenData; readonly request: ScreenRequest };

export const mayChange = ({ staff }: Pick<ScreenRequest, "staff">): boolean =>
  staff !== null && hasRight(staff, "applications.change");

import { hasRight } from "#admin/rights.ts";
import type { ScreenRequest } from "#admin/screen.ts";

export const mayChangeCatalogue = ({ staff }: Pick<ScreenRequest, "staff">) =>
  staff !== null && hasRight(staff, "catalogue.change");

import type { KnownPlaces } from "#shared/places/contract.ts";
import type { OrganisationContact } from "./contact-ways.tsx";
import type { ApplicationForm } from "./use-application.ts";

export type LazyStepsProps = {
  readonly form: ApplicationForm;
  readonly organisation: OrganisationContact;
  readonly places: KnownPlaces;
};

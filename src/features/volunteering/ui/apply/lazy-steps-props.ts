import type { KnownPlaces } from "#shared/places/contract.ts";
import type { Reached } from "./contact-ways.tsx";
import type { ApplicationForm } from "./use-application.ts";

export type LazyStepsProps = {
  readonly form: ApplicationForm;
  readonly organisation: Reached;
  readonly places: KnownPlaces;
};

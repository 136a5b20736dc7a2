import type { KnownPlaces } from "#shared/places/contract.ts";
import type { ApplicationForm } from "./use-application.ts";
import type { Reached } from "./ways.tsx";

export type LazyStepsProps = {
  readonly form: ApplicationForm;
  readonly organisation: Reached;
  readonly places: KnownPlaces;
};

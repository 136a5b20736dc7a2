import { askFor } from "#shared/ui/ask.ts";
import { listStatesCall, type State } from "../contract.ts";

/** @throws if the call fails. */
export function listStates(countryId: number): Promise<readonly State[]> {
  return askFor(listStatesCall, { params: { countryId } });
}

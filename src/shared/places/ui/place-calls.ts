import { ask } from "#shared/ui/ask.ts";
import { listStatesCall, type State } from "../contract.ts";

/** @throws when they did not come. */
export async function listStates(countryId: number): Promise<readonly State[]> {
  const answer = await ask(listStatesCall, { params: { countryId } });
  if (!answer.ok) throw new Error(answer.message);
  return answer.data;
}

import type { FormOutcome } from "../use-account-form.ts";

type Calls = typeof import("./personal-calls.ts");

const loadCalls = () => import("./personal-calls.ts");

/** Loads the calls in advance. Ignores a failure: sending tries again and reports it. */
export function beginPersonalCalls(): void {
  loadCalls().catch(() => undefined);
}

/** Refuses with a sentence if the calls do not load. */
export async function withPersonalCalls(send: (calls: Calls) => Promise<FormOutcome>): Promise<FormOutcome> {
  const calls = await loadCalls().catch(() => undefined);
  if (calls !== undefined) return send(calls);
  return { kind: "refused", text: "Nothing was sent. Please check your connection and try again." };
}

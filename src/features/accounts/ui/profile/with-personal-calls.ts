import type { Outcome } from "../use-account-form.ts";

type Calls = typeof import("./personal-calls.ts");

const loadCalls = () => import("./personal-calls.ts");

/** Fetches what sending needs; what fails now is tried again, and said, when it is needed. */
export function beginPersonalCalls(): void {
  loadCalls().catch(() => undefined);
}

export async function withPersonalCalls(send: (calls: Calls) => Promise<Outcome>): Promise<Outcome> {
  const calls = await loadCalls().catch(() => undefined);
  if (calls !== undefined) return send(calls);
  return { kind: "refused", says: "Nothing could be sent. Please check your connection and try again." };
}

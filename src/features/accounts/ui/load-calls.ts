export const loadCalls = () => import("./entrance-calls.ts");

/** Loads the calls while the form is being filled in. Ignores a failure: sending tries again and reports it. */
export function beginLoading(): void {
  loadCalls().catch(() => undefined);
}

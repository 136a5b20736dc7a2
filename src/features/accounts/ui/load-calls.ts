/** What sending a form needs. */
export const loadCalls = () => import("./entrance-calls.ts");

/** Fetches it while the form is being filled in; what fails now is tried again, and said, when it is needed. */
export function beginLoading(): void {
  loadCalls().catch(() => undefined);
}

import { loginThen } from "#shared/paths.ts";
import { dropUser } from "#shared/ui/session-record.ts";

/** After a call that found nobody logged in: goes to the log-in page and back here. */
export function sendToLogin(): void {
  dropUser();
  location.assign(loginThen(location.pathname + location.search));
}

import { loginThen } from "#shared/paths.ts";
import { dropUser } from "#shared/ui/session-record.ts";

/** For a call that found nobody logged in: to the log-in, and back here. */
export function sendToLogin(): void {
  dropUser();
  location.assign(loginThen(location.pathname + location.search));
}

import type { AdminPart } from "#admin/feature.ts";
import { plural } from "#shared/language.ts";
import type { LiveResult } from "#shared/live-checks.ts";
import type { SettingsServices } from "../../server/settings-services.ts";

export const GOING_LIVE_PATH = "/admin/settings/going-live";

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly goingLive: { readonly isLive: boolean; readonly results: readonly LiveResult[] };
  }
}

/** What is missing before the site can take real payments. */
export function goingLivePart({ config: { isLive, liveResults } }: SettingsServices): AdminPart {
  const missing = liveResults.filter(({ isMet }) => !isMet).length;
  const text = plural(missing, {
    one: "Payments are simulated: one requirement of real ones is missing",
    other: `Payments are simulated: ${missing} requirements of real ones are missing`,
  });
  const ready = "Payments are simulated: everything is ready for real ones";
  return {
    reads: { goingLive: { isLive, results: liveResults } },
    dashboard: [
      {
        right: "settings.see",
        listWaiting: async () =>
          isLive
            ? []
            : [
                {
                  text: missing === 0 ? ready : text,
                  ...({ linkText: "Going live", path: GOING_LIVE_PATH, look: "warn" } as const),
                },
              ],
      },
    ],
  };
}

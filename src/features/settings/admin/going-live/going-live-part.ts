import type { AdminPart } from "#admin/feature.ts";
import { plural } from "#shared/language.ts";
import { checkLive, type LiveResult } from "#shared/live-checks.ts";
import type { ExampleText, SettingsServices } from "../../server/settings-services.ts";

export const GOING_LIVE_PATH = "/admin/settings/going-live";

/** The list of what still has a text of the example, to which the set-up screen leads. */
export const EXAMPLE_TEXTS_ID = "example-texts";

/** The requirements of real payments as they hold now. */
export type GoingLive = { readonly isLive: boolean; readonly isDemo: boolean; readonly results: readonly LiveResult[] };

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly readGoingLive: () => GoingLive;
    readonly listExampleTexts: () => Promise<readonly ExampleText[]>;
  }
}

/** What is missing before the site can take real payments. */
export function goingLivePart({ config, organisation, setUpSources }: SettingsServices): AdminPart {
  const { isLive, isDemo, liveSettings } = config;
  const listResults = () => checkLive(liveSettings, organisation.current());
  return {
    reads: {
      readGoingLive: () => ({ isLive, isDemo, results: listResults() }),
      listExampleTexts: () => setUpSources.listExampleTexts(),
    },
    dashboard: [
      {
        right: "settings.change",
        listWaiting: async () => {
          if (isLive) return [];
          const missing = listResults().filter(({ isMet }) => !isMet).length;
          const text = `${isDemo ? "Payments are simulated" : "Payments are off"}: ${describeMissing(missing)}`;
          return [{ text, linkText: "Get ready to go live", path: GOING_LIVE_PATH, look: "warn" }];
        },
      },
    ],
  };
}

function describeMissing(missing: number): string {
  if (missing === 0) return "everything is ready for real ones";
  return plural(missing, {
    one: "one requirement of real ones is missing",
    other: `${missing} requirements of real ones are missing`,
  });
}

import type { FastifyBaseLogger } from "fastify";
import { SET_UP_SETTING, SetUpState } from "#features/settings/set-up-steps.ts";
import { FEES_SETTING, FeeChanges, withFeeChanges } from "#payments/fees.ts";
import type { Config } from "#shared/config/config.ts";
import type { Database } from "#shared/database/connect.ts";
import { ORGANISATION_SETTING, Organisation, withChanges } from "#shared/organisation.ts";

/** The settings that staff change, as they are now. `refresh` reads them again. */
export function createSiteSettings(
  database: Database,
  config: Pick<Config, "organisation" | "fees">,
  log: FastifyBaseLogger,
) {
  let { organisation, fees } = config;
  let setUp: SetUpState | null = null;
  return {
    organisation: { current: () => organisation },
    fees: { current: () => fees },
    /** How far a new site is set up; null on a site that began with content. */
    setUp: { current: () => setUp },
    /** What is invalid is logged and ignored, so that a slip never takes the site down (LAY-10). */
    async refresh(): Promise<void> {
      const rows = await database.selectFrom("site_settings").select(["key", "value"]).execute();
      const findValue = (key: string) => rows.find((row) => row.key === key)?.value ?? {};
      const merged = Organisation.safeParse(withChanges(config.organisation, findValue(ORGANISATION_SETTING)));
      if (merged.success) organisation = merged.data;
      else log.error({ issues: merged.error.issues }, "the organisation's settings in the database are invalid");
      const state = SetUpState.nullable().safeParse(rows.find(({ key }) => key === SET_UP_SETTING)?.value ?? null);
      if (state.success) setUp = state.data;
      else log.error({ issues: state.error.issues }, "how far the site is set up is invalid in the database");
      const changes = FeeChanges.safeParse(findValue(FEES_SETTING));
      if (changes.success) fees = withFeeChanges(config.fees, changes.data);
      else log.error({ issues: changes.error.issues }, "the fees in the database are invalid");
    },
  };
}

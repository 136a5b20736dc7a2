import type { Config } from "#shared/config/config.ts";
import type { Database } from "#shared/database/connect.ts";
import type { Files } from "#shared/database/stored-file.ts";
import type { Organisation } from "#shared/organisation.ts";
import type { Jobs } from "./jobs.ts";

type Core = {
  readonly database: Database;
  readonly files: Files;
  readonly jobs: Jobs;
  readonly organisation: { current(): Organisation };
  readonly now: () => Date;
};

/** The services and settings that a module needs, by name. */
export type CoreServices<Part extends keyof Core, Setting extends keyof Config = never> = Pick<Core, Part> &
  ([Setting] extends [never] ? unknown : { readonly config: Pick<Config, Setting> });

import type { AdminPart } from "#admin/feature.ts";
import type { SettingsServices } from "../../server/settings-services.ts";
import { listServerSettings, type ServerSettings } from "./server-settings.ts";

export const SERVER_PATH = "/admin/settings/server";

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly serverSettings: readonly ServerSettings[];
  }
}

/** What the server was started with, to read. */
export function serverPart({ config }: SettingsServices): AdminPart {
  return { reads: { serverSettings: listServerSettings(config) } };
}

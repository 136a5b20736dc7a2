import type { Connection } from "#shared/database/connect.ts";
import { changesTo, ORGANISATION_SETTING, Organisation, withChanges } from "#shared/organisation.ts";
import {
  findSettingValue,
  type ListedVersion,
  listSettingVersions,
  readSetting,
  type SettingVersion,
} from "./setting-versions.ts";

export type OrganisationVersion = SettingVersion & {
  readonly organisation: Organisation;
  /** What is wrong with what SQL has written, which the site ignores; empty if nothing is. */
  readonly faults: readonly string[];
};

/** The organisation with the changes of this version. Changes that the schema refuses count as none. */
export function describeVersion(delivered: Organisation, version: SettingVersion): OrganisationVersion {
  const parsed = Organisation.safeParse(withChanges(delivered, version.value));
  if (parsed.success) return { ...version, organisation: parsed.data, faults: [] };
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}.`);
  return { ...version, organisation: delivered, faults };
}

/** The organisation as it is now. */
export async function readOrganisationVersion(
  connection: Connection,
  delivered: Organisation,
): Promise<OrganisationVersion> {
  return describeVersion(delivered, await readSetting(connection, ORGANISATION_SETTING));
}

/** As it was with an earlier version; null if there is none with this number. */
export async function findEarlierOrganisation(
  connection: Connection,
  delivered: Organisation,
  number: number,
): Promise<Organisation | null> {
  const value = await findSettingValue(connection, ORGANISATION_SETTING, number);
  if (value === null) return null;
  return describeVersion(delivered, { number, value, savedAt: null, savedBy: null }).organisation;
}

export type EarlierOrganisation = ListedVersion & { readonly organisation: Organisation };

/** The organisation as it was with each of the last versions, latest first. */
export async function listEarlierOrganisations(
  connection: Connection,
  delivered: Organisation,
): Promise<EarlierOrganisation[]> {
  const versions = await listSettingVersions(connection, ORGANISATION_SETTING);
  return versions.map((version) => ({ ...version, organisation: describeVersion(delivered, version).organisation }));
}

/** What to keep of it: only what differs from the file, so that the rest follows the file. */
export const changesOf = (delivered: Organisation, organisation: Organisation): unknown =>
  changesTo(delivered, organisation) ?? {};

import { Refusal } from "#admin/actions.ts";
import { type Actor, recordAct } from "#admin/audit.ts";
import { lockSetting, readSetting, writeSetting } from "./setting-versions.ts";
import type { LegalText, SettingsServices } from "./settings-services.ts";

/** The row of `site_settings` with the digest of each legal text that somebody has read. */
const LEGAL_SETTING = "legal-texts-read";

type LegalServices = Pick<SettingsServices, "database" | "setUpSources" | "now">;

export type ReadLegalText = LegalText & {
  /** Whether somebody has said that they have read it as it is now. */
  readonly isRead: boolean;
  /** Somebody had read it, and it was changed since. */
  readonly isChanged: boolean;
};

/** The policies of the site, with whether somebody has read them. */
export async function listLegalTexts({ database, setUpSources }: LegalServices): Promise<ReadLegalText[]> {
  const [texts, { value }] = await Promise.all([setUpSources.listLegalTexts(), readSetting(database, LEGAL_SETTING)]);
  const read = value as Readonly<Record<string, unknown>>;
  return texts.map((text) => {
    const isRead = read[text.key] === text.digest;
    return { ...text, isRead, isChanged: !isRead && read[text.key] !== undefined };
  });
}

/** The titles of those that nobody has read as they are now. */
export async function listUnreadTexts(services: LegalServices): Promise<string[]> {
  return (await listLegalTexts(services)).filter(({ isRead }) => !isRead).map(({ title }) => title);
}

/**
 * Keeps that a person has read a text. `digest` is that of the text which they had before them.
 * @throws Refusal if it was changed since
 */
export async function markAsRead(
  { database, setUpSources, now }: LegalServices,
  { actor, staffId }: { readonly actor: Actor; readonly staffId: number },
  { key, digest }: { readonly key: string; readonly digest: string },
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const at = now();
    const version = await lockSetting(transaction, LEGAL_SETTING, at);
    const text = (await setUpSources.listLegalTexts()).find((one) => one.key === key);
    if (text === undefined) throw new Refusal("There is no such text. Reload the page.");
    if (text.digest !== digest) {
      throw new Refusal(`‘${text.title}’ was changed while you were reading. Read it again, then mark it as read.`);
    }
    const value = version.value as Readonly<Record<string, unknown>>;
    if (value[key] === digest) return;
    const changed = { ...value, [key]: digest };
    await writeSetting(transaction, LEGAL_SETTING, { value: changed, by: staffId, at, over: version.number });
    await recordAct(transaction, actor, { verb: "legal-text.read", subject: "legal-text", subjectId: key }, at);
  });
}

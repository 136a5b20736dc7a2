import { z } from "zod";
import { type Action, action, Refusal, type SentForm } from "#admin/actions.ts";
import { recordAct } from "#admin/audit.ts";
import { drawPreviews } from "#admin/email-preview.ts";
import type { AdminPart } from "#admin/feature.ts";
import { readDocumentLook } from "#shared/brand/document-look.ts";
import { AppError } from "#shared/errors.ts";
import { type DeclaredEmail, emailSetting } from "#shared/mail/declared-email.ts";
import { readEditedTexts } from "#shared/mail/email-texts.ts";
import {
  findSettingValue,
  type ListedVersion,
  listSettingVersions,
  lockSetting,
  readSetting,
  type SettingVersion,
  writeSetting,
} from "../../server/setting-versions.ts";
import type { SettingsServices } from "../../server/settings-services.ts";
import {
  type EmailWords,
  hasIgnored,
  listEmailPlaceholders,
  listGone,
  listKept,
  listTexts,
  listWordChanges,
  readTyped,
  type ShownPlaceholder,
  type ShownText,
} from "./email-words.ts";

export const EMAILS_PATH = "/admin/settings/emails";
export const emailPath = (name: string) => `${EMAILS_PATH}/${name}`;

export type ListedEmail = Pick<DeclaredEmail, "name" | "title" | "when"> & {
  readonly isEdited: boolean;
  readonly hasIgnored: boolean;
};

export type EmailList = {
  readonly groups: readonly { readonly about: string; readonly emails: readonly ListedEmail[] }[];
  /** Edited emails that the site does not send any more. */
  readonly gone: readonly string[];
};

export type ShownEmail = Pick<DeclaredEmail, "name" | "title" | "when"> & {
  readonly version: SettingVersion;
  readonly texts: readonly ShownText[];
  readonly placeholders: readonly ShownPlaceholder[];
  /** What was saved of texts that the email does not have any more. */
  readonly gone: readonly string[];
  /** The texts as the form found them, if somebody has changed them since. */
  readonly base: readonly ShownText[] | null;
  /** The versions with other words than now, latest first. */
  readonly earlier: readonly ListedVersion[];
  /** The words of an earlier version, if one was asked for. */
  readonly chosen: { readonly number: number; readonly texts: readonly ShownText[] } | null;
};

/** The version that a form began from, and the one that somebody wants to see. */
type Wanted = { readonly from: string | undefined; readonly chosen: number | null };

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly listEmails: () => Promise<EmailList>;
    /** Null if there is no such email. */
    readonly findEmail: (name: string, wanted: Wanted) => Promise<ShownEmail | null>;
  }
}

/** What staff may write in the emails. */
export function emailsPart(services: SettingsServices): AdminPart {
  const { groups, find } = arrange(services);
  const { database } = services;
  return {
    reads: {
      listEmails: async (): Promise<EmailList> => {
        const edited = await readEditedTexts(database);
        return {
          groups: groups.map(({ about, emails }) => ({
            about,
            emails: emails.map((email) => listedEmail(email, edited.get(email.name))),
          })),
          gone: [...edited.keys()].filter((name) => find(name) === undefined),
        };
      },
      findEmail: async (name: string, wanted: Wanted): Promise<ShownEmail | null> => {
        const email = find(name);
        return email === undefined ? null : readEmail(services, email, wanted);
      },
    },
    actions: [saveAction(services), restoreAction(services), previewAction(services)],
  };
}

function arrange({ settingPreviews: { emailGroups } }: SettingsServices) {
  const groups = [...emailGroups].map(([about, emails]) => ({ about, emails }));
  const emails = new Map(groups.flatMap(({ emails }) => emails.map((email) => [email.name, email])));
  return { groups, find: (name: string): DeclaredEmail | undefined => emails.get(name) };
}

const listedEmail = (email: DeclaredEmail, edited: unknown): ListedEmail => ({
  name: email.name,
  title: email.title,
  when: email.when,
  isEdited: Object.keys(listKept(email, edited)).length > 0,
  hasIgnored: hasIgnored(email, edited),
});

async function readEmail(
  { database }: SettingsServices,
  email: DeclaredEmail,
  { from, chosen: wanted }: Wanted,
): Promise<ShownEmail> {
  const key = emailSetting(email.name);
  const [version, versions] = await Promise.all([readSetting(database, key), listSettingVersions(database, key)]);
  const chosen = versions.find(({ number }) => number === wanted);
  const began = Number(from ?? version.number);
  const isOld = Number.isInteger(began) && began >= 0 && began < version.number;
  const base = isOld ? await findSettingValue(database, key, began) : null;
  return {
    name: email.name,
    title: email.title,
    when: email.when,
    version,
    texts: listTexts(email, version.value),
    placeholders: listEmailPlaceholders(email),
    gone: listGone(email, version.value),
    base: base === null ? null : listTexts(email, base),
    earlier: versions.filter(({ value }) => listWordChanges(email, value, version.value) !== null),
    chosen: chosen === undefined ? null : { number: chosen.number, texts: listTexts(email, chosen.value) },
  };
}

const Fields = z.looseObject({ from: z.coerce.number().int().min(0).max(1_000_000_000).catch(0) });

const screenPath = emailPath(":name");
const changing = { screen: screenPath, right: "settings.change", needsProof: true, fields: Fields } as const;

function saveAction(services: SettingsServices): Action {
  return action({
    path: screenPath,
    ...changing,
    run: (sent) => changeWords(services, sent, (email, current) => wordsTyped(email, sent.fields, current)),
  });
}

function restoreAction(services: SettingsServices): Action {
  return action({
    path: `${screenPath}/delivered`,
    ...changing,
    run: (sent) => changeWords(services, sent, () => ({})),
  });
}

/** Saves other words, unless somebody has changed this email since the form began. */
function changeWords(
  services: SettingsServices,
  { fields, params, actor, staff }: SentForm<z.output<typeof Fields>>,
  wordsFrom: (email: DeclaredEmail, current: unknown) => EmailWords,
) {
  const email = requireEmail(services, params);
  const key = emailSetting(email.name);
  return services.database.transaction().execute(async (transaction) => {
    const at = services.now();
    const version = await lockSetting(transaction, key, at);
    const base = await findSettingValue(transaction, key, fields.from);
    if (base === null || listWordChanges(email, base, version.value) !== null) {
      throw new Refusal(describeConflict(version));
    }
    const value = wordsFrom(email, version.value);
    const changes = listWordChanges(email, version.value, value);
    if (changes === null && !hasIgnored(email, version.value)) {
      return { to: emailPath(email.name), toast: "Nothing was changed." };
    }
    await writeSetting(transaction, key, { value, by: staff.id, at, over: version.number });
    const isRestored = Object.keys(value).length === 0;
    const verb = isRestored ? "email.restore" : "email.change";
    await recordAct(transaction, actor, { verb, subject: "email", subjectId: email.name, ...changes }, at);
    return {
      to: emailPath(email.name),
      toast: isRestored
        ? "All texts of this email are as delivered again."
        : "Saved. Emails use these texts from now on, including those that wait to be sent.",
    };
  });
}

function requireEmail(services: SettingsServices, { name = "" }: Readonly<Record<string, string>>): DeclaredEmail {
  const email = arrange(services).find(name);
  if (email === undefined) throw new AppError("not_found");
  return email;
}

function describeConflict({ savedBy }: SettingVersion): string {
  const who = savedBy?.name ?? "Somebody outside the back office";
  return `${who} changed this email while you were writing. Yours is not saved yet, but nothing is lost: see both below, and save again.`;
}

function wordsTyped(email: DeclaredEmail, typed: Readonly<Record<string, unknown>>, current: unknown): EmailWords {
  const read = readTyped(email, typed, current);
  if ("errors" in read) throw new AppError("invalid_input", { fields: read.errors });
  return read.words;
}

/** Shows the whole email with what is typed and with invented data. Nothing is saved. */
function previewAction(services: SettingsServices): Action {
  const { database, organisation, config } = services;
  return action({
    path: `${screenPath}/preview`,
    screen: screenPath,
    right: "settings.see",
    fields: z.looseObject({}),
    run: async ({ params, fields }) => {
      const email = requireEmail(services, params);
      const { value } = await readSetting(database, emailSetting(email.name));
      const texts = new Map([[email.name, wordsTyped(email, fields, value)]]);
      return {
        file: drawPreviews(email, {
          organisation: organisation.current(),
          publicUrl: config.publicUrl,
          texts,
          look: await readDocumentLook(services),
        }),
      };
    },
  });
}

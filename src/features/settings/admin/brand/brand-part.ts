import { z } from "zod";
import { type Action, action, type FileMade, Refusal, type SentForm } from "#admin/actions.ts";
import { recordAct } from "#admin/audit.ts";
import { drawPreviews } from "#admin/email-preview.ts";
import type { AdminPart } from "#admin/feature.ts";
import { describeSeen } from "#admin/set-up.ts";
import { readDocumentLook } from "#shared/brand/document-look.ts";
import { checkPairs } from "#shared/brand/shades.ts";
import { BRAND_DRAFT, BRAND_SETTING, brandChanges, type SiteBrand } from "#shared/brand/site-brand.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { formatList } from "#shared/language.ts";
import { readSender } from "#shared/mail/compose-email.ts";
import { receiptGaps } from "#shared/organisation.ts";
import { paths } from "#shared/paths.ts";
import { findHeroErrors, listBrandChanges, readBrandForm } from "../../brand-fields.ts";
import {
  type BrandVersion,
  draftValue,
  findBrandBase,
  findPublishedBrand,
  listLostPictures,
  listPublishedBrands,
  type PublishedBrand,
  readBrandVersion,
} from "../../server/brand-store.ts";
import { lockSetting, writeSetting } from "../../server/setting-versions.ts";
import type { SettingsServices } from "../../server/settings-services.ts";

export const BRAND_PATH = "/admin/settings/brand";

/** What shows a brand before it is published. */
export const previewPages = [
  { path: paths.home, label: "Home page" },
  { path: paths.contact, label: "Contact page" },
  { path: paths.donation, label: "Donation form" },
  { path: paths.login, label: "Log-in" },
  { path: "receipt", label: "Receipt" },
  { path: "email", label: "Email" },
] as const;

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly readBrandVersion: () => Promise<BrandVersion>;
    /** What a form began from that somebody has changed since; null if nobody has. */
    readonly findBrandBase: (number: number) => Promise<SiteBrand | null>;
    readonly listPublishedBrands: () => Promise<PublishedBrand[]>;
  }
}

/** How the site looks. */
export function brandPart(services: SettingsServices): AdminPart {
  const { database } = services;
  return {
    reads: {
      readBrandVersion: () => readBrandVersion(database),
      findBrandBase: (number: number) => findBrandBase(database, number),
      listPublishedBrands: () => listPublishedBrands(database),
    },
    actions: [
      saveAction(services),
      publishAction(services),
      discardAction(services),
      restoreAction(services),
      previewAction(services),
    ],
  };
}

const Fields = z.looseObject({ from: z.coerce.number().int().min(0).max(1_000_000_000).catch(0) });
const changing = { screen: BRAND_PATH, right: "settings.change" } as const;

type Changing = {
  readonly transaction: Connection;
  readonly version: BrandVersion;
  readonly sent: SentForm<z.output<typeof Fields>>;
  readonly at: Date;
};

/** Runs what changes the draft, unless somebody has changed it since the form began. */
function changeDraft<Done>(
  { database, now }: SettingsServices,
  sent: SentForm<z.output<typeof Fields>>,
  change: (changing: Changing) => Promise<Done>,
): Promise<Done> {
  return database.transaction().execute(async (transaction) => {
    const at = now();
    await lockSetting(transaction, BRAND_DRAFT, at);
    const version = await readBrandVersion(transaction);
    const base = await findBrandBase(transaction, sent.fields.from);
    if (base === null || listBrandChanges(base, version.brand) !== null) {
      const who = version.savedBy ?? "Somebody outside the back office";
      throw new Refusal(
        `${who} changed the brand while you were choosing. Yours is not saved yet, but nothing is lost: see both below, and save again.`,
      );
    }
    return change({ transaction, version, sent, at });
  });
}

type DraftChange = { readonly brand: SiteBrand | null; readonly verb: string; readonly compared: SiteBrand };

/** Writes another draft, and the act. */
async function writeDraft({ transaction, version, sent, at }: Changing, { brand, verb, compared }: DraftChange) {
  const { staff, actor } = sent;
  const value = draftValue(brand);
  await writeSetting(transaction, BRAND_DRAFT, { value, by: staff.id, at, over: version.number });
  const changes = listBrandChanges(version.brand, compared);
  const act = { verb, subject: "brand", subjectId: "brand" };
  if (changes === null) return void (await recordAct(transaction, actor, act, at));
  const { before, after } = changes;
  await recordAct(transaction, actor, { ...act, before, after }, at);
}

function saveAction(services: SettingsServices): Action {
  return action({
    path: BRAND_PATH,
    ...changing,
    fields: Fields,
    run: (sent) =>
      changeDraft(services, sent, async (changed) => {
        const { transaction, version } = changed;
        const read = readBrandForm(sent.fields, version.brand);
        if ("errors" in read) throw new AppError("invalid_input", { fields: read.errors });
        const { brand } = read;
        const lost = await listLostPictures(transaction, brand);
        const gone = ["The library does not have this picture. Choose another."];
        if (lost.length > 0) {
          throw new AppError("invalid_input", { fields: Object.fromEntries(lost.map((name) => [name, gone])) });
        }
        if (listBrandChanges(version.brand, brand) === null) return { to: BRAND_PATH, toast: "Nothing was changed." };
        const isBack = listBrandChanges(version.published, brand) === null;
        await writeDraft(changed, { brand: isBack ? null : brand, verb: "brand.draft", compared: brand });
        if (isBack) return { to: BRAND_PATH, toast: "Saved: this is what visitors see already." };
        return { to: BRAND_PATH, toast: "Saved as a draft. Visitors see it once you publish it." };
      }),
  });
}

function publishAction(services: SettingsServices): Action {
  return action({
    path: `${BRAND_PATH}/publish`,
    ...changing,
    fields: Fields,
    needsProof: true,
    run: (sent) =>
      changeDraft(services, sent, async ({ transaction, version: { brand, published, number }, at }) => {
        const changes = listBrandChanges(published, brand);
        if (changes === null) throw new Refusal("There is no draft to publish: visitors see this already.");
        if (checkPairs(brand).some(({ passes }) => !passes)) {
          throw new Refusal("Some people could not read these colours. Take the shades that are offered below first.");
        }
        if (findHeroErrors(brand) !== null) {
          throw new Refusal("Say what the photograph on the home page shows, or tick that it only decorates.");
        }
        const { staff, actor } = sent;
        const over = (await lockSetting(transaction, BRAND_SETTING, at)).number;
        await writeSetting(transaction, BRAND_SETTING, { value: brandChanges(brand), by: staff.id, at, over });
        await writeSetting(transaction, BRAND_DRAFT, { value: draftValue(null), by: staff.id, at, over: number });
        const { before, after } = changes;
        const act = { verb: "brand.publish", subject: "brand", subjectId: "brand", before, after };
        await recordAct(transaction, actor, act, at);
        return { to: BRAND_PATH, toast: `Published. ${describeSeen(services)}` };
      }),
  });
}

function discardAction(services: SettingsServices): Action {
  return action({
    path: `${BRAND_PATH}/discard`,
    ...changing,
    fields: Fields,
    run: (sent) =>
      changeDraft(services, sent, async (changed) => {
        const { isDraft, published } = changed.version;
        if (!isDraft) throw new Refusal("There is no draft.");
        await writeDraft(changed, { brand: null, verb: "brand.discard", compared: published });
        return { to: BRAND_PATH, toast: "The draft is gone. Visitors see what they saw before." };
      }),
  });
}

/** Makes an earlier brand the draft, so that it is seen before it is published. */
function restoreAction(services: SettingsServices): Action {
  return action({
    path: `${BRAND_PATH}/restore`,
    ...changing,
    fields: Fields.extend({ version: z.coerce.number().int().min(0).max(1_000_000_000) }),
    run: (sent) =>
      changeDraft(services, sent, async (changed) => {
        const brand = await findPublishedBrand(changed.transaction, sent.fields.version);
        if (brand === null) throw new Refusal("There is no such version.");
        const lost = await listLostPictures(changed.transaction, brand);
        const kept = { ...brand, ...Object.fromEntries(lost.map((name) => [name, ""])) };
        await writeDraft(changed, { brand: kept, verb: "brand.restore", compared: kept });
        return { to: BRAND_PATH, toast: "It is the draft now. Look at it, and publish it." };
      }),
  });
}

/** Shows what is saved on a page of the site, a receipt or an email. */
function previewAction(services: SettingsServices): Action {
  const { database, brands, settingPreviews } = services;
  return action({
    path: `${BRAND_PATH}/preview`,
    screen: BRAND_PATH,
    right: "settings.see",
    fields: z.object({ page: z.enum(previewPages.map(({ path }) => path) as [string, ...string[]]) }),
    run: async ({ fields }) => {
      const { brand } = await readBrandVersion(database);
      if (fields.page === "receipt") return { file: await drawReceipt(services, brand) };
      if (fields.page === "email") return { file: await drawEmail(services, brand) };
      const page = await settingPreviews.renderPage?.(fields.page, { brand: await brands.frameOf(brand) });
      if (!page) throw new Refusal("The site serves no pages at the moment, so there is nothing to show.");
      return { file: { bytes: page.html, headers: { ...page.headers, "content-type": "text/html; charset=utf-8" } } };
    },
  });
}

/** A receipt with invented data. */
async function drawReceipt(
  { database, files, organisation, settingPreviews }: SettingsServices,
  brand: SiteBrand,
): Promise<FileMade["file"]> {
  const gaps = receiptGaps(organisation.current());
  if (gaps.length > 0) throw new Refusal(`No receipt can be made without ${formatList(gaps, "and")}.`);
  const look = await readDocumentLook({ database, files }, brand);
  const bytes = await settingPreviews.drawSpecimenReceipt(organisation.current(), look);
  const headers = {
    "content-type": "application/pdf",
    "content-disposition": 'inline; filename="specimen-receipt.pdf"',
  };
  return { bytes, headers };
}

/** The email with which donors get their receipt. */
async function drawEmail(services: SettingsServices, brand: SiteBrand): Promise<FileMade["file"]> {
  const emails = [...services.settingPreviews.emailGroups.values()].flat();
  const email = emails.find(({ name }) => name === "receipt") ?? emails[0]!;
  const look = await readDocumentLook(services, brand);
  return drawPreviews(email, { ...(await readSender(services)), look });
}

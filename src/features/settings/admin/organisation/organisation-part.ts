import { z } from "zod";
import { type Action, action, Refusal } from "#admin/actions.ts";
import { recordAct } from "#admin/audit.ts";
import type { AdminPart } from "#admin/feature.ts";
import { describeSeen } from "#admin/set-up.ts";
import { AppError } from "#shared/errors.ts";
import { formatList } from "#shared/language.ts";
import { hasNoMail } from "#shared/mail/has-no-mail.ts";
import { listReceiptGaps, ORGANISATION_SETTING, type Organisation, receiptGaps } from "#shared/organisation.ts";
import { paths } from "#shared/paths.ts";
import { listOrganisationChanges } from "../../organisation-changes.ts";
import {
  hasBanks,
  type OrganisationGroup,
  organisationGroups,
  readOrganisation,
  type TypedFields,
} from "../../organisation-fields.ts";
import {
  changesOf,
  describeVersion,
  type EarlierOrganisation,
  findEarlierOrganisation,
  listEarlierOrganisations,
  type OrganisationVersion,
  readOrganisationVersion,
} from "../../server/organisation-store.ts";
import { lockSetting, writeSetting } from "../../server/setting-versions.ts";
import type { SettingsServices } from "../../server/settings-services.ts";
import { requestBankAccounts, requestPath } from "./bank-accounts-part.ts";
import { emailAdministrators } from "./email-administrators.ts";

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly readOrganisationVersion: () => Promise<OrganisationVersion>;
    readonly findEarlierOrganisation: (version: number) => Promise<Organisation | null>;
    readonly listEarlierOrganisations: () => Promise<readonly EarlierOrganisation[]>;
    /** What the site shows where nothing was changed here: from the settings file, if there is one. */
    readonly deliveredOrganisation: Organisation;
  }
}

export const ORGANISATION_PATH = "/admin/settings/organisation";
export const groupPath = (group: OrganisationGroup) => `${ORGANISATION_PATH}/${group.name}`;
export const previewFormPath = (group: OrganisationGroup) => `${groupPath(group)}/preview`;

/** The organisation’s details. */
export function organisationPart(services: SettingsServices): AdminPart {
  const { database, config } = services;
  return {
    reads: {
      deliveredOrganisation: config.organisation,
      readOrganisationVersion: () => readOrganisationVersion(database, config.organisation),
      findEarlierOrganisation: (version: number) => findEarlierOrganisation(database, config.organisation, version),
      listEarlierOrganisations: () => listEarlierOrganisations(database, config.organisation),
    },
    actions: organisationGroups.flatMap((group) => [saveAction(services, group), previewAction(services, group)]),
  };
}

const Fields = z.looseObject({ from: z.coerce.number().int().min(0).max(1_000_000_000).catch(0) });

function saveAction(services: SettingsServices, group: OrganisationGroup): Action {
  const { database, jobs, config, now } = services;
  return action({
    path: groupPath(group),
    screen: groupPath(group),
    right: "settings.change",
    ...(group.isProtected && { needsProof: true }),
    fields: Fields,
    run: ({ fields, actor, staff }) =>
      database.transaction().execute(async (transaction) => {
        const at = now();
        const delivered = config.organisation;
        const version = describeVersion(delivered, await lockSetting(transaction, ORGANISATION_SETTING, at));
        const base = await findEarlierOrganisation(transaction, delivered, fields.from);
        if (base === null || listOrganisationChanges(group, base, version.organisation) !== null) {
          throw new Refusal(describeConflict(version));
        }
        const organisation = readTyped(group, fields, { current: version.organisation, delivered });
        keepReceiptDetails(group, version.organisation, organisation);
        const changes = listOrganisationChanges(group, version.organisation, organisation);
        if (changes === null && version.faults.length === 0) {
          return { to: ORGANISATION_PATH, toast: "Nothing was changed." };
        }
        if (hasBanks(group) && changes !== null) {
          const { banks } = organisation;
          const asked = { banks, seenVersion: version.number, changes, actor, by: staff.id, at };
          const id = await requestBankAccounts(transaction, { jobs }, asked);
          if (id !== null) return { to: requestPath(id), toast: "Asked. Another administrator has to approve it." };
        }
        const value = changesOf(delivered, organisation);
        await writeSetting(transaction, ORGANISATION_SETTING, { value, by: staff.id, at, over: version.number });
        const act = { verb: "organisation.change", subject: "organisation", subjectId: group.name, ...changes };
        const actId = await recordAct(transaction, actor, act, at);
        if (group.isProtected)
          await emailAdministrators(transaction, jobs, { template: "organisation-changed", actId });
        const isTold = group.isProtected && !hasNoMail(config);
        const toast = `Saved. ${describeSeen(services)}${isTold ? " All administrators are told by email." : ""}`;
        return { to: ORGANISATION_PATH, toast };
      }),
  });
}

function describeConflict({ savedBy }: OrganisationVersion): string {
  const who = savedBy?.name ?? "Somebody outside the back office";
  return `${who} changed these details while you were writing. Yours are not saved yet, but nothing is lost: see both below, and save again.`;
}

function readTyped(
  group: OrganisationGroup,
  fields: TypedFields,
  from: { readonly current: Organisation; readonly delivered: Organisation },
): Organisation {
  const read = readOrganisation(group, fields, from);
  if ("errors" in read) throw new AppError("invalid_input", { fields: read.errors });
  return read.organisation;
}

/** A detail that receipts need is never taken out: they would wait. @throws AppError `invalid_input` */
function keepReceiptDetails({ fields }: OrganisationGroup, current: Organisation, typed: Organisation): void {
  const missing = listReceiptGaps(current);
  const taken = listReceiptGaps(typed).filter((name) => !missing.includes(name));
  const faults = fields
    .filter(({ name }) => taken.some((one) => one === name))
    .map(({ name, label }) => [name, [`Without ‘${label}’ no receipt can be issued, and donors wait for theirs.`]]);
  if (faults.length > 0) throw new AppError("invalid_input", { fields: Object.fromEntries(faults) });
}

/** Shows what is typed on a receipt or on a page of the site. Nothing is saved. */
function previewAction({ database, config, settingPreviews }: SettingsServices, group: OrganisationGroup): Action {
  return action({
    path: previewFormPath(group),
    screen: groupPath(group),
    right: "settings.change",
    fields: z.looseObject({ show: z.enum(["receipt", "page"]) }),
    run: async ({ fields }) => {
      const delivered = config.organisation;
      const { organisation: current } = await readOrganisationVersion(database, delivered);
      const organisation = readTyped(group, fields, { current, delivered });
      if (fields.show === "receipt") {
        const gaps = receiptGaps(organisation);
        if (gaps.length > 0) throw new Refusal(`No receipt can be made without ${formatList(gaps, "and")}.`);
        const bytes = await settingPreviews.drawSpecimenReceipt(organisation);
        const headers = {
          "content-type": "application/pdf",
          "content-disposition": 'inline; filename="specimen-receipt.pdf"',
        };
        return { file: { bytes, headers } };
      }
      const page = (await settingPreviews.renderPage?.(paths.contact, { organisation })) ?? null;
      if (page === null) throw new Refusal("The site serves no pages at the moment, so there is nothing to show.");
      return { file: { bytes: page.html, headers: { ...page.headers, "content-type": "text/html; charset=utf-8" } } };
    },
  });
}

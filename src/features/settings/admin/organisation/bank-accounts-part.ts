import { z } from "zod";
import { type Action, action, Refusal } from "#admin/actions.ts";
import { type Actor, recordAct } from "#admin/audit.ts";
import type { AdminPart } from "#admin/feature.ts";
import { listStaffWith } from "#admin/two-people.ts";
import { typedText } from "#admin/typed-text.ts";
import type { Connection } from "#shared/database/connect.ts";
import { ORGANISATION_SETTING } from "#shared/organisation.ts";
import { listOrganisationChanges } from "../../organisation-changes.ts";
import { banksGroup } from "../../organisation-fields.ts";
import {
  askForBankAccounts,
  type BankAccountDecision,
  type BankAccountRequest,
  bankAccountRule,
  decideBankAccounts,
  findBankAccountRequest,
  findOpenBankAccountRequest,
} from "../../server/bank-account-requests.ts";
import { changesOf, describeVersion, findEarlierOrganisation } from "../../server/organisation-store.ts";
import { lockSetting, writeSetting } from "../../server/setting-versions.ts";
import type { SettingsServices } from "../../server/settings-services.ts";
import { emailAdministrators } from "./email-administrators.ts";

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly findBankAccountRequest: (id: string) => Promise<BankAccountRequest | null>;
    readonly findOpenBankAccountRequest: () => Promise<BankAccountRequest | null>;
    /** Everybody who may decide about new bank accounts. */
    readonly listBankAccountDeciders: () => Promise<{ id: number; name: string }[]>;
  }
}

const SCREEN = "/admin/settings/organisation/requests/:id";
export const requestPath = (id: number | string) => `/admin/settings/organisation/requests/${id}`;

/** New bank accounts, which wait for a second administrator: a wrong one would take donors’ money. */
export function bankAccountsPart(services: SettingsServices): AdminPart {
  const { database } = services;
  return {
    reads: {
      findBankAccountRequest: (id: string) => findBankAccountRequest(database, id),
      findOpenBankAccountRequest: () => findOpenBankAccountRequest(database),
      listBankAccountDeciders: () => listStaffWith(database, bankAccountRule.decides),
    },
    actions: [approveAction(services), declineAction(services), withdrawAction(services)],
    dashboard: [
      {
        right: "settings.change",
        // Nobody can decide their own request.
        isPersonal: true,
        listWaiting: async ({ id }) => {
          const request = await findOpenBankAccountRequest(database);
          if (request === null || request.requestedBy.id === id) return [];
          return [
            {
              text: "Another administrator has to approve or decline it",
              linkText: `${request.requestedBy.name} asks to change the bank accounts that donors see`,
              path: requestPath(request.id),
              look: "act" as const,
            },
          ];
        },
      },
    ],
    auditSubjects: { "bank-accounts": { label: "", group: "Bank accounts", path: requestPath, listNames } },
  };
}

const listNames = async (ids: readonly string[]) => new Map(ids.map((id) => [id, "the bank accounts"]));

type Asking = {
  readonly banks: BankAccountRequest["banks"];
  readonly seenVersion: number;
  readonly changes: object;
  readonly actor: Actor;
  readonly by: number;
  readonly at: Date;
};

/** Keeps new accounts as a request, and tells all administrators. Null if there is nobody else to approve it. */
export async function requestBankAccounts(
  transaction: Connection,
  { jobs }: Pick<SettingsServices, "jobs">,
  { changes, actor, ...asked }: Asking,
): Promise<number | null> {
  const deciders = await listStaffWith(transaction, bankAccountRule.decides);
  if (!deciders.some(({ id }) => id !== asked.by)) return null;
  const id = await askForBankAccounts(transaction, asked);
  const act = { verb: "bank-accounts.request", subject: "bank-accounts", subjectId: String(id), ...changes };
  const actId = await recordAct(transaction, actor, act, asked.at);
  await emailAdministrators(transaction, jobs, { template: "bank-accounts-asked", actId });
  return id;
}

function approveAction({ database, jobs, config, now }: SettingsServices): Action {
  return action({
    path: `${SCREEN}/approve`,
    screen: SCREEN,
    right: "settings.change",
    needsProof: true,
    fields: z.object({}),
    run: ({ params: { id = "" }, actor, staff }) =>
      database.transaction().execute(async (transaction) => {
        const at = now();
        const delivered = config.organisation;
        const version = describeVersion(delivered, await lockSetting(transaction, ORGANISATION_SETTING, at));
        const request = await decideBankAccounts(transaction, id, {
          decision: "approved",
          actor: { ...actor, staff },
          at,
        });
        const seen = await findEarlierOrganisation(transaction, delivered, request.seenVersion);
        if (seen === null || listOrganisationChanges(banksGroup, seen, version.organisation) !== null) {
          throw new Refusal("The bank accounts have been changed since this was asked. Decline it, and ask again.");
        }
        const organisation = { ...version.organisation, banks: request.banks };
        const value = changesOf(delivered, organisation);
        await writeSetting(transaction, ORGANISATION_SETTING, { value, by: staff.id, at, over: version.number });
        await recordDecision(transaction, actor, { verb: "bank-accounts.approve", id, at });
        const changes = listOrganisationChanges(banksGroup, version.organisation, organisation);
        const act = { verb: "organisation.change", subject: "organisation", subjectId: banksGroup.name, ...changes };
        await emailAdministrators(transaction, jobs, {
          template: "organisation-changed",
          actId: await recordAct(transaction, actor, act, at),
        });
        return { to: requestPath(id), toast: "Approved. Donors see these accounts now." };
      }),
  });
}

function declineAction({ database, now }: SettingsServices): Action {
  return action({
    path: `${SCREEN}/decline`,
    screen: SCREEN,
    right: "settings.change",
    needsProof: true,
    fields: z.object({ reason: typedText("Write why not.", 500) }),
    run: ({ params: { id = "" }, fields: { reason }, actor, staff }) =>
      database.transaction().execute(async (transaction) => {
        const at = now();
        await decideBankAccounts(transaction, id, { decision: "declined", actor: { ...actor, staff }, at, reason });
        await recordDecision(transaction, actor, { verb: "bank-accounts.decline", id, at, reason });
        return { to: requestPath(id), toast: "Declined. Donors see the same accounts as before." };
      }),
  });
}

function withdrawAction({ database, now }: SettingsServices): Action {
  return action({
    path: `${SCREEN}/withdraw`,
    screen: SCREEN,
    right: "settings.change",
    fields: z.object({}),
    run: ({ params: { id = "" }, actor, staff }) =>
      database.transaction().execute(async (transaction) => {
        const at = now();
        await decideBankAccounts(transaction, id, { decision: "withdrawn", actor: { ...actor, staff }, at });
        await recordDecision(transaction, actor, { verb: "bank-accounts.withdraw", id, at });
        return { to: requestPath(id), toast: "Withdrawn. Donors see the same accounts as before." };
      }),
  });
}

type Recorded = { readonly verb: string; readonly id: string; readonly at: Date; readonly reason?: string };

const recordDecision = (transaction: Connection, actor: Actor, { verb, id, at, reason }: Recorded) =>
  recordAct(transaction, actor, { verb, subject: "bank-accounts", subjectId: id, ...(reason && { reason }) }, at);

export const decisionWords = {
  approved: "This is approved. Donors see these accounts.",
  declined: "This was declined. Nothing was changed.",
  withdrawn: "This was withdrawn. Nothing was changed.",
} as const satisfies Readonly<Record<BankAccountDecision, string>>;

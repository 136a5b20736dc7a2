import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { FastifyInstance } from "fastify";
import { type ActSubject, type AuditSubjects, type AuditWords, describeActs, type RecordedAct } from "#admin/acts.ts";
import { type AuditFields, sharedAuditFields } from "#admin/audit-fields.ts";
import { createDashboard } from "#admin/dashboard.ts";
import type { AdminPart } from "#admin/feature.ts";
import { findPersonEmail, readPersonTables } from "#admin/person.ts";
import { listRecordedActs } from "#admin/recorded-acts.ts";
import type { StaffMember } from "#admin/rights.ts";
import type { AdminReads } from "#admin/screen.ts";
import { searchEverywhere } from "#admin/search.ts";
import { setUpSources } from "#features/content/server/set-up-sources.ts";
import { listTakenInCauses, recordTakenInDonation } from "#features/donations/server/one-donation/take-in.ts";
import { drawSpecimenReceipt } from "#features/donations/server/specimen-receipt.ts";
import { listCategories } from "#features/donations/server/store.ts";
import { askForRefund } from "#features/refunds/server/refund-requests.ts";
import type { SettingPreviews } from "#features/settings/server/settings-services.ts";
import { eventTickets } from "#features/tickets/server/event-tickets.ts";
import { readDocumentLook } from "#shared/brand/document-look.ts";
import { dayInSydney } from "#shared/language.ts";
import { hasNoMail } from "#shared/mail/has-no-mail.ts";
import type { Organisation } from "#shared/organisation.ts";
import { emailGroups } from "../emails.ts";
import { type AdminServices, allFeatures } from "../feature.ts";
import { listHoldings } from "../holdings.ts";
import type { Services } from "../services.ts";
import { readAdminFiles } from "./admin-files.ts";
import { type Admin, addAdmin } from "./admin-plugin.ts";
import { addFindRoute } from "./find-route.ts";
import { createPersonData } from "./person-data.ts";
import type { AdminOptions } from "./screen-answers.ts";

/** The built screens and their files; tests add actions for screens of their own. */
export type AdminBuild = Pick<AdminOptions, "build" | "files"> & Partial<Pick<AdminOptions, "actions">>;

/** Adds the back office with every feature’s part of it. */
export async function mountAdmin(
  app: FastifyInstance,
  services: Services,
  { renderPage, ...built }: AdminBuild & Pick<SettingPreviews, "renderPage">,
): Promise<Admin> {
  const { staffSessions, organisation, now, config, database } = services;
  const ofOthers: AdminServices = {
    settingPreviews: {
      renderPage,
      emailGroups,
      drawSpecimenReceipt: async (given: Organisation, look) =>
        drawSpecimenReceipt(given, now(), look ?? (await readDocumentLook(services))),
    },
    setUpSources: setUpSources(database, services.config),
    eventTickets,
    takenIn: { listCauses: listTakenInCauses, record: recordTakenInDonation },
    reversals: {
      async ask({ cents, ...wanted }, actor) {
        const facts = { ...wanted, amountCents: cents, leftCents: cents, tickets: [], isReversal: true };
        const { requestId, refund } = await askForRefund(services, facts, actor);
        return { requestId, isMade: refund !== null };
      },
    },
    listFunds: async () =>
      (await listCategories(database, dayInSydney(now()))).map(({ fund, title }) => ({ value: fund, label: title })),
    personData: createPersonData(services, {
      holdings: listHoldings(services),
      findEmail: (staff, id) => reads.findPersonEmail(staff, id),
      describeActs: (acts) => reads.describeActs(acts),
    }),
  };
  const parts = allFeatures.flatMap((feature) => feature.admin?.({ ...services, ...ofOthers }) ?? []);
  const reads = joinReads(parts, services, built);
  const findRoute = addFindRoute(staffSessions, reads.searchEverywhere);
  return addAdmin(app, {
    database,
    staffSessions,
    now,
    ...built,
    organisation: organisation.current,
    hasNoMail: hasNoMail(config),
    isSecure: config.publicUrl.startsWith("https:"),
    secretKey: config.secretKey,
    reads,
    actions: [...parts.flatMap(({ actions = [] }) => actions), ...(built.actions ?? [])],
    routes: [
      findRoute,
      ...parts.flatMap(({ routes }) => (routes === undefined ? [] : (admin: FastifyInstance) => routes(admin, reads))),
    ],
  });
}

/** The reads of all features, and those for every screen. */
function joinReads(
  parts: readonly AdminPart[],
  { database, now, log }: Services,
  { build }: Pick<AdminBuild, "build">,
): AdminReads {
  const screens = build.listScreens();
  const person = parts.flatMap((part) => part.person ?? []);
  const search = { parts: parts.flatMap((part) => part.search ?? []), screens, log };
  const auditWords = mergeUnique<AuditWords>(parts.map((part) => part.auditWords));
  const auditFields = mergeUnique<AuditFields>([sharedAuditFields, ...parts.map((part) => part.auditFields)]);
  const auditSubjects = mergeUnique<AuditSubjects>(parts.map((part) => part.auditSubjects));
  const vocabulary = { words: auditWords, subjects: auditSubjects, fields: auditFields };
  const shared = {
    now,
    auditWords,
    auditSubjects,
    auditFields,
    describeActs: (acts: readonly RecordedAct[]) => describeActs(acts, vocabulary),
    listActs: async (about: ActSubject | readonly ActSubject[]) =>
      describeActs(await listRecordedActs(database, about), vocabulary, about),
    ...createDashboard({ parts: parts.flatMap((part) => part.dashboard ?? []), screens, log }),
    findPersonEmail: (staff: StaffMember, id: string) => findPersonEmail(person, staff, id),
    readPersonTables: (staff: StaffMember, email: string) => readPersonTables(person, staff, email, log),
    searchEverywhere: (staff: StaffMember, text: string) => searchEverywhere(search, staff, text),
  } satisfies Partial<AdminReads>;
  return mergeUnique([...parts.map(({ reads }) => reads), shared]);
}

/** One table of all features' tables. @throws Error if two have the same name, because one of them would be lost. */
function mergeUnique<Merged extends object>(tables: readonly (object | undefined)[]): Merged {
  const names = tables.flatMap((table = {}) => Object.keys(table));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two features give the back office something named ${twice}.`);
  return Object.assign({}, ...tables);
}

/** Loads what Vite built. @throws Error without a build. */
export async function loadAdminBuild(buildFolder: string): Promise<AdminBuild> {
  const file = join(buildFolder, "server/render-admin.js");
  return { build: await import(pathToFileURL(file).href), files: readAdminFiles(join(buildFolder, "client")) };
}

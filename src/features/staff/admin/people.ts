import { z } from "zod";
import { action, type LinkMade, Refusal } from "#admin/actions.ts";
import type { AdminPart } from "#admin/feature.ts";
import { isRole, type Role } from "#admin/rights.ts";
import { typedText } from "#admin/typed-text.ts";
import { Email } from "#shared/contract/payer.ts";
import { plainLine } from "#shared/contract/plain-line.ts";
import { AppError } from "#shared/errors.ts";
import { hasNoMail } from "#shared/mail/has-no-mail.ts";
import { linkToHandOver } from "../server/invitations.ts";
import {
  findPeople,
  findPerson,
  type ListedPerson,
  listPeople,
  listPeopleNames,
} from "../server/people/list-people.ts";
import { type Changed, changeRoles, endAccount, invite, inviteAgain } from "../server/people/people.ts";
import type { StaffServices } from "../server/services.ts";
import { staffAuditFields, staffLogInWords, staffPeopleWords } from "./audit-words.ts";
import { describeLockOut } from "./staff-words.ts";

declare module "#admin/screen.ts" {
  interface AdminReads {
    listStaff(): Promise<ListedPerson[]>;
    /** `id` is the text of an address. */
    findStaff(id: string): Promise<ListedPerson | null>;
  }
}

const Roles = z
  .union([z.string(), z.array(z.string())], "Choose at least one role.")
  .transform((given) => [...new Set([given].flat())].filter(isRole))
  .refine((given: Role[]) => given.length > 0, "Choose at least one role.");

export const Name = z
  .string("Enter a name.")
  .trim()
  .min(1, "Enter a name.")
  .max(100, "Enter a name of at most 100 characters.")
  .regex(plainLine, "Enter a name without control characters.");

export const Reason = typedText("Say why, for the audit trail.", 500);

/** Who works here: the list, each person, and what administrators do to accounts. */
export function peoplePart(services: StaffServices): AdminPart {
  const { database } = services;
  return {
    reads: {
      listStaff: () => listPeople(services),
      findStaff: async (id: string) => (isId(id) ? findPerson(services, Number(id)) : null),
    },
    actions: [inviteAction(services), ...personActions(services)],
    search: [
      {
        right: "staff.see",
        find: async (text) => [{ title: "Staff", icon: "people", hits: await searchPeople(services, text) }],
      },
    ],
    auditWords: { ...staffPeopleWords, ...staffLogInWords },
    auditFields: staffAuditFields,
    auditSubjects: {
      staff: {
        label: "",
        group: "Staff and roles",
        path: (id) => `/admin/staff/${id}`,
        listNames: (ids) => listPeopleNames(database, ids),
        find: (text) => findPeople(database, text),
      },
      "staff-passkey": { label: "", group: "Passkeys" },
      "staff-password": { label: "", group: "Passwords" },
      "staff-codes": { label: "", group: "Recovery codes" },
      "staff-session": { label: "", group: "Sessions" },
      export: { label: "", group: "Exports of the audit trail" },
    },
  };
}

async function searchPeople(services: StaffServices, text: string) {
  const ids = new Set(await findPeople(services.database, text));
  const people = ids.size === 0 ? [] : await listPeople(services);
  return people
    .filter(({ id }) => ids.has(String(id)))
    .map(({ id, name, email }) => ({ label: name, detail: email, path: `/admin/staff/${id}` }));
}

const isId = (text: string) => /^\d{1,15}$/.test(text);

/** @throws AppError `not_found` */
export function idOf({ id }: Readonly<Record<string, string>>): number {
  if (id === undefined || !isId(id)) throw new AppError("not_found");
  return Number(id);
}

const changes = { right: "staff.change", needsProof: true } as const;

/** The address of the request if the change waits for another administrator; null if it was made. */
function leadToRequest(changed: Changed, name: string) {
  if (!("requestId" in changed)) return null;
  const toast = `Requested. Another administrator has to approve ${name} as an administrator.`;
  return { to: `/admin/staff/requests/${changed.requestId}`, toast };
}

/** What to do with an invitation where no email arrives; null where emails do. */
export async function handOver(
  services: StaffServices,
  { id, name }: { readonly id: number; readonly name: string },
): Promise<LinkMade | null> {
  const made = await linkToHandOver(services, id);
  if (made === null) return null;
  const purpose = made.kind === "reset" ? "has to set up a log-in again" : "is invited";
  const message = `${name} ${purpose}, but no mail server is set and no email leaves this server. Hand this link over safely: it is shown only now, and works once, within 72 hours.`;
  return { message, link: made.link };
}

function inviteAction(services: StaffServices) {
  return action({
    ...changes,
    path: "/admin/staff/invite",
    screen: "/admin/staff",
    fields: z.object({ email: Email, name: Name, roles: Roles }),
    run: async ({ fields, actor }) => {
      const changed = await invite(services, actor, fields);
      if ("requestId" in changed) return leadToRequest(changed, fields.name)!;
      const { name } = fields;
      const done = { to: "/admin/staff", toast: `The invitation to ${name} is on its way.` };
      return (await handOver(services, { id: changed.staffId, name })) ?? done;
    },
  });
}

function personActions(services: StaffServices) {
  const onPerson = { ...changes, screen: "/admin/staff/:id" } as const;
  const lead = async (id: number, say: (name: string) => string) => {
    const person = await findPerson(services, id);
    return { to: `/admin/staff/${id}`, toast: say(person?.name ?? "") };
  };
  return [
    action({
      ...onPerson,
      path: "/admin/staff/:id/roles",
      fields: z.object({ roles: Roles }),
      run: async ({ params, fields: { roles }, actor }) => {
        const id = idOf(params);
        const changed = await changeRoles(services, actor, { id, roles });
        const person = await findPerson(services, id);
        const name = person?.name ?? "";
        return leadToRequest(changed, name) ?? lead(id, () => `The roles of ${name} are changed.`);
      },
    }),
    action({
      ...onPerson,
      path: "/admin/staff/:id/invite-again",
      fields: z.object({}),
      run: async ({ params, actor }) => {
        const id = idOf(params);
        const person = await findPerson(services, id);
        if (person?.state === "active" && hasNoMail(services.config)) throw new Refusal(describeLockOut(person));
        await inviteAgain(services, actor, { id });
        const name = person?.name ?? "";
        return (await handOver(services, { id, name })) ?? lead(id, () => `A new invitation to ${name} is on its way.`);
      },
    }),
    action({
      ...onPerson,
      path: "/admin/staff/:id/end",
      fields: z.object({ reason: Reason }),
      run: async ({ params, fields: { reason }, actor }) => {
        const id = idOf(params);
        await endAccount(services, actor, { id, reason });
        return lead(id, (name) => `The account of ${name} has ended.`);
      },
    }),
  ];
}

import { z } from "zod";
import { action } from "#admin/actions.ts";
import type { AdminPart } from "#admin/feature.ts";
import {
  type AdministratorRequest,
  findAdministratorRequest,
  listAdministratorRequestNames,
  listAdministratorRequestsOf,
  listOpenAdministratorRequests,
} from "../server/people/administrator-requests.ts";
import {
  approveAdministrator,
  declineAdministrator,
  withdrawAdministrator,
} from "../server/people/decide-administrator.ts";
import type { StaffServices } from "../server/services.ts";
import { administratorWords } from "./audit-words.ts";
import { handOver, idOf, Reason } from "./people.ts";

declare module "#admin/screen.ts" {
  interface AdminReads {
    /** `id` is the text of an address. */
    findAdministratorRequest(id: string): Promise<AdministratorRequest | null>;
    listOpenAdministratorRequests(): Promise<AdministratorRequest[]>;
    listAdministratorRequestsOf(staffId: number): Promise<AdministratorRequest[]>;
  }
}

const screen = "/admin/staff/requests/:id";
const pathOf = (id: number | string) => `/admin/staff/requests/${id}`;

/** Requests for new administrators, which wait for a second person. */
export function administratorsPart(services: StaffServices): AdminPart {
  const { database } = services;
  return {
    reads: {
      findAdministratorRequest: async (id: string) =>
        /^\d{1,15}$/.test(id) ? findAdministratorRequest(database, Number(id)) : null,
      listOpenAdministratorRequests: () => listOpenAdministratorRequests(database),
      listAdministratorRequestsOf: (staffId: number) => listAdministratorRequestsOf(database, staffId),
    },
    actions: decisions(services),
    dashboard: [
      {
        right: "staff.change",
        // Nobody can decide their own request.
        isPersonal: true,
        listWaiting: async (staff) =>
          (await listOpenAdministratorRequests(database))
            .filter(({ requestedBy }) => requestedBy.id !== staff.id)
            .map(({ id, name, requestedBy }) => ({
              linkText: `${requestedBy.name} asks to make ${name} an administrator`,
              text: "Another administrator has to approve or decline it",
              path: pathOf(id),
              look: "act" as const,
            })),
      },
    ],
    auditWords: administratorWords,
    auditSubjects: {
      administrator: {
        label: "",
        group: "New administrators",
        path: pathOf,
        listNames: (ids) => listAdministratorRequestNames(database, ids),
      },
    },
  };
}

function decisions(services: StaffServices) {
  const declared = { screen, right: "staff.change" } as const;
  return [
    action({
      ...declared,
      path: "/admin/staff/requests/:id/approve",
      needsProof: true,
      fields: z.object({}),
      run: async ({ params, actor }) => {
        const id = idOf(params);
        const { name, invitedId } = await approveAdministrator(services, actor, id);
        if (invitedId === null) return { to: pathOf(id), toast: `Approved. ${name} is an administrator now.` };
        const done = { to: pathOf(id), toast: `Approved. The invitation to ${name} is on its way.` };
        return (await handOver(services, { id: invitedId, name })) ?? done;
      },
    }),
    action({
      ...declared,
      path: "/admin/staff/requests/:id/decline",
      needsProof: true,
      fields: z.object({ reason: Reason }),
      run: async ({ params, fields: { reason }, actor }) => {
        const id = idOf(params);
        await declineAdministrator(services, actor, { id, reason });
        return { to: pathOf(id), toast: "Declined. Nothing was changed." };
      },
    }),
    action({
      ...declared,
      path: "/admin/staff/requests/:id/withdraw",
      fields: z.object({}),
      run: async ({ params, actor }) => {
        const id = idOf(params);
        await withdrawAdministrator(services, actor, id);
        return { to: pathOf(id), toast: "Withdrawn. Nothing was changed." };
      },
    }),
  ];
}

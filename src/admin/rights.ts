/** What a member of staff may do. Every address below /admin names one of these. */
export type Right = keyof typeof rights;

/** A right to do something, not only to see it. */
export type ActingRight = Exclude<Right, `${string}.see`>;

/** Each right as a row of the table on the staff screen. */
export const rights = {
  "dashboard.see": "See the dashboard",
  "donations.see": "See donations, donors and receipts",
  "donations.change": "Correct donations and receipts, and write notes",
  "refunds.make": "Request and approve refunds, and approve that an event is called off",
  "people.export": "Download everything that is kept about a person (each download is recorded)",
  "donors.erase": "Erase a person’s personal data",
  "faith.see": "See who gave Zakat or Qurban (opening or listing them is recorded)",
  "events.see": "See events, their ticket types and discount codes",
  "events.change": "Plan events, sell and give away tickets, and ask to call events off",
  "door.open": "Check people in at the door of an event, with one’s own phone",
  "orders.see": "See ticket orders and who bought them",
  "orders.change": "Send tickets again, correct buyers and holders, and write notes on orders",
  "messages.see": "See the messages of the contact form",
  "messages.change": "Mark messages as answered or as spam",
  "applications.see": "See who applied to volunteer, their checks, and shifts",
  "applications.change": "Decide about applications, record checks, and plan shifts",
  "applications.sensitive": "See applicants’ photos, signatures and emergency contacts (each look is recorded)",
  "reports.see": "See reports",
  "exports.make": "Export donations, ticket orders and the accounting journal",
  "reconciliation.see": "See reconciliation, payments to review, and failed jobs",
  "reconciliation.change": "Resolve differences, and retry failed jobs",
  "content.see": "See what is written for the site, and its history",
  "content.change": "Write, publish and take down what the site says",
  "settings.see": "See the organisation’s details and other settings",
  "settings.change": "Change the organisation’s details and other settings",
  "catalogue.see": "See what donors can give to, and its prices",
  "catalogue.change": "Change what donors can give to, and its prices",
  "staff.see": "See staff and their roles",
  "staff.change": "Invite staff, change roles, and end accounts",
  "audit.see": "See and export the audit trail (each export is recorded)",
} as const;

const everything = Object.keys(rights) as Right[];

const notForTreasurers: ReadonlySet<Right> = new Set([
  "people.export",
  "donors.erase",
  "events.change",
  "door.open",
  "applications.see",
  "applications.change",
  "applications.sensitive",
  "content.see",
  "content.change",
  "settings.change",
  "staff.see",
  "staff.change",
  "audit.see",
]);

/** Roles are sets of rights, and add up. */
export const roles = {
  administrator: {
    name: "Administrator",
    about: "Everything, including staff and their roles",
    rights: everything,
  },
  treasurer: {
    name: "Treasurer",
    about: "Donations, ticket orders, refunds, reports, reconciliation",
    rights: everything.filter((right) => !notForTreasurers.has(right)),
  },
  editor: {
    name: "Content editor",
    about: "News, pages and all else that the site says, and what donors can give to",
    rights: ["dashboard.see", "content.see", "content.change", "catalogue.see", "catalogue.change"],
  },
  coordinator: {
    name: "Volunteer coordinator",
    about: "Applications to volunteer, checks and shifts",
    rights: ["dashboard.see", "applications.see", "applications.change", "applications.sensitive"],
  },
  events: {
    name: "Events manager",
    about: "Events, ticket types, discount codes and ticket orders",
    rights: ["dashboard.see", "events.see", "events.change", "door.open", "orders.see", "orders.change", "content.see"],
  },
  door: {
    name: "Door helper",
    about: "Checks people in at the door of an event, and sees nothing else",
    rights: ["door.open"],
  },
  auditor: {
    name: "Auditor",
    about: "Sees everything but personal data about faith, and changes nothing",
    rights: everything.filter((right) => right.endsWith(".see") && right !== "faith.see"),
  },
} as const satisfies Readonly<Record<string, { name: string; about: string; rights: readonly Right[] }>>;

export type Role = keyof typeof roles;
export const allRoles = Object.keys(roles) as Role[];

export const isRole = (text: string): text is Role => Object.hasOwn(roles, text);

/** Whoever is logged in to the back office. */
export type StaffMember = {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly roles: readonly Role[];
};

/** Whether any of the person’s roles has the right. */
export function hasRight(member: Pick<StaffMember, "roles">, right: Right): boolean {
  return member.roles.some((role) => (roles[role].rights as readonly Right[]).includes(right));
}

/** The roles that have a right. */
export const rolesWith = (right: Right): Role[] => allRoles.filter((role) => hasRight({ roles: [role] }, right));

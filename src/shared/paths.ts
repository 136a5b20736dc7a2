/** Every page's address; URLs are built only here. `worldPath` depends on the organisation's slug. */
export const paths = {
  home: "/",
  chairmanMessage: "/chairman-message",
  recognition: "/recognition",
  vision: "/vision",
  ambulanceFund: "/ambulance-fund",
  fightAgainstHunger: "/fight-against-hunger",
  homeAndOrphanage: "/home-and-orphanage",
  patientCare: "/patient-care",
  rehabilitationCenter: "/rehabilitation-center",
  floodRelief: "/flood-relief",
  events: "/events",
  gallery: "/gallery",
  news: "/news",
  contact: "/contact",
  privacy: "/privacy",
  refunds: "/refunds",
  terms: "/terms",
  accessibility: "/accessibility",
  login: "/login",
  continueAsGuest: "/login/guest",
  register: "/register",
  resetPassword: "/reset-password",
  profile: "/profile",
  editProfile: "/edit-profile",
  changePassword: "/change-password",
  donationHistory: "/donation-history",
  verifyEmail: "/verify-email",
  donation: "/donation",
  volunteer: "/volunteer",
  ticketAbout: "/ticketAbout",
  selectTickets: "/selectTickets",
  ticketsCheckout: "/ticketsCheckout",
  mailbox: "/dev/mail",
} as const;

export function worldPath(slug: string): string {
  return `/${slug}-world`;
}

/** The log-in, which then returns to one of our pages (NAV-6, NAV-7). */
export function loginThen(path: string): string {
  return `${paths.login}?return=${encodeURIComponent(path)}`;
}

/** The donation form for a cause, by its category's key (DON-26). */
export function donationTo(cause: string): string {
  return `${paths.donation}?cause=${encodeURIComponent(cause)}`;
}

/** The contact form with its subject filled in (HOME-9). */
export function contactAbout(subject: string): string {
  return `${paths.contact}?subject=${encodeURIComponent(subject)}`;
}

/** An applicant's own page, and its photo; each needs the key in its link. */
export function applicationPath(id: string): string {
  return `${paths.volunteer}/application/${id}`;
}
/** The certificate of a volunteer's hours. */
export function applicationHoursPath(id: string): string {
  return `${applicationPath(id)}/hours.pdf`;
}
export function applicationPhotoPath(id: string): string {
  return `${applicationPath(id)}/photo`;
}

/** `access` is the key of the link that shows a type, if one was followed. */
export function ticketPath(
  page: "ticketAbout" | "selectTickets" | "ticketsCheckout",
  slug: string,
  access = "",
): string {
  return `${paths[page]}?event=${encodeURIComponent(slug)}${withKey(access)}`;
}
const withKey = (access: string) => (access === "" ? "" : `&key=${encodeURIComponent(access)}`);

export const waitingListForm = "/waiting-list";
/** The form to join the waiting list of a ticket type. `access` is the key of the link that shows the type. */
export function waitingListPath(event: string, type: string, access = ""): string {
  return `${waitingListForm}?event=${encodeURIComponent(event)}&type=${encodeURIComponent(type)}${withKey(access)}`;
}
/** A place on a waiting list, which needs the key in its link. */
export function waitingEntryPath(id: string): string {
  return `${waitingListForm}/${id}`;
}

/** A donation's receipt, behind its signed link. */
export function receiptPath(donationId: string): string {
  return `/receipts/${donationId}`;
}

/** A ticket order's page, PDF and calendar file; one key opens them all. */
export function ticketOrderPath(id: string): string {
  return `/ticket-orders/${id}`;
}
export function ticketsPdfPath(id: string): string {
  return `${ticketOrderPath(id)}/tickets.pdf`;
}
export function ticketsCalendarPath(id: string): string {
  return `${ticketOrderPath(id)}/event.ics`;
}

export function eventPath(slug: string): string {
  return `${paths.events}/${slug}`;
}

export function eventCalendarPath(slug: string): string {
  return `${eventPath(slug)}/calendar.ics`;
}

/** A draft on its page, for whoever has the key in its link. */
export function previewPath(item: number | string, version: number | string): string {
  return `/preview/${item}/${version}`;
}

export function articlePath(slug: string): string {
  return `${paths.news}/${slug}`;
}

/** A page that the charity has added. */
export function ownPagePath(slug: string): string {
  return `/about/${slug}`;
}

/** The page of a list after a cursor. */
export function listPath(path: string, after: string): string {
  return `${path}?after=${encodeURIComponent(after)}`;
}

/** The sharing picture of the page at this path. */
export function sharingPicturePath(path: string): string {
  return `/sharing${path === paths.home ? "/home" : path}.png`;
}

/** The service worker of the door's phones, which must be above the addresses that it serves. */
export const doorWorkerPath = "/admin/door/worker.js";

/** Every page's address, named once; nobody pastes URLs together. `world` depends on the organisation's slug. */
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
  parts: "/dev/parts",
  mailbox: "/dev/mail",
} as const;

export function worldPath(slug: string): string {
  return `/${slug}-world`;
}

/** Login that leads on to a page of ours (NAV-6, NAV-7). */
export function loginThen(path: string): string {
  return `${paths.login}?return=${encodeURIComponent(path)}`;
}

/** The donation form with a cause chosen, by the key of its category (DON-26). */
export function donationTo(cause: string): string {
  return `${paths.donation}?cause=${encodeURIComponent(cause)}`;
}

/** The contact form with its subject filled in (HOME-9). */
export function contactAbout(subject: string): string {
  return `${paths.contact}?subject=${encodeURIComponent(subject)}`;
}

/** An applicant's own page, and the picture on it; each opens by the key of its link alone. */
export function applicationPath(id: string): string {
  return `${paths.volunteer}/application/${id}`;
}
export function applicationPhotoPath(id: string): string {
  return `${applicationPath(id)}/photo`;
}

/** A ticket page for one event; without one, the next that sells tickets. */
export function ticketPath(page: "ticketAbout" | "selectTickets" | "ticketsCheckout", slug: string): string {
  return `${paths[page]}?event=${encodeURIComponent(slug)}`;
}

/** Where a donation's receipt lies; open only to who holds the signed link. */
export function receiptPath(donationId: string): string {
  return `/receipts/${donationId}`;
}

/** A ticket order's own page, its tickets to print and its calendar file; one key opens them all. */
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

/** The event's calendar file. */
export function eventCalendarPath(slug: string): string {
  return `${eventPath(slug)}/calendar.ics`;
}

export function articlePath(slug: string): string {
  return `${paths.news}/${slug}`;
}

/** The page of a list that begins behind a cursor. */
export function listPath(path: string, after: string): string {
  return `${path}?after=${encodeURIComponent(after)}`;
}

/** The picture that stands for a page where it is shared. */
export function sharingPicturePath(path: string): string {
  return `/sharing${path === paths.home ? "/home" : path}.png`;
}

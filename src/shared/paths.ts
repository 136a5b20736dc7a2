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
  contact: "/contact",
  login: "/login",
  register: "/register",
  profile: "/profile",
  donation: "/donation",
  volunteer: "/volunteer",
  mailbox: "/dev/mail",
} as const;

export function worldPath(slug: string): string {
  return `/${slug}-world`;
}

/** Login that leads on to a page of ours (NAV-6, NAV-7). */
export function loginThen(path: string): string {
  return `${paths.login}?return=${encodeURIComponent(path)}`;
}

/** The contact form with its subject filled in (HOME-9). */
export function contactAbout(subject: string): string {
  return `${paths.contact}?subject=${encodeURIComponent(subject)}`;
}

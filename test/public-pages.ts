/** Every public page by path, with its title before the organisation's name. */
export const contentPages = {
  "/chairman-message": "A spring is free to whoever comes",
  "/recognition": "Recognition",
  "/vision": "Vision & Mission",
  "/ambulance-fund": "Ambulance Fund",
  "/fight-against-hunger": "Fight Against Hunger",
  "/home-and-orphanage": "Home and Orphanage",
  "/patient-care": "Patient Care",
  "/rehabilitation-center": "Rehabilitation Center",
  "/flood-relief": "Flood Relief",
  "/chashma-world": "Chashma World",
  "/events": "Events",
  "/events/flood-relief-campaign": "Flood relief campaign",
  "/gallery": "Gallery",
  "/news": "News and articles",
  "/privacy": "Privacy policy",
  "/refunds": "Refund policy",
  "/terms": "Terms of use",
  "/accessibility": "Accessibility statement",
  "/news/a-hand-pump-ends-a-four-hour-walk-for-water": "A hand pump ends a four-hour walk for water",
} as const;

/** Pages with a form, which load more script. */
export const formPages = {
  "/contact": "Contact Us",
  "/login": "Log in, or donate as a guest",
  "/register": "Create an account",
  "/volunteer": "Volunteer Application",
} as const;

/** The pages to a ticket for the demo's dinner. The paths without an event are not in the site map: their event changes. */
export const ticketPages = {
  "/ticketAbout": "Charity dinner: tickets",
  "/selectTickets": "Select tickets",
  "/ticketsCheckout": "Tickets checkout",
} as const;

/** Addresses that redirect, as the specification says. */
export const redirects = {
  "/volunteerApplication": "/volunteer",
  "/profile": "/login?return=%2Fprofile",
  "/edit-profile": "/login?return=%2Fedit-profile",
  "/change-password": "/login?return=%2Fchange-password",
  "/donation": "/login?return=%2Fdonation",
  "/donation-history": "/login?return=%2Fdonation-history",
} as const;

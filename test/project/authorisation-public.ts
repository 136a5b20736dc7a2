import { type AuthorisationRow, open, ownPage } from "./authorisation-rows.ts";

const publicPages = [
  "/",
  "/contact",
  "/events",
  "/gallery",
  "/login",
  "/news",
  "/register",
  "/reset-password",
  "/selectTickets",
  "/ticketAbout",
  "/ticketsCheckout",
  "/volunteer",
  "/ambulance-fund",
  "/home-and-orphanage",
  "/dev/parts",
  "/dev/mail",
  "/dev/mail.css",
  "/dev/mail.json",
];
/** Pages that staff write, none of which exist here. */
const writtenPages = [
  "/privacy",
  "/refunds",
  "/terms",
  "/accessibility",
  "/chairman-message",
  "/fight-against-hunger",
  "/flood-relief",
  "/patient-care",
  "/recognition",
];

export const publicRows: readonly AuthorisationRow[] = [
  ...publicPages.map((path) => open(path)),
  ...[...writtenPages, "/rehabilitation-center", "/vision"].map((path) => open(path)),
  // For members and guests with their cookie.
  ownPage("/donation"),
  open("/login/guest", "302 /donation"),
  open("/:organisation-world", "404", "/nobodys-world"),
  open("/events/:slug", "404", "/events/no-such-event"),
  open("/events/:slug/calendar.ics", "404", "/events/no-such-event/calendar.ics"),
  open("/about/:slug", "404", "/about/no-such-page"),
  open("/news/:slug", "404", "/news/no-such-article"),
  open("/preview/:item/:version", "404", "/preview/1/1?key=none"),
  open("/images/:hash", "404", `/images/${"0".repeat(32)}`),
  open("/brand/:file", "404", "/brand/site-none.css"),
  open("/images/:hash/:file", "404", `/images/${"0".repeat(32)}/480.webp`),
  open("/dev/mail/:id(^\\d{1,15}$).html", "404", "/dev/mail/999999999.html"),
  open("/dev/mail/:id(^\\d{1,15}$)/attachments/:n(^\\d{1,3}$)", "404", "/dev/mail/999999999/attachments/0"),
  open("/volunteerApplication", "301 /volunteer"),
  open("/security.txt", "301 /.well-known/security.txt"),
  open("/.well-known/change-password", "302 /change-password"),
  ...["/.well-known/security.txt", "/robots.txt", "/sitemap.xml", "/manifest.webmanifest"].map((path) => open(path)),
  ...["/speculation-rules.json", "/favicon.ico", "/healthz", "/readyz"].map((path) => open(path)),
  open("/sharing/*", "404", "/sharing/no-such-page.png"),
  ...["/assets/*", "/identity/*", "/icons/*"].map((path) => open(path, "404", path.replace("*", "../secret"))),
  // Browsers send reports automatically, without a token.
  { route: "POST /csp-reports", visitor: "204", guest: "204", own: "204", isExempt: true, ask: () => ({ body: {} }) },
  // For this machine and requests with the operator's token.
  open("/metrics", "404"),
];

import { galleryPage } from "#dev/gallery/page.tsx";
import { accountPages } from "#features/accounts/ui/pages.tsx";
import { contentPages } from "#features/content/ui/pages.tsx";
import { donationPages } from "#features/donations/ui/pages.tsx";
import { ticketPages } from "#features/tickets/ui/pages.tsx";
import { volunteeringPages } from "#features/volunteering/ui/pages.tsx";
import type { Page } from "#shared/pages/page.ts";

/** Every page of the site. Fastify is the only router; links are plain links. */
export const pages: readonly Page[] = [
  ...contentPages,
  ...volunteeringPages,
  ...accountPages,
  ...donationPages,
  ...ticketPages,
  galleryPage,
];

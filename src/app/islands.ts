import type { ComponentType } from "react";
import { accountIslands } from "#features/accounts/ui/islands.ts";
import { contentIslands } from "#features/content/ui/islands.ts";
import { donationIslands } from "#features/donations/ui/islands.ts";
import { ticketIslands } from "#features/tickets/ui/islands.ts";
import { volunteeringIslands } from "#features/volunteering/ui/islands.ts";

/** The only components that run in the browser, by the names of their exports. File names are in kebab-case. */
export const islands: Readonly<Record<string, () => Promise<ComponentType<never>>>> = {
  FreshLink: async () => (await import("#shared/links/ui/fresh-link.tsx")).FreshLink,
  ...accountIslands,
  ...contentIslands,
  ...donationIslands,
  ...ticketIslands,
  ...volunteeringIslands,
};

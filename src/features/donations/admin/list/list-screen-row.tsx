import { screen } from "#admin/screen.ts";
import { DonationsBody } from "./donations-body.tsx";
import type {} from "./list-part.ts";

export const donationListScreen = screen({
  path: "/admin/donations",
  right: "donations.see",
  section: "donations",
  menuLabel: "All donations",
  async load(reads, { query, staff, ipAddress }) {
    const [list, saved] = await Promise.all([
      reads.readDonationList({ query, ipAddress, staff: staff! }),
      reads.listSavedFilters(staff!.id, "/admin/donations"),
    ]);
    return { list, saved };
  },
  title: () => "Donations",
  body: (data) => <DonationsBody {...data} />,
});

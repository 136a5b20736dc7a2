import { screen } from "#admin/screen.ts";
import { DonationsBody } from "./donations-body.tsx";
import type {} from "./list-part.ts";

export const donationListScreen = screen({
  path: "/admin/donations",
  right: "donations.see",
  section: "donations",
  menuLabel: "All donations",
  load: (reads, { query, staff, ipAddress }) => reads.readDonationList({ query, ipAddress, staff: staff! }),
  title: () => "Donations",
  body: (data, { path, query }) => <DonationsBody list={data} path={path} query={query} />,
});

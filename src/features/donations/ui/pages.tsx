import { island } from "#shared/pages/island.tsx";
import { type Page, page } from "#shared/pages/page.ts";
import { paths } from "#shared/paths.ts";
import { ProfileLayout } from "#shared/ui/profile-layout.tsx";
import type { HistoryReads } from "../history.ts";
import { DonationPage } from "./donate/donation-page.tsx";
import { HistoryPage } from "./history/history-page.tsx";

declare module "#shared/pages/page.ts" {
  interface PageReads extends HistoryReads {}
}

export const donationPages: readonly Page[] = [
  page({
    path: paths.donation,
    load: async () => ({}),
    head: (_, { organisation: { name } }) => ({
      title: "Donate",
      description: `Give to ${name} by card in four short steps, or by bank deposit. Receipts come by email.`,
    }),
    body: (_, { organisation: { name, abn, phone, email, donationsEmail, banks, ...other }, brand }) => {
      const registration = { ...other.registration, badge: brand.badge };
      return island("DonationPage", DonationPage, {
        organisation: { name, abn, phone, email, donationsEmail, banks, registration },
      });
    },
    bodyClass: "is-form",
    takesPayments: true,
    access: "member or guest",
    // Visitors without cookies, such as search engines, get the log-in page.
    isIndexed: false,
  }),
  page({
    path: paths.donationHistory,
    load: async ({ findHistory }, { query = {} }, _, user) => {
      const history = await findHistory(user!, query);
      return history && { user: user!, history };
    },
    head: (_, { organisation: { name } }) => ({
      title: "Donation History",
      description: `What you have given to ${name}, with a receipt for each donation and a summary for any period.`,
    }),
    body: ({ user, history }, { path }) => (
      <ProfileLayout path={path} user={user}>
        <HistoryPage history={history} isEmailConfirmed={user.emailVerifiedAt !== null} />
      </ProfileLayout>
    ),
    bodyClass: "is-form",
    access: "member",
    queryParameters: ["startDate", "endDate", "after", "before", "pdf"],
    isIndexed: false,
  }),
];

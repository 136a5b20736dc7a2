import type { Connection } from "#shared/database/connect.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { donationsAdmin } from "../admin/admin-parts.ts";
import type { planDonations } from "../demo/add-donations.ts";
import { donationProblems } from "../problems.ts";
import { documentRoutes } from "./documents.ts";
import { donationEmails } from "./emails.ts";
import { joinGuestDonations } from "./guest-donations.ts";
import { historyReads } from "./history.ts";
import { copyEmails } from "./one-donation/receipt-copies.ts";
import { issueWaitingReceipts } from "./receipt.ts";
import { receiptLinks } from "./receipt-links.ts";
import { refundEmails } from "./refund-emails.ts";
import { donationHoldings } from "./retention.ts";
import { donationRoutes } from "./routes.ts";
import { keepDonationDays } from "./search/donation-days.ts";
import { donationSubject } from "./settlement.ts";
import { type DonationEmailJob, writeDonationEmail } from "./write-emails.ts";

type TaskServices = CoreServices<"database" | "organisation" | "jobs" | "now">;

const issueReceipts = ({ database, organisation, jobs, now }: TaskServices) =>
  issueWaitingReceipts({ database, organisation: organisation.current(), jobs, now: now() });

/** What the donations feature adds to the server. */
export const donations = {
  problems: donationProblems,
  calls: donationRoutes,
  routes: documentRoutes,
  reads: ({ database, now }: CoreServices<"database" | "now">) => historyReads(database, now),
  subject: { kind: "donation", create: donationSubject },
  emails: {
    receipt: writeDonationEmail,
    "receipt-copy": writeDonationEmail,
    "new-donation": writeDonationEmail,
    "payment-outcome": writeDonationEmail,
    "payment-needs-check": writeDonationEmail,
    refund: writeDonationEmail,
    "refund-needs-check": writeDonationEmail,
  } satisfies Record<DonationEmailJob["template"], unknown>,
  emailTexts: { "Donations and refunds": [...donationEmails, ...copyEmails, ...refundEmails] },
  links: { receipt: receiptLinks },
  holdings: () => donationHoldings,
  admin: donationsAdmin,
  joinGuest: async (connection: Connection, person: { userId: number; email: string }) =>
    (await joinGuestDonations(connection, person)).length,
  scheduledTasks: [
    { name: "waiting receipts", every: "hour", run: issueReceipts },
    { name: "sums of donations by day", every: "ten minutes", run: keepDonationDays },
  ],
  onOrganisationChanged: issueReceipts,
  planDemo: async (...past: Parameters<typeof planDonations>) =>
    (await import("../demo/add-donations.ts")).planDonations(...past),
} as const;

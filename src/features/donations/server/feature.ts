import type { Database } from "#shared/database/connect.ts";
import type { Jobs } from "#shared/jobs/jobs.ts";
import type { Organisation } from "#shared/organisation.ts";
import { documentRoutes } from "./documents.ts";
import { joinGuestGifts } from "./guest-gifts.ts";
import { issueWaitingReceipts } from "./receipt.ts";
import { receiptLinks } from "./receipt-links.ts";
import { donationHoldings } from "./retention.ts";
import { donationRoutes } from "./routes.ts";
import { donationSubject } from "./settlement.ts";
import { type DonationLetterJob, writeDonationLetter } from "./write-letters.ts";

type ChoreServices = {
  readonly database: Database;
  readonly organisation: { current(): Organisation };
  readonly jobs: Jobs;
  readonly now: () => Date;
};

const issueReceipts = ({ database, organisation, jobs, now }: ChoreServices) =>
  issueWaitingReceipts({ database, organisation: organisation.current(), jobs, now: now() });

/** What donations bring to the server. */
export const donations = {
  calls: donationRoutes,
  routes: documentRoutes,
  subject: { kind: "donation", create: donationSubject },
  letters: {
    receipt: writeDonationLetter,
    "new-donation": writeDonationLetter,
    "payment-outcome": writeDonationLetter,
    "payment-needs-look": writeDonationLetter,
    refund: writeDonationLetter,
    "refund-needs-look": writeDonationLetter,
  } satisfies Record<DonationLetterJob["letter"], unknown>,
  links: { receipt: receiptLinks },
  holdings: () => donationHoldings,
  joinGuest: joinGuestGifts,
  chores: [{ name: "waiting receipts", every: "hour", run: issueReceipts }],
  onOrganisationChanged: issueReceipts,
} as const;

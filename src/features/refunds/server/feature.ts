import { columns, type Holdings } from "#shared/retention/retention.ts";
import { refundsPart } from "../admin/refund-parts.ts";
import type { planRefundRequest } from "../demo/add-refund-request.ts";
import { approvalEmails, type RefundToApproveJob, writeRefundToApproveEmail } from "./approval-email.ts";
import type { RefundServices } from "./refund-requests.ts";

/** Donations and ticket orders erase what staff wrote to each other about their refunds. */
const refundHoldings: Holdings = { rules: [], notPersonal: columns("refund_requests", "decision", "ticket_ids") };

/** What refunds add to the server: who may make them, and how two people decide. */
export const refunds = {
  problems: {},
  calls: () => {},
  emails: { "staff-refund-to-approve": writeRefundToApproveEmail } satisfies Record<
    RefundToApproveJob["template"],
    unknown
  >,
  emailTexts: { "Donations and refunds": approvalEmails },
  admin: (services: RefundServices) => [refundsPart(services)],
  holdings: () => refundHoldings,
  planDemo: async (...past: Parameters<typeof planRefundRequest>) =>
    (await import("../demo/add-refund-request.ts")).planRefundRequest(...past),
} as const;

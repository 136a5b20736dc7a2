import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { DemoPast } from "#payments/demo/demo-payments.ts";
import type { Config } from "#shared/config/config.ts";
import { askForRefund, type RefundServices } from "../server/refund-requests.ts";

type Services = RefundServices & { readonly config: Pick<Config, "refunds"> };

export const planRefundRequest = (services: Services): DemoPast => ({
  payments: [],
  add: () => addRefundRequest(services),
});

/** The treasurer asks for a refund of the latest large donation, which somebody else has to approve. */
async function addRefundRequest(services: Services): Promise<void> {
  const { database, config } = services;
  const treasurer = await database
    .selectFrom("staff")
    .select(["id", "name"])
    .where(sql<boolean>`'treasurer' = any(roles)`)
    .where("state", "=", "active")
    .executeTakeFirst();
  const large = await database
    .selectFrom("payment_attempts as payment")
    .innerJoin("donations", "donations.id", "payment.donation_id")
    .select(["donations.id", "total_cents as cents"])
    .where("payment.state", "=", "succeeded")
    .where("total_cents", ">", config.refunds.twoPeopleCents)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("refunds").select("refunds.id").whereRef("attempt_id", "=", "payment.id"))),
    )
    .orderBy("payment.sent_at", "desc")
    .limit(1)
    .executeTakeFirst();
  if (treasurer === undefined || large === undefined) return;
  const reason = "The donor telephoned: this was meant to be a tenth of it";
  const of = { kind: "donation", id: large.id } as const;
  const wanted = { id: randomUUID(), of, tickets: [], amountCents: large.cents, leftCents: large.cents, reason };
  await askForRefund(services, wanted, { staff: treasurer, ipAddress: "203.0.113.9" });
}

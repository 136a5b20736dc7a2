import { randomUUID } from "node:crypto";
import { z } from "zod";
import { action } from "#admin/actions.ts";
import type { Role } from "#admin/rights.ts";
import type { StaffActor } from "#admin/two-people.ts";
import type { WantedRefund } from "#features/refunds/server/refund-requests.ts";
import { lockPaymentOf } from "#features/refunds/server/request-store.ts";
import type { Attempt } from "#payments/attempts.ts";
import { roomOf } from "#payments/refunds/refund-rules.ts";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import { openAdminSite } from "./admin-site.ts";

/** Proves who the person is, and returns the form that was kept. */
const proved = action({
  path: "/admin/trial/proved",
  right: "logged in",
  screen: "/admin/refunds",
  fields: z.object({}),
  resumes: true,
  run: async () => ({ to: "/admin" }),
});

export type RefundSite = Awaited<ReturnType<typeof openRefundSite>>;

/** A site with the back office where one person may refund $150 a day alone: one donation of $106.58, not two. */
export async function openRefundSite(environment: Record<string, string> = {}) {
  const site = await openAdminSite({ REFUND_TWO_PEOPLE_CENTS: "15000", ...environment }, { actions: [proved] });
  const { database, pool, services } = site;
  const others = createDatabase(createPool(services.databaseUrl, () => undefined));

  return {
    ...site,
    /** The same services with connections of their own, as another process has. */
    besides: { ...services, database: others },
    /** A member of staff, for the rules; `browser` for the screens. */
    async join(...roles: Role[]) {
      const browser = await site.logIn(...roles);
      const actor: StaffActor = { staff: { id: browser.id, name: browser.name }, ipAddress: "203.0.113.7" };
      return { browser, actor, id: browser.id, name: browser.name };
    },
    /** A donation of $106.58 by card; returns its id. */
    async gift(): Promise<string> {
      const { answer } = await site.give(await site.visitor());
      const { rows } = await pool.query("select id from donations where reference = $1", [answer.data.reference]);
      return rows[0].id;
    },
    paymentOf: (donationId: string): Promise<Attempt> =>
      database
        .transaction()
        .execute(async (transaction) => (await lockPaymentOf(transaction, { kind: "donation", id: donationId }))!),
    async refundsOf(donationId: string) {
      const payment = await this.paymentOf(donationId);
      return services.payments.refunds.listOf(payment.id);
    },
    async leftOf(donationId: string): Promise<number> {
      const payment = await this.paymentOf(donationId);
      return roomOf(payment.amount_cents, await services.payments.refunds.listOf(payment.id));
    },
    /** The fields of a form that has just been shown: a refund of all that is left, unless `changes` say otherwise. */
    async wanted(donationId: string, changes: Partial<WantedRefund> = {}): Promise<WantedRefund> {
      const leftCents = await this.leftOf(donationId);
      return {
        id: randomUUID(),
        of: { kind: "donation", id: donationId },
        tickets: [],
        amountCents: leftCents,
        leftCents,
        reason: "Given twice",
        ...changes,
      };
    },
    requestsOf: (donationId: string) =>
      database
        .selectFrom("refund_requests")
        .selectAll()
        .where("donation_id", "=", donationId)
        .orderBy("requested_at")
        .execute(),
    actsOf: async (donationId: string) =>
      (
        await database
          .selectFrom("audit_trail")
          .select(["verb", "actor"])
          .where("subject_id", "=", donationId)
          .orderBy("id")
          .execute()
      ).map(({ verb, actor }) => `${actor}: ${verb}`),
    /** Resets what everybody has refunded alone today. */
    nextDay: () => site.clock.advance(86_400_000),
    async close() {
      await others.destroy();
      await site.close();
    },
  };
}

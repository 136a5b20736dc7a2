import { afterAll, beforeAll, expect, test } from "vitest";
import { sendEmails } from "#app/emails.ts";
import type { JobData } from "#shared/jobs/queues.ts";
import { documentKey } from "#shared/links/document-links.ts";
import { openRefundSite, type RefundSite } from "#test/refund-site.ts";
import { sellOut } from "#test/waiting-list.ts";
import { continueCallOffs } from "../call-off/continue-call-offs.ts";

let site: RefundSite;
beforeAll(async () => {
  site = await openRefundSite({ LIMITS_TICKET_HOLDS: "1000", LIMITS_DECLINES: "1000" });
});
afterAll(() => site.close());

/** Amina pays for the seat that she was offered, and the answer of the bank is lost. Then the event is called off. */
async function callOffWhilePaying(fault: "error_500_after" | "error_500_before") {
  const event = await sellOut(site, 2);
  await event.join("Amina");
  await event.free(1);
  await event.offer();
  const { rows } = await site.pool.query("select id, offered_at from waiting_entries where event_id = $1", [event.id]);
  const { id, offered_at } = rows[0];
  const key = documentKey(site.config, { kind: "ticket_order", id }, offered_at);
  await site.simulator.installFault({ match: {}, do: fault, times: 1 });
  const { answer } = await event.buyer.pay({ id, key, total: 100 }, { changes: { email: event.addressOf("Amina") } });
  expect(answer.data.state).toBe("processing");
  const approver = await site.join("administrator");
  await event.approve(await event.ask(event.planner), approver);
  await continueCallOffs(site.services);
  return { event, entryId: id as string };
}

/** What the buyer is told once the outcome of the payment is known. */
async function readOutcome(orderId: string) {
  await site.settleOpen();
  const { rows } = await site.pool.query(
    `delete from pgboss.job where name = 'emails' and data ->> 'template' like 'tickets-%'
      and (data ->> 'attemptId')::uuid in (select id from payment_attempts where ticket_order_id = $1) returning data`,
    [orderId],
  );
  await site.pool.query("truncate mailbox_messages");
  for (const { data } of rows) await sendEmails(site.services)(data as JobData["emails"]);
  return (await site.pool.query("select text_body from mailbox_messages")).rows.map((row) => row.text_body as string);
}

test("WAIT-7, EVT-11: who is paying for offered seats reads that all of it would come back, and then that it does, never that nothing was charged", async () => {
  const { event, entryId } = await callOffWhilePaying("error_500_after");
  const [told] = await event.emails("waiting-called-off");
  expect(told!.text_body).toContain("If it goes through, we refund all of it and email you.");
  expect(told!.text_body).not.toContain("nothing was charged");
  const [outcome] = await readOutcome(entryId);
  expect(outcome).toContain("We are refunding the whole $100.00");
  expect(outcome).toContain("has been called off");
  // If the first email is written only now, the other has said it all.
  await site.pool.query("truncate mailbox_messages");
  await sendEmails(site.services)({ template: "waiting-called-off", entryId });
  expect((await site.pool.query("select from mailbox_messages")).rowCount).toBe(0);
});

test("WAIT-7: if that payment fails, the email says that nothing was charged, and offers no other tickets", async () => {
  const { entryId } = await callOffWhilePaying("error_500_before");
  const [outcome] = await readOutcome(entryId);
  expect(outcome).toContain("It did not go through, nothing was charged");
  expect(outcome).not.toContain("Choose tickets");
});

import { setTimeout as sleep } from "node:timers/promises";
import { sendEmails } from "#app/emails.ts";
import { countJobs } from "#shared/jobs/failed-jobs.ts";
import { testCards } from "#simulators/control.ts";
import { applicationFields, onePixel, PHOTO, SIGNATURE } from "./application-form.ts";
import { newKey, type TestSite, type Visitor } from "./site.ts";
import { createBuyer, makeTicketedEvent } from "./ticket-buyer.ts";

const DAY = 86_400_000;

/** A person whose details appear nowhere else in the database. */
export const leaver = {
  firstName: "Zubeida",
  lastName: "Quillfeather",
  email: "zubeida.quillfeather@example.com",
  mobile: "61400111222",
  street: "77 Wattlebird Lane",
  emergencyName: "Barnaby Snodgrass",
} as const;

/** The texts that find them in a search of the database. */
export const leaverTexts = ["zubeida", "quillfeather", "400111222", "0400 111 222", "wattlebird", "snodgrass"];

const donor = {
  donorName: `${leaver.firstName} ${leaver.lastName}`,
  donor_first_name: leaver.firstName,
  donor_last_name: leaver.lastName,
  donor_email: leaver.email,
  donorEmail: leaver.email,
  repeat: true,
};

export function donateAsLeaver(site: TestSite, visitor: Visitor, changes: Record<string, unknown> = {}) {
  return site.give(visitor, { changes: { ...donor, ...changes } });
}

export async function writeAsLeaver(visitor: Visitor, message = "I live at 77 Wattlebird Lane.") {
  const name = donor.donorName;
  const { "idempotency-key": key } = newKey();
  const captcha = await visitor.solveCaptcha("contact");
  const { email } = leaver;
  const body = { name, email, phone: "0400 111 222", subject: `From ${name}`, message, captcha, key };
  return visitor.post("/api/contact", body);
}

export async function applyAsLeaver(site: TestSite, visitor: Visitor) {
  const form = new FormData();
  const changes = {
    name: donor.donorName,
    st_add: leaver.street,
    mobile: "0400 111 222",
    email: leaver.email,
    skill: "Quillfeather's pickles",
    em_name: leaver.emergencyName,
    captcha: await visitor.solveCaptcha("volunteer"),
  };
  for (const [name, value] of Object.entries({ ...applicationFields, ...changes })) form.set(name, value);
  for (const name of [PHOTO, SIGNATURE]) form.set(name, new Blob([new Uint8Array(onePixel)]), "a.png");
  const body = new Response(form);
  const response = await site.app.inject({
    method: "POST",
    url: "/api/volunteer/create",
    headers: { ...visitor.identity, "content-type": body.headers.get("content-type") ?? "" },
    payload: Buffer.from(await body.arrayBuffer()),
  });
  return response.json();
}

/** Buys two tickets to an event, or tries to with a card that is declined. */
async function buyAsLeaver(
  site: TestSite,
  visitor: Visitor,
  { slug, isDeclined = false }: { slug: string; isDeclined?: boolean },
) {
  const buyer = createBuyer(site, visitor);
  const { data: order } = await buyer.hold(slug, [{ type: "standard", quantity: 2 }]);
  const { firstName, lastName, email } = leaver;
  const changes = { firstName, lastName, email, phone: "0400 111 222", address: leaver.street, postcode: "2144" };
  const { answer } = await buyer.pay(order, { changes, ...(isDeclined ? { card: testCards.declined } : {}) });
  return { buyer, order, answer };
}

/** Waits for VIP seats, which are sold out. */
async function waitAsLeaver(site: TestSite, visitor: Visitor, event: { readonly id: number; readonly slug: string }) {
  await site.pool.query("update ticket_types set capacity = sold + held where event_id = $1 and code = 'vip'", [
    event.id,
  ]);
  const { firstName, lastName, email } = leaver;
  const wanted = { event: event.slug, type: "vip", quantity: 1 };
  const captcha = await visitor.solveCaptcha("hold", 1);
  return visitor.post("/api/waiting-list", { firstName, lastName, email, ...wanted, captcha });
}

/**
 * Does everything that leaves personal data: donates, is declined, buys tickets to an event that ends during the test and
 * to a later one, waits for others, sends a message and applies to volunteer; with every email that follows.
 */
export async function doEverything(site: TestSite, visitor: Visitor, userId = 0) {
  const over = await makeTicketedEvent(site.database, { startsAt: new Date(site.clock.now().getTime() + 2 * DAY) });
  const ahead = await makeTicketedEvent(site.database);
  const answers = {
    given: (await donateAsLeaver(site, visitor, { user_id: userId })).answer,
    declined: (await site.give(visitor, { card: testCards.declined, changes: { ...donor, user_id: userId } })).answer,
    overOrder: await buyAsLeaver(site, visitor, over),
    aheadOrder: await buyAsLeaver(site, visitor, ahead),
    declinedOrder: await buyAsLeaver(site, await site.visitor("198.51.100.9"), { ...ahead, isDeclined: true }),
    waiting: await waitAsLeaver(site, visitor, ahead),
    message: await writeAsLeaver(visitor),
    application: await applyAsLeaver(site, visitor),
  };
  const { given, declined, overOrder, aheadOrder, declinedOrder, waiting, message, application } = answers;
  const orders = [overOrder, aheadOrder, declinedOrder].map(({ answer }) => answer);
  const codes = [given, declined, ...orders, waiting, message, application].map(({ code }) => code);
  if (codes.join() !== "200,402,200,200,402,200,200,200") throw new Error(`Not everything succeeded: ${codes}`);
  await sendAllEmails(site);
  site.clock.advance(3 * DAY);
  return { aheadOrder };
}

const sending = new WeakSet<TestSite>();

/** Lets the site send every waiting email. */
export async function sendAllEmails(site: TestSite): Promise<void> {
  if (!sending.has(site)) await site.services.jobs.work("emails", sendEmails(site.services));
  sending.add(site);
  while ((await countJobs(site.database)).waiting > 0) await sleep(50);
}

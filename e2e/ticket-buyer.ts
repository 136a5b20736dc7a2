import { randomUUID } from "node:crypto";
import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { sql } from "kysely";
import { makeTicketEvent } from "#database/ticket-factories.ts";
import { createDatabase, createPool, type Database } from "#shared/database/connect.ts";
import { type SimulatorControl, type TypedCard, testCards, tokenise } from "#simulators/control.ts";
import { solveCaptcha } from "#test/solve-captcha.ts";
import { databaseOf, test as journey, siteUrl } from "./journey.ts";
import { createPayer } from "./payer.ts";

type Choice = { readonly vip?: number; readonly standard?: number };
type OrderKey = { readonly id: string; readonly key: string };

/** Playwright's test, with a ticket buyer, staff, and a rival who wants the same seats. */
export const test = journey.extend<{ buyer: TicketBuyer; staff: Staff; rival: Rival }>({
  buyer: async ({ page, amount }, use) => use(createTicketBuyer(page, `buyer-${amount}@example.com`)),
  staff: async ({ site }, use) => {
    const database = createDatabase(createPool(databaseOf(site), () => undefined));
    await use(createStaff(database));
    await database.destroy();
  },
  rival: async ({ request, simulator, site }, use) => use(createRival(request, siteUrl(site), simulator)),
});

type TicketBuyer = ReturnType<typeof createTicketBuyer>;

/** A ticket buyer: the steps of a purchase, by what a person reads on the page. */
function createTicketBuyer(page: Page, email: string) {
  const payer = createPayer(page, "Pay");
  const button = (name: string | RegExp) => page.getByRole("button", { name });
  const heading = (name: string | RegExp, level = 1) => page.getByRole("heading", { level, name });
  const seats = { vip: "VIP Seat", standard: "Standard Seat" } as const;
  const draft = () =>
    page.evaluate(() => {
      const name = Object.keys(sessionStorage).find((key) => sessionStorage.getItem(key)?.includes('"lines"'));
      return JSON.parse(sessionStorage.getItem(name ?? "") ?? "{}") as { order?: OrderKey };
    });
  const buyer = {
    ...payer,
    email,
    button,
    heading,
    clock: page.getByRole("timer"),
    field: (name: string) => page.getByRole("textbox", { name }),
    order: page.getByRole("complementary", { name: "Your order" }),
    result: page.getByRole("region", { name: "Result" }),

    async choose(choice: Choice) {
      for (const [code, quantity] of Object.entries(choice)) {
        const title = seats[code as keyof Choice];
        const field = page.getByRole("textbox", { name: `${title} quantity` });
        await field.fill(String(quantity));
        await field.blur();
      }
    },

    /** Goes from the event's choice of tickets to the checkout, which holds the seats. */
    async openCheckout(slug: string, choice: Choice) {
      await page.goto(`/selectTickets?event=${slug}`);
      await buyer.choose(choice);
      await button("Next").click();
      await buyer.seesHold();
    },

    async seesHold() {
      await expect(buyer.clock).toContainText(/^Your seats are held for \d+:\d\d$/);
    },

    async fillBuyer({ firstName = "Amina", lastName = "Raza" } = {}) {
      await buyer.field("Email").fill(email);
      await buyer.field("First Name").fill(firstName);
      await buyer.field("Last Name").fill(lastName);
    },

    /** The order whose seats this tab holds. */
    async heldOrder(): Promise<OrderKey> {
      const { order } = await draft();
      expect(order).toBeDefined();
      return order!;
    },

    seesBooked: () => expect(heading("Your tickets are booked")).toBeVisible(),
  };
  return buyer;
}

type Staff = ReturnType<typeof createStaff>;

/** Does what no page can: plans events, and lets a hold's time pass. */
function createStaff(database: Database) {
  return {
    /** An event after all others, so that the addresses without an event still show the demo's. */
    async plan({ startsInDays = 400, vip = {}, standard = {} }: Plan = {}): Promise<string> {
      const startsAt = new Date(Date.now() + startsInDays * 86_400_000);
      const { slug } = await makeTicketEvent(database, {
        event: { starts_at: startsAt, ends_at: new Date(startsAt.getTime() + 3 * 3_600_000) },
        types: [
          { code: "vip", title: "VIP Seat", position: 1, price_cents: 10_000, capacity: 20, ...vip },
          { code: "standard", title: "Standard Seat", position: 2, price_cents: 5_000, capacity: 120, ...standard },
        ],
      });
      return slug;
    },
    /** Holds the order's seats for this many seconds from now; zero or less ends the hold. */
    async endHold({ id }: OrderKey, inSeconds: number) {
      const until = new Date(Date.now() + inSeconds * 1000);
      await database.updateTable("ticket_orders").set({ hold_until: until }).where("id", "=", id).execute();
    },
    /** Waits until a payment for the order is being sent to the provider. */
    async untilPaying({ id }: OrderKey) {
      const find = () =>
        sql<{ state: string }>`select state from payment_attempts where ticket_order_id = ${id}`.execute(database);
      await expect.poll(async () => (await find()).rows.map(({ state }) => state)).toEqual(["submitting"]);
    },
    /** The references of an order's payments on the provider's books. */
    async referencesOf(reference: string): Promise<string[]> {
      const { rows } = await sql<{ order_reference: string }>`
        select a.order_reference from payment_attempts a join ticket_orders o on o.id = a.ticket_order_id
        where o.reference = ${reference}`.execute(database);
      return rows.map(({ order_reference }) => order_reference);
    },
  };
}

type SeatChanges = { readonly price_cents?: number; readonly capacity?: number; readonly sold?: number };
type Plan = { readonly startsInDays?: number; readonly vip?: SeatChanges; readonly standard?: SeatChanges };

type Rival = ReturnType<typeof createRival>;

/** Another buyer, with the pages' own calls and a real captcha. */
function createRival(request: APIRequestContext, site: string, simulator: SimulatorControl) {
  const post = async (path: string, data: object): Promise<unknown> => {
    await request.get(`${site}/api/checkout`);
    const { cookies } = await request.storageState();
    const token = cookies.find(({ name }) => name === "XSRF-TOKEN")?.value ?? "";
    const headers = { "x-xsrf-token": decodeURIComponent(token), "idempotency-key": randomUUID() };
    const answer = await request.post(`${site}/api${path}`, { data, headers });
    const { error, effort } = await answer.json();
    if (error === "captcha_dearer" && !("captcha" in data)) {
      const challenge = await request.get(`${site}/api/captcha?action=hold&effort=${effort}`);
      return post(path, { ...data, captcha: await solveCaptcha(await challenge.json()) });
    }
    expect(answer.status(), await answer.text()).toBe(200);
    return (await answer.json()).data;
  };
  const hold = (event: string, choice: Choice) =>
    post("/ticket-orders", {
      event,
      lines: Object.entries(choice).map(([type, quantity]) => ({ type, quantity })),
    }) as Promise<OrderKey & { total: number; pageUrl: string }>;
  return {
    hold,
    /** Holds and pays; returns the address of the order's page. */
    async book(event: string, choice: Choice, card: TypedCard = testCards.approved): Promise<string> {
      const { id, key, total, pageUrl } = await hold(event, choice);
      const challenge = await request.get(`${site}/api/captcha?action=tickets`);
      const person = { email: "rival@example.com", firstName: "Bilal", lastName: "Khan", country: "Australia" };
      await post(`/ticket-orders/${id}/payment`, {
        ...person,
        key,
        method: "cc",
        instrument: await tokenise(simulator.paywayUrl, { ...card, threeDS2: true }),
        total,
        captcha: await solveCaptcha(await challenge.json()),
      });
      return pageUrl;
    },
  };
}

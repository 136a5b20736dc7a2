// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepTogether } from "#shared/language.ts";
import { setCookie } from "#test/cookies.ts";
import { answerCalls, heldOrder, paidOrder, refund, uuid } from "#test/pages/tickets.ts";
import type { TicketOrder } from "../../contract.ts";
import { findDraft } from "../draft-storage.ts";
import { OrderPage } from "./order-page.tsx";

vi.mock("#shared/ui/feedback.ts", () => ({ whileLoading: (work: Promise<unknown>) => work }));
// jsdom has no dialogs.
HTMLDialogElement.prototype.showModal = function () {
  this.open = true;
};
HTMLDialogElement.prototype.close = function () {
  this.open = false;
};

beforeEach(() => {
  sessionStorage.clear();
  setCookie("XSRF-TOKEN=token");
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const open = (changes: Partial<TicketOrder> = {}, from = paidOrder) =>
  render(<OrderPage order={{ ...from, ...changes }} organisation={{ phone: "02 9000 1111" }} />);
const hrefOf = (name: string) => screen.queryByRole("link", { name })?.getAttribute("href");
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));
const tickets = () => within(screen.getByRole("region", { name: "Tickets" })).getAllByRole("listitem");
const field = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Name on ticket A1B2-C3D2" });
const dialog = () => within(screen.getByRole("dialog"));
const cancelled = (...numbers: number[]) =>
  paidOrder.tickets.map((one) => (numbers.some((n) => one.id === uuid(n)) ? { ...one, isCancelled: true } : one));

test("API-9: the email's link shows the order, its total, each ticket with number and holder, and the PDF", () => {
  open();
  expect(screen.getByRole("heading", { name: "Your tickets are booked" })).toBeDefined();
  expect(document.body.textContent).toContain("T-7KQ2M4XD");
  expect(document.body.textContent).toContain(keepTogether("Saturday 27 April 2024 8:00 PM to 11:00 PM (UTC+05)"));
  expect(document.body.textContent).toContain("Standard Seat, 2 tickets at $50.00$100.00");
  expect(tickets()).toHaveLength(3);
  expect(tickets()[0]?.textContent).toContain("VIP SeatA1B2-C3D1Amina Raza");
  expect(hrefOf("Download tickets (PDF)")).toBe(paidOrder.ticketsUrl);
  expect(hrefOf("Add to your calendar")).toBe(paidOrder.calendarUrl);
  expect(hrefOf("Charity dinner & music")).toBe("/events/charity-dinner");
});

test("EVT-16: the page says what was paid in person, or that the tickets are free", () => {
  const lines = paidOrder.lines.map((line) => ({ ...line, priceCents: 0 }));
  const tickets = paidOrder.tickets.map((ticket) => ({ ...ticket, priceCents: 0 }));
  const sums = () => document.querySelector(".order-sum")!.textContent;
  open({ lines, tickets, totalCents: 0, takenCents: 20_000 });
  expect(sums()).toBe("VIP Seat1 ticketStandard Seat2 ticketsPaid in person, in Australian dollars$200.00");
  cleanup();
  open({ lines, tickets, totalCents: 0 });
  expect(sums()).toBe("VIP Seat, 1 ticketFreeStandard Seat, 2 ticketsFreeTotal in Australian dollarsFree");
});

test.each([
  ["lapsed", "Your seats are no longer held"],
  ["refunded", "Your money is on its way back"],
  ["cancelled", "This order is cancelled"],
] as const)(
  "EVT-6: an order that is %s says so and links to the next step, with the key of the link that shows its tickets",
  (state, title) => {
    open({ state }, heldOrder);
    expect(screen.getByRole("heading", { name: title })).toBeDefined();
    expect(hrefOf("Choose tickets again")).toBe("/selectTickets?event=charity-dinner");
    expect(screen.queryByRole("button")).toBeNull();
    cleanup();
    open({ state, access: "secret-door" }, heldOrder);
    expect(hrefOf("Choose tickets again")).toBe("/selectTickets?event=charity-dinner&key=secret-door");
  },
);

test("a held order links to the checkout, which knows the order in any tab", () => {
  open({}, heldOrder);
  fireEvent.click(screen.getByRole("link", { name: "Continue to checkout" }));
  expect(hrefOf("Continue to checkout")).toBe("/ticketsCheckout?event=charity-dinner");
  expect(findDraft("charity-dinner")).toMatchObject({
    order: { id: heldOrder.id, key: "the-key" },
    lines: [
      { type: "vip", quantity: 1 },
      { type: "standard", quantity: 2 },
    ],
  });
});

test("EVT-6, WAIT-2: an offer of a type that only a link shows leads to the checkout with the link's key, and the tab keeps it", () => {
  open({ isOffer: true, access: "secret-door" }, heldOrder);
  fireEvent.click(screen.getByRole("link", { name: "Continue to checkout" }));
  expect(hrefOf("Continue to checkout")).toBe("/ticketsCheckout?event=charity-dinner&key=secret-door");
  expect(findDraft("charity-dinner")).toMatchObject({ access: "secret-door", order: { id: heldOrder.id } });
});

test("while a payment is being confirmed nothing invites the buyer to pay again, and the page checks automatically", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  open({ payment: { id: uuid(9), state: "processing" } }, heldOrder);
  expect(screen.queryByRole("link", { name: "Continue to checkout" })).toBeNull();
  let answers = 0;
  const calls = answerCalls(() => (answers++ === 0 ? "cut" : { data: paidOrder }));
  await vi.advanceTimersByTimeAsync(3_100);
  await waitFor(() => expect(calls).toHaveLength(1));
  await vi.advanceTimersByTimeAsync(4_600);
  await screen.findByRole("heading", { name: "Your tickets are booked" });
  expect(calls.map(({ url }) => url)).toEqual(Array(2).fill(`/api/ticket-orders/${uuid(0)}?key=the-key`));
});

test("a ticket's name is changed in its row; focus returns and the change is announced", async () => {
  const renamed = paidOrder.tickets.map((one) => (one.id === uuid(2) ? { ...one, holder: "Bilal Raza" } : one));
  const calls = answerCalls(() => ({ data: { ...paidOrder, tickets: renamed } }));
  open();
  press("Change name on ticket A1B2-C3D2");
  expect([document.activeElement, field().value]).toEqual([field(), "Amina Raza"]);
  fireEvent.change(field(), { target: { value: " Bilal Raza " } });
  press("Save name");
  await waitFor(() => expect(tickets()[1]?.textContent).toContain("Bilal Raza"));
  expect(calls).toEqual([
    {
      url: `/api/ticket-orders/${uuid(0)}/holder`,
      body: { key: "the-key", ticket: uuid(2), name: "Bilal Raza" },
    },
  ]);
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Change name on ticket A1B2-C3D2"));
  expect(within(tickets()[1]!).getByRole("status").textContent).toContain("The name is changed.");
});

test("a refused name has an error at its field and stays typed; Escape keeps the old name", async () => {
  const answers = [
    { status: 422, error: "invalid_input", data: { name: ["Enter a name of at most 100 characters"] } },
    "cut" as const,
  ];
  const calls = answerCalls(() => answers.shift()!);
  open();
  press("Change name on ticket A1B2-C3D2");
  fireEvent.change(field(), { target: { value: "  " } });
  press("Save name");
  await screen.findByText("Enter the name of the person attending");
  expect([calls.length, document.activeElement]).toEqual([0, field()]);
  fireEvent.change(field(), { target: { value: "Bilal" } });
  press("Save name");
  await screen.findByText("Enter a name of at most 100 characters");
  press("Save name");
  await screen.findByText("We didn’t get an answer. Please check your connection and try again.");
  expect(field().value).toBe("Bilal");
  fireEvent.keyDown(field(), { key: "Escape" });
  await waitFor(() => expect(tickets()[1]?.textContent).toContain("Amina Raza"));
  expect(document.activeElement?.textContent).toBe("Change name on ticket A1B2-C3D2");
});

test("tickets are cancelled after a confirmation with the refund and a warning that it is final", async () => {
  const calls = answerCalls(() => ({ data: { ...paidOrder, tickets: cancelled(2), refundedCents: 5_000 } }));
  open();
  press("Cancel tickets");
  expect(screen.getByRole("alert").textContent).toContain("Choose the tickets to cancel");
  fireEvent.click(screen.getByRole("checkbox", { name: /A1B2-C3D2/ }));
  press("Cancel 1 ticket, refund $50.00");
  expect(dialog().getByRole("heading").textContent).toBe("Cancel this ticket?");
  expect(screen.getByRole("dialog").textContent).toContain("We will refund $50.00 to the card or PayPal account");
  expect(screen.getByRole("dialog").textContent).toContain("This cannot be undone.");
  fireEvent.click(dialog().getByRole("button", { name: "Yes, cancel 1 ticket, refund $50.00" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(calls).toEqual([
    { url: `/api/ticket-orders/${uuid(0)}/cancellation`, body: { key: "the-key", tickets: [uuid(2)] } },
  ]);
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Your tickets are booked"));
  expect(screen.getAllByRole("status")[0]?.textContent).toContain(
    "1 ticket cancelled. $50.00 will be refunded to the card or PayPal account that paid.",
  );
  expect(tickets()[1]?.textContent).toContain("Cancelled");
  expect(screen.queryByRole("checkbox", { name: /A1B2-C3D2/ })).toBeNull();
});

test("EVT-16: cancelling promises a refund only of what was paid online; who paid in person reads whom to ask", async () => {
  const tickets = paidOrder.tickets.map((ticket) => ({ ...ticket, priceCents: 0 }));
  for (const [changes, money, done] of [
    [
      { takenCents: 20_000 },
      "You paid in person, so ask us for your money: call our helpline on 02 9000 1111.",
      "1 ticket cancelled. You paid in person, so ask us for your money: call our helpline on 02 9000 1111.",
    ],
    [
      {},
      "The ticket cost nothing, so there is nothing to refund.",
      "1 ticket cancelled. It cost nothing, so there is nothing to refund.",
    ],
  ] as const) {
    const order = { ...paidOrder, tickets, totalCents: 0, ...changes };
    answerCalls(() => ({
      data: { ...order, tickets: tickets.map((one) => (one.id === uuid(2) ? { ...one, isCancelled: true } : one)) },
    }));
    open(order);
    fireEvent.click(screen.getByRole("checkbox", { name: /A1B2-C3D2/ }));
    press("Cancel 1 ticket");
    expect(screen.getByRole("dialog").textContent).toContain(money);
    expect(document.body.textContent).not.toMatch(/\$0\.00|refund until|card or PayPal/);
    fireEvent.click(dialog().getByRole("button", { name: "Yes, cancel 1 ticket" }));
    await waitFor(() => expect(screen.getAllByRole("status")[0]?.textContent).toContain(done));
    cleanup();
    open({ ...order, cancelUntil: null });
    expect(document.body.textContent).toContain("You can no longer cancel tickets on this page.");
    cleanup();
  }
});

test("a refused cancellation says why in the dialog, which stays open; Keep changes nothing", async () => {
  const calls = answerCalls(() => ({ status: 409, error: "conflict", message: "The time for this is over." }));
  open();
  for (const box of screen.getAllByRole("checkbox")) fireEvent.click(box);
  press("Cancel 3 tickets, refund $200.00");
  fireEvent.click(dialog().getByRole("button", { name: /^Yes/ }));
  await dialog().findByText("The time for this is over.");
  fireEvent.click(dialog().getByRole("button", { name: "Keep the tickets" }));
  expect([screen.queryByRole("dialog"), calls.length]).toEqual([null, 1]);
  expect(screen.getAllByRole<HTMLInputElement>("checkbox").every(({ checked }) => checked)).toBe(true);
});

test("cancelling the last ticket cancels the order, and focus moves to the notice", async () => {
  answerCalls(() => ({
    data: {
      ...paidOrder,
      state: "cancelled",
      tickets: cancelled(1, 2, 3),
      refundedCents: 20_000,
      cancelUntil: null,
    },
  }));
  open();
  for (const box of screen.getAllByRole("checkbox")) fireEvent.click(box);
  press("Cancel 3 tickets, refund $200.00");
  fireEvent.click(dialog().getByRole("button", { name: /^Yes/ }));
  await screen.findByRole("heading", { name: "This order is cancelled" });
  await waitFor(() => expect(document.activeElement?.textContent).toBe("This order is cancelled"));
  expect(screen.queryByRole("checkbox")).toBeNull();
});

test("TIC-8: each refund is on the page: waiting until a date, on its way, paid on a date, or delayed", () => {
  open({
    state: "cancelled",
    refunds: [
      refund({}),
      refund({ id: uuid(4), state: "on_its_way", expectedBy: null }),
      refund({ id: uuid(5), state: "paid", expectedBy: null, paidAt: "2024-04-02T20:00:00.000Z" }),
      refund({ id: uuid(6), state: "delayed", expectedBy: null }),
      refund({
        id: uuid(7),
        state: "paid",
        expectedBy: null,
        paidAt: "2024-04-02T20:00:00.000Z",
        isSecondPayment: true,
      }),
    ],
  });
  const items = within(screen.getByRole("list", { name: "Refunds" })).getAllByRole("listitem");
  expect(items.map(({ firstChild }) => firstChild?.textContent)).toEqual([
    "Refund of $50.00: on its way",
    "Refund of $50.00: on its way",
    "Refund of $50.00: paid on 3 April 2024",
    "Refund of $50.00: delayed",
    "Refund of $50.00: paid on 3 April 2024",
  ]);
  expect(items[0]?.textContent).toContain("which takes about a day. We then pay it automatically, by 2 April 2024.");
  expect(items[2]?.textContent).toContain("It goes back to the card you paid with.");
  expect(items[3]?.textContent).toContain("Our staff know");
  expect(items[4]?.textContent).toContain("You had paid twice.");
});

test("TIC-8: an overdue refund no longer promises a date", () => {
  open({ now: "2024-04-03T00:00:00.000Z", refunds: [refund({})] });
  expect(screen.getByRole("list", { name: "Refunds" }).textContent).toContain("It is taking longer than usual.");
});

test("the page says until when tickets can be cancelled, and afterwards what to do instead", () => {
  open();
  expect(document.body.textContent).toContain(
    keepTogether(
      "name on a ticket above, or cancel tickets for a refund until Friday 26 April 2024 at 1:00 am, Sydney",
    ),
  );
  cleanup();
  open({ cancelUntil: null });
  expect(document.body.textContent).toContain("can no longer cancel tickets for a refund on this page");
  expect(screen.queryByRole("checkbox")).toBeNull();
  expect(screen.getAllByRole("button", { name: /^Change name/ })).toHaveLength(3);
});

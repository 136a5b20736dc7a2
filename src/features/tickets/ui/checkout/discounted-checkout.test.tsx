// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import {
  choose,
  clock,
  fillBuyer,
  isOff,
  kept,
  open,
  openFree,
  press,
  reachCard,
} from "#test/pages/ticket-checkout.tsx";
import { answerWith, envelope, orderOf, paidOrder, refusal, sent } from "#test/pages/ticket-server.ts";
import { translatePage } from "#test/pages/translate-page.ts";

const HOLD = "POST /api/ticket-orders";

async function enter(code: string) {
  fireEvent.change(screen.getByLabelText("Discount code"), { target: { value: code } });
  await act(async () => press("Apply"));
}

test("TIC-10: a discount code changes the order beside the form, and can be taken off", async () => {
  open();
  await clock();
  answerWith(HOLD, () => envelope(200, orderOf({ total: 120, discount: { code: "SPRING", amount: 30 } })));
  await enter("spring");
  expect(await screen.findByText("SPRING")).toBeDefined();
  expect(screen.getByText("-$30.00")).toBeDefined();
  const said = screen.getByText("The code takes $30.00 off. The total is $120.00.");
  expect(said.getAttribute("role")).toBe("status");
  expect(document.activeElement).toBe(said.parentElement);
  expect(kept().discount).toBe("spring");
  const [, second] = sent(HOLD);
  expect(second!.body).toMatchObject({ discount: "spring", instead: { key: "the-key" } });
  answerWith(HOLD, () => envelope(200, orderOf()));
  await act(async () => press("Take the code off"));
  const summary = await screen.findByText("I have a discount code");
  expect(document.activeElement!.contains(summary)).toBe(true);
  expect(document.activeElement).not.toBe(document.body);
  expect(screen.getByText("The code is taken off. The total is $150.00.").getAttribute("role")).toBe("status");
  expect(kept().discount).toBeUndefined();
});

test("TIC-10: on a page that the browser has translated, the button names the reduced total too", async () => {
  await reachCard();
  translatePage();
  answerWith(HOLD, () => envelope(200, orderOf({ total: 120, discount: { code: "SPRING", amount: 30 } })));
  await enter("spring");
  await waitFor(() => expect(isOff("Pay $120.00")).toBe(false));
});

test("TIC-10: a code that cannot be used says why beside its field; the seats stay held", async () => {
  open();
  await clock();
  answerWith(HOLD, refusal(409, "code_refused", "This code has ended."));
  await enter("SPRING");
  expect((await screen.findByRole("alert")).textContent).toBe("This code has ended.");
  expect(screen.getByLabelText("Discount code").getAttribute("aria-invalid")).toBe("true");
  expect(await clock()).toBeDefined();
  answerWith(HOLD, () => new Promise<never>(() => undefined));
  await enter("SUMMER");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("TIC-10: a code that is not for the tickets chosen since is taken off, and the checkout says so", async () => {
  choose({ lines: [{ type: "standard", quantity: 1 }], discount: "SPRING" });
  const sentence = "This code is not for the tickets you chose. It is for VIP Seat.";
  const refused = refusal(409, "code_refused", sentence);
  answerWith(HOLD, (request) => (request.body.discount === undefined ? envelope(200, orderOf()) : refused(request)));
  open();
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toBe(`We took the code off your order. ${sentence}`);
  expect(alert.closest("details")!.open).toBe(true);
  expect(kept().discount).toBeUndefined();
  expect(await clock()).toBeDefined();
});

test("TIC-10: before the seats are held, an order that costs nothing does not speak of paying", async () => {
  answerWith(HOLD, () => new Promise<never>(() => undefined));
  openFree();
  expect(await screen.findByText("There is nothing to pay. You book here once your seats are held.")).toBeDefined();
});

test("TIC-10, PAGE-9: an order that costs nothing has one button in the place of the payment, and is sent once", async () => {
  answerWith(HOLD, () => envelope(200, orderOf({ total: 0, discount: { code: "ALL", amount: 150 } })));
  answerWith("POST /api/ticket-orders/*/booking", () => envelope(200, paidOrder()));
  open();
  await clock();
  fillBuyer();
  const button = await screen.findByRole("button", { name: "Book for free" });
  const policies = screen.getAllByRole("link", { name: /opens in a new tab/ }).map((link) => link.getAttribute("href"));
  expect(policies).toEqual(["/privacy", "/terms"]);
  fireEvent.click(button);
  fireEvent.click(button);
  expect(await screen.findByRole("heading", { name: "Your tickets are booked" })).toBeDefined();
  const [booked, ...more] = sent("POST /api/ticket-orders/*/booking");
  expect(more).toEqual([]);
  expect(booked!.body).toMatchObject({ key: "the-key", email: expect.any(String) });
});

test("TIC-10: tickets that cost nothing are free in the order, not at $0.00", async () => {
  const lines = [
    { type: "child", title: "Child", quantity: 2, price: 0 },
    { type: "vip", title: "VIP Seat", quantity: 1, price: 100 },
  ];
  answerWith(HOLD, () => envelope(200, orderOf({ lines, total: 100 })));
  open();
  await clock();
  const order = screen.getByRole("complementary", { name: "Your order" });
  expect(order.textContent).toContain("2 × ChildFree");
  expect(order.textContent).toContain("1 × VIP Seat at $100.00");
});

test("EVT-6: tickets that only whoever has their link can order show no price before the seats are held", async () => {
  choose({ lines: [{ type: "sponsors", quantity: 2 }] });
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof envelope>>();
  answerWith(HOLD, () => promise);
  open();
  const order = await screen.findByRole("complementary", { name: "Your order" });
  await waitFor(() => expect(sent(HOLD)).toHaveLength(1));
  expect(order.textContent).toContain("Your tickets and their price show here once the seats are held.");
  expect(within(order).queryByText(/sponsors/)).toBeNull();
  const lines = [{ type: "sponsors", title: "Sponsors’ table", quantity: 2, price: 75 }];
  resolve(envelope(200, orderOf({ lines })));
  expect(await within(order).findByText(/2 × Sponsors’ table/)).toBeDefined();
});

// @vitest-environment jsdom

import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { longTest } from "#test/long-test.ts";
import { challenge, frame, payPal, token } from "#test/pages/providers.ts";
import {
  clock,
  fill,
  fillBuyer,
  heading,
  isOff,
  kept,
  open,
  payByCard,
  press,
  reachCard,
  told,
} from "#test/pages/ticket-checkout.tsx";
import {
  answerWith,
  envelope,
  orderIds,
  orderOf,
  paidOrder,
  paymentOf,
  refusal,
  requests,
  sent,
  serve,
  succeeded,
} from "#test/pages/ticket-server.ts";

const PAY = "POST /api/ticket-orders/*/payment";
const solve = async () => fireEvent.click(await screen.findByRole("button", { name: "I'm not a robot" }));
const stillHeld = () => answerWith("GET /api/ticket-orders/*", () => envelope(200, orderOf()));

describe("before paying", () => {
  test("TIC-4, LAY-12: the button repeats the field's error, a field is checked when it is left, and pressing shows all errors", async () => {
    open();
    await clock();
    expect(await screen.findByText("Email is required")).toBeDefined();
    fill("Email", "sana@example.com");
    fill("First Name", "S".repeat(101));
    expect(screen.getAllByText("Enter a first name of at most 100 characters")).toHaveLength(1);
    fireEvent.blur(screen.getByLabelText("First Name"));
    await waitFor(() => expect(screen.getAllByText("Enter a first name of at most 100 characters")).toHaveLength(2));
    fill("First Name", "Sana");
    fireEvent.blur(screen.getByLabelText("Last Name"));
    expect(screen.getByLabelText("Last Name").getAttribute("aria-invalid")).toBeNull();
    fill("Email", "not an address");
    press("Pay $150.00");
    expect(await screen.findByRole("heading", { name: "There is a problem" })).toBeDefined();
    expect(screen.getByRole("link", { name: "Please enter a valid email address" }).getAttribute("href")).toBe(
      "#CheckOutEmail",
    );
    expect(screen.getByLabelText("Last Name").getAttribute("aria-invalid")).toBe("true");
    await waitFor(() => expect(document.title).toBe("Error: Tickets checkout | Chashma"));
    fillBuyer();
    await waitFor(() => expect(screen.queryByRole("heading", { name: "There is a problem" })).toBeNull());
    expect(screen.getByText("Complete the verification above first.")).toBeDefined();
    expect(sent(PAY)).toEqual([]);
  });

  test("TIC-4: the server's errors are beside their fields, and a new captcha is needed", async () => {
    const fields = { country: ["Choose a country from the list"] };
    answerWith(PAY, refusal(422, "invalid_input", "Please check the details you entered.", fields));
    await payByCard();
    expect(await screen.findByRole("link", { name: "Choose a country from the list" })).toBeDefined();
    await waitFor(() => expect(document.activeElement?.textContent).toContain("There is a problem"));
    expect(isOff("Pay $150.00")).toBe(true);
    expect(screen.getAllByText("Choose a country from the list")).toHaveLength(2);
  });

  test("TIC-5: card is the default; PayPal fetches a token; choosing card again opens its form again, with the same captcha", async () => {
    await reachCard();
    expect(screen.getByText("I'm not a robot").dataset.challenge).toBe("/api/captcha?action=tickets");
    expect(frame.made).toBe(1);
    fireEvent.click(screen.getByRole("radio", { name: /^PayPal/ }));
    await screen.findByText("PayPal’s button is ready");
    expect(payPal.authorization).toBe("a client token");
    expect([frame.destroyed, kept().method]).toEqual([1, "pp"]);
    fireEvent.click(screen.getByRole("radio", { name: /^Credit card/ }));
    expect(frame.made).toBe(1);
    await waitFor(() => expect(frame.made).toBe(2));
    await waitFor(() => expect(isOff("Pay $150.00")).toBe(false));
  });
});

describe("paying", () => {
  test("TIC-6, LAY-2: a card is charged once, and the finish shows the order, its tickets and their links", async () => {
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof envelope>>();
    answerWith("GET /api/ticket-orders/*", () => promise);
    await payByCard();
    press(/^Pay|^Processing/);
    const text = "We’ve sent your card details to the bank. Please don’t close this page";
    await waitFor(() => expect(told.whileLoading).toHaveBeenCalledWith(expect.anything(), text));
    await heading("Your tickets are booked");
    const news = screen.getByText(/^We are emailing your tickets/);
    resolve(envelope(200, paidOrder()));
    const [payment, ...more] = sent(PAY);
    expect(more).toEqual([]);
    expect(payment?.headers["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(payment?.body).toEqual({
      email: "sana@example.com",
      firstName: "Sana",
      lastName: "Malik",
      country: "Australia",
      phone: "",
      address: "",
      postcode: "",
      suburb: "",
      key: "the-key",
      method: "cc",
      instrument: token,
      total: 150,
      captcha: "c29sdmVk",
    });
    expect(await screen.findByText("AB12-CD34")).toBeDefined();
    // The same element, so that what was announced as coming is also announced as there.
    expect(news.textContent).toMatch(/^We sent your tickets to sana@example.com\./);
    expect(news.getAttribute("role")).toBe("status");
    for (const text of ["T-7KQ2M9XW", "$150.00 AUD", "your tickets to sana@example.com", "EF56-GH78"]) {
      expect(document.body.textContent).toContain(text);
    }
    const linkTo = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
    expect(linkTo("Download tickets (PDF)")).toBe("/ticket-orders/1/tickets.pdf?key=the-key");
    expect(linkTo("Add to your calendar")).toBe("/ticket-orders/1/event.ics?key=the-key");
    expect(linkTo("See or change your order")).toBe("/ticket-orders/1?key=the-key");
    expect(document.title).toBe("Your tickets are booked | Tickets checkout | Chashma");
    expect(document.activeElement?.textContent).toBe("Your tickets are booked");
    expect(kept()).toBeNull();
    expect(screen.queryByRole("link", { name: "Change tickets" })).toBeNull();
  });

  test("TIC-6: a reload of the finish shows it again", async () => {
    await payByCard();
    await screen.findByText("AB12-CD34");
    cleanup();
    serve();
    open();
    expect(await screen.findByText("AB12-CD34")).toBeDefined();
    expect(requests.every(({ call }) => call.startsWith("GET"))).toBe(true);
    expect(told.leave).not.toHaveBeenCalled();
  });

  test("TIC-5, TIC-6: PayPal charges the real total once the fields are valid", async () => {
    open();
    await clock();
    fireEvent.click(await screen.findByRole("radio", { name: /^PayPal/ }));
    await solve();
    await screen.findByText("PayPal’s button is ready");
    const actions = { resolve: () => true, reject: () => false };
    await act(async () => expect(payPal.buttons!.onClick({}, actions)).toBe(false));
    expect(await screen.findByRole("heading", { name: "There is a problem" })).toBeDefined();
    fillBuyer();
    expect(payPal.buttons!.onClick({}, actions)).toBe(true);
    await act(async () => void (await payPal.buttons!.createOrder()));
    expect(payPal.payment).toMatchObject({ amount: "150.00", currency: "AUD", intent: "capture" });
    await act(() => payPal.buttons!.onApprove({ orderID: "EC-1", payerID: "P-1" }));
    await heading("Your tickets are booked");
    expect(sent(PAY).map(({ body }) => [body.method, body.instrument])).toEqual([["pp", payPal.nonce]]);
  });

  longTest(
    "TIC-6: seats whose time ran out while the payer was at PayPal are held again before the payment is sent",
    async () => {
      answerWith("POST /api/ticket-orders", () => envelope(200, orderOf({}, 1500)));
      answerWith("GET /api/ticket-orders/*", () => envelope(200, orderOf({ state: "lapsed", holdUntil: null })));
      open();
      await clock();
      fillBuyer();
      fireEvent.click(await screen.findByRole("radio", { name: /^PayPal/ }));
      await solve();
      await screen.findByText("PayPal’s button is ready");
      await act(async () => void (await payPal.buttons!.createOrder()));
      await screen.findByRole("heading", { name: "Your seats are no longer held" });
      answerWith("POST /api/ticket-orders", () => envelope(200, orderOf({ id: orderIds[1] })));
      await act(() => payPal.buttons!.onApprove({ orderID: "EC-1", payerID: "P-1" }));
      await heading("Your tickets are booked");
      expect(sent(`POST /api/ticket-orders/${orderIds[1]}/payment`)).toHaveLength(1);
    },
  );

  test("TIC-6: after a lost answer the payment is looked up and sent again with its key, and nothing invites the buyer to pay twice", async () => {
    answerWith(PAY, () => Promise.reject(new TypeError("connection lost")));
    answerWith("GET /api/payments/*", () => envelope(404, undefined, { error: "not_found", message: "No" }));
    await payByCard();
    await heading("We are confirming your payment");
    expect(screen.getByText("We are confirming your payment. Please do not pay again")).toBeDefined();
    expect(screen.queryByRole("button", { name: /^Pay|Try again/ })).toBeNull();
    expect(screen.queryByRole("timer")).toBeNull();
    answerWith(PAY, () => envelope(200, succeeded, { message: succeeded.message }));
    await heading("Your tickets are booked");
    const [first, second] = sent(PAY);
    expect(second?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"]);
    expect(second?.body).toEqual(first?.body);
    expect(sent("GET /api/payments/*")[0]?.url).toBe(`/api/payments/${first?.headers["idempotency-key"]}`);
  });

  test("TIC-7: if the seats are gone when the payment arrives, all of it is refunded", async () => {
    const text = "Your seats were gone by the time your payment arrived, so we are refunding all of it.";
    answerWith(PAY, () => envelope(200, paymentOf("refunded", { message: text }), { message: text }));
    answerWith("GET /api/ticket-orders/*", () => envelope(200, orderOf({ state: "refunded", holdUntil: null })));
    await payByCard();
    await heading("We are refunding your payment");
    expect(screen.getByText(text)).toBeDefined();
    expect(screen.getByText("We are refunding your $150.00 in full.")).toBeDefined();
    expect(screen.getByRole("link", { name: "See which tickets are left" })).toBeDefined();
    expect(kept()).toBeNull();
  });

  test("TIC-6, DON-29: a declined card says that nothing was charged; another try keeps the seats and details, with a new key", async () => {
    stillHeld();
    answerWith(PAY, refusal(402, "payment_declined", "Your card was not accepted.", paymentOf("failed")));
    await payByCard();
    await heading("Your payment did not go through");
    expect(screen.getByText("Nothing was charged.")).toBeDefined();
    answerWith(PAY, () => envelope(200, succeeded));
    press("Try again");
    await heading("Checkout");
    const reason = screen.getByRole("region", { name: "Your last payment" });
    expect(document.activeElement).toBe(reason);
    expect(reason.textContent).toBe("Your card was not accepted. Nothing was charged.");
    await clock();
    const lastName = screen.getByLabelText<HTMLInputElement>("Last Name");
    expect(lastName.value).toBe("Malik");
    expect(lastName.closest("details")?.open).toBe(false);
    await solve();
    await waitFor(() => expect(isOff("Pay $150.00")).toBe(false));
    press("Pay $150.00");
    await heading("Your tickets are booked");
    const keys = sent(PAY).map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(2);
    expect(sent("POST /api/ticket-orders")).toHaveLength(1);
  });

  test("TIC-6: the page says that the server ended the hold, and can hold the seats again", async () => {
    answerWith(PAY, refusal(409, "hold_lapsed", "The time to pay for your seats ran out."));
    answerWith("GET /api/ticket-orders/*", () => envelope(200, orderOf({ state: "lapsed", holdUntil: null })));
    await payByCard();
    await screen.findByRole("heading", { name: "Your seats are no longer held" });
    answerWith("POST /api/ticket-orders", () => envelope(200, orderOf({ id: orderIds[1] })));
    press("Hold the seats again");
    await clock();
    expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("sana@example.com");
  });

  test("TIC-6: the bank's challenge replaces the form, and the countdown stops", async () => {
    answerWith(PAY, refusal(202, "payment_processing", "", paymentOf("action_required")));
    await payByCard();
    await screen.findByRole("heading", { name: "Your bank asks you to confirm" });
    await waitFor(() => expect(challenge.shown?.singleUseTokenId).toBe(token));
    expect(document.body.textContent).toContain("Your payment of $150.00 is charged only once");
    expect(screen.queryByLabelText("Email")).toBeNull();
    expect(screen.queryByRole("timer")).toBeNull();
    act(() => challenge.shown!.onSuccess());
    await heading("Your tickets are booked");
  });
});

// @vitest-environment jsdom

import { readFileSync } from "node:fs";
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { describe, expect, test, vi } from "vitest";
import {
  button,
  choose,
  clock,
  fill,
  fillBuyer,
  heading,
  kept,
  open,
  page,
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
} from "#test/pages/ticket-server.ts";
import { translatePage } from "#test/pages/translate-page.ts";
import { CheckoutPage } from "./checkout-page.tsx";

const holds = () => sent("POST /api/ticket-orders").map(({ body }) => body);
const held = (id: string, forMs?: number) => () => envelope(200, orderOf({ id }, forMs));

/** The selector of the first rule in a style sheet that matches `rule`. */
const selectorOf = (path: string, rule: RegExp) => rule.exec(readFileSync(path, "utf8"))![1]!.trim();

/** The focused element after each change of the page. */
function watchFocus(): (Element | null)[] {
  const focused: (Element | null)[] = [];
  new MutationObserver(() => focused.push(document.activeElement)).observe(document.body, {
    childList: true,
    subtree: true,
  });
  return focused;
}

describe("the page", () => {
  test("TIC-3: it shows before its script loads, and sends a buyer without a choice to the choice", async () => {
    expect(renderToString(page)).toContain("Checkout");
    sessionStorage.clear();
    open();
    expect(told.leave).toHaveBeenCalledExactlyOnceWith("/selectTickets?event=gala");
    expect(requests).toEqual([]);
  });

  test("EVT-6: the way back to the choice has the key of the link that shows a type", () => {
    sessionStorage.clear();
    render(<CheckoutPage {...page.props} offer={{ ...page.props.offer, access: "secret-door" }} />);
    expect(told.leave).toHaveBeenCalledExactlyOnceWith("/selectTickets?event=gala&key=secret-door");
  });

  test("TIC-3, TIC-4: it asks for the specification's fields, with Australia first among all countries", async () => {
    open();
    await clock();
    const names = [...document.querySelectorAll("form [name]")].map((control) => control.getAttribute("name"));
    expect(names).toEqual([
      "CheckOutEmail",
      "CheckOutFirstName",
      "CheckOutLastName",
      "CheckOutSelectedCountry",
      "CheckOutPhoneNumber",
      "CheckOutAddress",
      "CheckOutSuburb",
      "CheckOutPostalCode",
    ]);
    const country = screen.getByLabelText<HTMLSelectElement>("Country");
    expect(country.value).toBe("Australia");
    expect(within(country).getByRole("option", { name: "Pakistan" })).toBeDefined();
    for (const optional of ["Phone", "Address", "Suburb", "Post Code"]) {
      expect(screen.getByLabelText(`${optional} (optional)`)).toBeDefined();
    }
  });

  test("TIC-4: the arrow of what is folded inside an open part points down, and the list of errors keeps its distance", async () => {
    open();
    await clock();
    const turned = selectorOf("src/shared/ui/styles/components.css", /([^{}]+)::after \{[^}]*rotate\(225deg\)/);
    const details = [...document.querySelectorAll<HTMLDetailsElement>("details.details")];
    expect(details.map((each) => each.open)).toEqual([true, false]);
    expect(details.map((each) => each.querySelector("summary")!.matches(turned))).toEqual([true, false]);
    const [email] = screen.getAllByRole("textbox");
    fireEvent.focus(email!);
    await screen.findByRole("button", { name: "I'm not a robot" });
    press("Pay $150.00");
    const errors = (await screen.findByRole("heading", { name: "There is a problem" })).closest(".error-summary")!;
    const spaced = selectorOf(
      "src/features/tickets/ui/checkout/checkout.css",
      /([^{}]+) \{\s*margin-block: var\(--s4\);/,
    );
    expect(errors.matches(spaced)).toBe(true);
  });

  test("TIC-4: what was typed survives a reload", async () => {
    open();
    await clock();
    fillBuyer();
    fill("Country", "Pakistan");
    cleanup();
    answerWith("GET /api/ticket-orders/*", held(orderIds[0]));
    open();
    await clock();
    expect(screen.getByLabelText<HTMLInputElement>("First Name").value).toBe("Sana");
    expect(screen.getByLabelText<HTMLSelectElement>("Country").value).toBe("Pakistan");
  });

  test("LOG-17: a member finds their details filled in", async () => {
    const user = { user_id: 7, first_name: "Omar", last_name: "Khan", email: "omar@example.com", country: "Pakistan" };
    sessionStorage.setItem(
      "user",
      JSON.stringify({ ...user, mobile: "923001234567", city: "Lahore", postal_code: "" }),
    );
    open();
    await clock();
    expect(screen.getByText("Add a phone number or address (optional)").closest("details")?.open).toBe(true);
    const values = ["Email", "First Name", "Last Name", "Phone (optional)", "Country", "Suburb (optional)"].map(
      (label) => screen.getByLabelText<HTMLInputElement>(label).value,
    );
    expect(values).toEqual(["omar@example.com", "Omar", "Khan", "+923001234567", "Pakistan", "Lahore"]);
  });
});

describe("the hold", () => {
  test("TIC-6: it holds the seats immediately, and shows them with their total and how long they are held", async () => {
    open();
    expect((await clock()).textContent).toMatch(/^Your seats are held for (15:00|14:59)$/);
    expect(holds()).toEqual([
      {
        event: "gala",
        lines: [
          { type: "vip", quantity: 1 },
          { type: "standard", quantity: 1 },
        ],
      },
    ]);
    expect(sent("POST /api/ticket-orders")[0]?.headers["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(kept().order).toEqual({ id: orderIds[0], key: "the-key" });
    const order = screen.getByRole("complementary", { name: "Your order" });
    for (const text of ["1 × VIP Seat", "$100.00", "1 × Standard Seat", "$50.00", "$150.00", "No fees are added"]) {
      expect(order.textContent).toContain(text);
    }
    expect(screen.getByRole("link", { name: "Change tickets" }).getAttribute("href")).toBe("/selectTickets?event=gala");
    expect(screen.getByText("Your seats are held for 15 more minutes").getAttribute("role")).toBe("status");
  });

  test("TIC-6: a reload continues with the same order; other tickets replace the earlier ones", async () => {
    const order = { id: orderIds[0], key: "the-key" };
    choose({ order });
    answerWith("GET /api/ticket-orders/*", held(orderIds[0], 400_000));
    open();
    expect((await clock()).textContent).toMatch(/6:[0-4]\d$/);
    expect(holds()).toEqual([]);
    expect(requests.find(({ call }) => call.startsWith("GET /api/ticket"))?.url).toBe(
      `/api/ticket-orders/${orderIds[0]}?key=the-key`,
    );
    cleanup();
    choose({ order, lines: [{ type: "vip", quantity: 2 }] });
    open();
    await clock();
    expect(holds()).toMatchObject([{ lines: [{ type: "vip", quantity: 2 }], instead: order }]);
  });

  test("TIC-6: when the time runs out nothing was charged, and the same seats can be held again without losing what was typed", async () => {
    answerWith("POST /api/ticket-orders", held(orderIds[0], 250));
    answerWith("GET /api/ticket-orders/*", () => envelope(200, orderOf({ state: "lapsed", holdUntil: null })));
    open();
    await clock();
    fillBuyer();
    const over = await screen.findByRole("heading", { name: "Your seats are no longer held" });
    expect(document.activeElement).toBe(over);
    expect(document.body.textContent).toMatch(/Your seats were held until \d+:\d\d\s[AP]M/);
    expect(document.body.textContent).toContain("Nothing was charged");
    expect(screen.queryByRole("timer")).toBeNull();
    answerWith("POST /api/ticket-orders", held(orderIds[1]));
    const focused = watchFocus();
    press("Hold the seats again");
    await clock();
    expect(holds()[1]).toMatchObject({ instead: { id: orderIds[0], key: "the-key" } });
    expect(kept().order.id).toBe(orderIds[1]);
    expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("sana@example.com");
    expect(document.activeElement?.textContent).toBe("Your details");
    expect(focused).not.toContain(document.body);
  });

  test("TIC-6: in the last three minutes the buyer can request more time, and nothing typed is lost", async () => {
    answerWith("POST /api/ticket-orders", held(orderIds[0], 175_000));
    await reachCard();
    expect(screen.getByText("Your seats are held for 3 more minutes")).toBeDefined();
    answerWith("POST /api/ticket-orders", held(orderIds[1]));
    press("I need more time");
    await waitFor(() => expect(screen.getByRole("timer").textContent).toMatch(/1(5:00|4:\d\d)$/));
    expect(screen.queryByRole("button", { name: "I need more time" })).toBeNull();
    expect(holds()[1]).toMatchObject({ instead: { id: orderIds[0] } });
    press("Pay $150.00");
    await heading("Your tickets are booked");
    expect(sent(`POST /api/ticket-orders/${orderIds[1]}/payment`)).toHaveLength(1);
  });

  test("WAIT-2: an offer from the waiting list cannot be held for longer, and goes to the next person", async () => {
    const offered = (forMs: number) => () => envelope(200, orderOf({ isOffer: true }, forMs));
    answerWith("POST /api/ticket-orders", offered(175_000));
    open();
    expect(await screen.findByText("Your seats are held for 3 more minutes")).toBeDefined();
    expect(screen.queryByRole("button", { name: "I need more time" })).toBeNull();
    cleanup();
    choose();
    answerWith("POST /api/ticket-orders", offered(0));
    open();
    expect(
      await screen.findByText(/They go to the next person on the waiting list\. Nothing was charged/),
    ).toBeDefined();
  });

  test("TIC-7: when seats are gone the page says so, links to others, and takes no payment", async () => {
    answerWith("POST /api/ticket-orders", refusal(409, "seats_gone", "VIP Seat: only 1 is left."));
    open();
    expect(await screen.findByText(/VIP Seat: only 1 is left\. Nothing was charged\./)).toBeDefined();
    const links = screen.getAllByRole("link", { name: "Change tickets" });
    expect(links.map((link) => link.getAttribute("href"))).toEqual(Array(2).fill("/selectTickets?event=gala"));
    expect(screen.queryByRole("button", { name: /^Pay/ })).toBeNull();
  });

  test("TIC-6: a hold whose answer was lost is requested again with the same key", async () => {
    answerWith("POST /api/ticket-orders", () => Promise.reject(new TypeError("connection lost")));
    open();
    expect(await screen.findByText(/We didn’t get an answer/)).toBeDefined();
    answerWith("POST /api/ticket-orders", held(orderIds[0]));
    fireEvent.click(button("Try again"));
    await clock();
    const [first, second] = sent("POST /api/ticket-orders").map(({ headers }) => headers["idempotency-key"]);
    expect(second).toBe(first);
  });

  test("TIC-6: a paid order is shown, and one that is being paid is looked up", async () => {
    choose({ order: { id: orderIds[0], key: "the-key" } });
    open();
    await heading("Your tickets are booked");
    expect(kept()).toBeNull();
    cleanup();
    history.replaceState(null, "");
    choose({ order: { id: orderIds[0], key: "the-key" } });
    const payment = paymentOf("processing");
    answerWith("GET /api/ticket-orders/*", () => envelope(200, orderOf({ payment, email: "sana@example.com" })));
    answerWith("GET /api/payments/*", () => {
      answerWith("GET /api/ticket-orders/*", () => envelope(200, paidOrder()));
      return envelope(200, paymentOf("succeeded"));
    });
    open();
    await heading(/confirming your payment|are booked/);
    await heading("Your tickets are booked");
    expect(holds()).toEqual([]);
  });
});

test("TIC-6: the countdown is announced only at five minutes and at one", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ["setTimeout", "clearTimeout", "Date"] });
  try {
    answerWith("POST /api/ticket-orders", held(orderIds[0], 302_000));
    open();
    await clock();
    const said = () => screen.getByText(/^Your seats are held for \d+ more minute/).textContent;
    expect(said()).toBe("Your seats are held for 5 more minutes");
    await vi.advanceTimersByTimeAsync(240_000);
    expect(said()).toBe("Your seats are held for 5 more minutes");
    await vi.advanceTimersByTimeAsync(3000);
    expect(said()).toBe("Your seats are held for 1 more minute");
    expect(screen.getByRole("timer").textContent).toMatch(/0:5\d$/);
  } finally {
    vi.useRealTimers();
  }
});

test("TIC-6: on a page that the browser has translated, a long hold goes on as a countdown", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ["setTimeout", "clearTimeout", "Date"] });
  try {
    answerWith("POST /api/ticket-orders", held(orderIds[0], 3_602_000));
    open();
    expect((await clock()).textContent).toMatch(/^Your seats are held until /);
    translatePage();
    await vi.advanceTimersByTimeAsync(4000);
    expect(screen.getByRole("timer").textContent).toMatch(/^Your seats are held for 59:5\d$/);
  } finally {
    vi.useRealTimers();
  }
});

// @vitest-environment jsdom

import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { setCookie } from "#test/cookies.ts";
import { longTest } from "#test/long-test.ts";
import {
  donate,
  fillCard,
  give100ToZakat,
  heading,
  isOff,
  open,
  organisation,
  press,
  reachPreview,
  told,
  type,
  walkToPreview,
} from "#test/pages/donation-page.tsx";
import { answerWith, paid, requests, serve } from "#test/pages/donation-server.ts";
import { frame, token } from "#test/pages/providers.ts";
import { DRAFT_KEY } from "../../draft.ts";

describe("step 4", () => {
  test("DON-23, DON-24: shows everything again, says that nothing was charged, and names the amount on the button", async () => {
    await reachPreview();
    const main = document.body.textContent;
    for (const text of [
      "You have not been charged yet.",
      "Sana Malik",
      "sana@example.com",
      "2144",
      "Zakat",
      "$106.58",
    ]) {
      expect(main).toContain(text);
    }
    for (const text of [organisation.name, organisation.abn, organisation.phone]) expect(main).toContain(text);
    // On a narrow screen an email breaks before its host.
    expect(screen.getByText("sana@example.com").innerHTML).toBe("sana<wbr>@example.com");
    expect(isOff("Donate $106.58")).toBe(true);
    expect(screen.getByText("Complete the verification above first.")).toBeDefined();
  });

  test("DON-23: a Change link returns straight back", async () => {
    await reachPreview();
    press("Change personal details");
    await screen.findByRole("heading", { name: "Your details" });
    type("Last Name", "Khan");
    press("Save and go back to Preview");
    await heading(/Check your donation/);
    expect(await screen.findByText("Sana Khan")).toBeDefined();
    press("Change donations");
    await screen.findByRole("heading", { name: "Choose what to give to" });
    act(() => history.back());
    await heading(/Check your donation/);
  });

  test("DON-14: paying without the captcha is a toast, which also stays beside it", async () => {
    await reachPreview();
    press("Donate $106.58");
    expect(told.showToast).toHaveBeenCalledWith("Please complete the reCAPTCHA verification", "bad");
    expect(screen.getByText("Please complete the reCAPTCHA verification")).toBeDefined();
    expect(requests.some(({ url }) => url === "/api/payway-payment")).toBe(false);
  });

  test("DON-14: a captcha that fails or expires is an alert, which also stays beside it", async () => {
    await reachPreview();
    fireEvent.click(await screen.findByRole("button", { name: "Let it fail" }));
    expect(told.showAlert).toHaveBeenLastCalledWith("reCAPTCHA verification failed. Please try again.");
    press("Let it expire");
    expect(told.showAlert).toHaveBeenLastCalledWith("reCAPTCHA verification expired. Please verify again.");
    expect(screen.getByText("reCAPTCHA verification expired. Please verify again.")).toBeDefined();
  });

  test("DON-14, DON-24: the card form opens 100 ms after the captcha, once, and leaving the step takes it away", async () => {
    await reachPreview();
    fireEvent.click(await screen.findByRole("button", { name: "I'm not a robot" }));
    expect(frame.made).toBe(0);
    await waitFor(() => expect(frame.made).toBe(1));
    press("I'm not a robot");
    await waitFor(() => expect(isOff("Donate $106.58")).toBe(false));
    press("Previous");
    await screen.findByRole("heading", { name: "Choose how to pay" });
    expect([frame.made, frame.destroyed]).toEqual([1, 1]);
  });

  test("DON-24: a card form that doesn't load does not blame the donor, names other ways, and Try again keeps focus", async () => {
    frame.isBroken = true;
    await reachPreview();
    fireEvent.click(await screen.findByRole("button", { name: "I'm not a robot" }));
    expect(await screen.findByText(/The bank’s service or your connection may be interrupted/)).toBeDefined();
    expect(screen.getByText(/or call us on/).textContent).toContain(
      `another way to pay or call us on ${organisation.phone}`,
    );
    frame.isBroken = false;
    press("Try again");
    expect(document.activeElement).toBe(screen.getByRole("group", { name: "Card details, provided by PayWay" }));
    await waitFor(() => expect(isOff("Donate $106.58")).toBe(false));
    press("Previous");
  });

  test("DON-16: an error beside the button says that the card details cannot be read, and nothing is sent", async () => {
    await reachPreview();
    frame.error = { message: "The card has expired." };
    await fillCard();
    press("Donate $106.58");
    expect(await screen.findByText(/The card has expired. Nothing was charged./)).toBeDefined();
    expect(requests.some(({ url }) => url === "/api/payway-payment")).toBe(false);
  });
});

describe("another try", () => {
  const decline = async () => {
    answerWith("/api/payway-payment", paid(402, { error: "payment_declined", message: "Your card was declined." }));
    await donate();
    await heading("Your payment did not go through");
    press("Try again");
    await heading(/Check your donation/);
  };
  const answers = () => screen.getByText(/^Your donation:/).closest("details")!;

  test("DON-29: returns to the card with the reason above it, and the summary is folded to its total", async () => {
    await reachPreview();
    expect(answers().open).toBe(true);
    cleanup();
    localStorage.clear();
    localStorage.setItem("guest", "true");
    history.replaceState(null, "");
    await decline();
    const reason = screen.getByRole("region", { name: "Your last payment" });
    expect(document.activeElement).toBe(reason);
    expect(reason.textContent).toContain("Your card was declined. Nothing was charged.");
    const pay = screen.getByRole("region", { name: "Pay by card" });
    expect(pay.firstElementChild).toBe(reason);
    expect(answers().open).toBe(false);
    expect(answers().querySelector("summary")?.textContent).toBe("Your donation: $106.58");
  });

  test("DON-23, DON-29: after a change the whole summary shows again, without the old reason", async () => {
    await decline();
    press("Choose another way to pay");
    await screen.findByRole("heading", { name: "Choose how to pay" });
    press("Save and go back to Preview");
    await heading(/Check your donation/);
    expect(answers().open).toBe(true);
    expect(screen.queryByRole("region", { name: "Your last payment" })).toBeNull();
  });
});

describe("paying", () => {
  test("DON-15, DON-18: sends what was shown, once, with its own key and the cross-site token", async () => {
    setCookie("XSRF-TOKEN=forgery-stopper");
    await donate();
    press(/^Donate|^Processing/);
    await heading("Thank you for your donation");
    const sent = requests.filter(({ url }) => url === "/api/payway-payment");
    expect(sent).toHaveLength(1);
    expect(sent[0]?.headers["x-xsrf-token"]).toBe("forgery-stopper");
    expect(sent[0]?.headers["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
    const { item_details, ...body } = sent[0]!.body;
    expect(body).toEqual({
      singleUseTokenId: token,
      amount: 106.58,
      donorName: "Sana Malik",
      donor_first_name: "Sana",
      donor_last_name: "Malik",
      donor_email: "sana@example.com",
      donorEmail: "sana@example.com",
      donationType: "Zakat",
      source: "web",
      user_id: 0,
      payment_method: "PAYWAY",
      payment_type: "Credit Card",
      postal_code: "2144",
      is_anonymous: false,
      captcha: "c29sdmVk",
    });
    expect(JSON.parse(item_details as string)).toEqual([
      {
        donation_type: "Zakat",
        donation_type_option: "",
        quantity: 1,
        donation_amount: 100,
        donation_shared_name: "",
        net_donation_amount: 100,
        admin_fee_amount: 5,
        merchant_fee: 1.58,
      },
    ]);
  });

  test("DON-16, DON-20, DON-21: a success shows message, amount, email and receipt, and the draft is gone", async () => {
    await donate();
    await heading("Thank you for your donation");
    for (const text of ["Thank you, Sana", "$106.58 AUD", "sana@example.com"]) {
      expect(document.body.textContent).toContain(text);
    }
    expect(screen.getByRole("link", { name: /Download your receipt/ }).getAttribute("href")).toBe("/receipts/1?key=x");
    await waitFor(() => expect(localStorage.getItem(DRAFT_KEY)).toBeNull());
    await waitFor(() => expect(document.activeElement?.textContent).toBe("Thank you for your donation"));
    press("Make another donation");
    await screen.findByRole("heading", { name: "Your details" });
  });

  test("DON-16, DON-17: a declined card says so and that nothing was charged; another try has the cart, a new captcha and a new key", async () => {
    answerWith("/api/payway-payment", paid(402, { error: "payment_declined", message: "Your card was declined." }));
    await donate();
    await heading("Your payment did not go through");
    expect(screen.getByText("Your card was declined.")).toBeDefined();
    expect(screen.getByText("Nothing was charged.")).toBeDefined();
    serve();
    const [first] = requests.splice(0).filter(({ url }) => url === "/api/payway-payment");
    press("Try again");
    await heading(/Check your donation/);
    expect(isOff("Donate $106.58")).toBe(true);
    await fillCard();
    press("Donate $106.58");
    await heading("Thank you for your donation");
    const second = requests.find(({ url }) => url === "/api/payway-payment");
    expect(second?.headers["idempotency-key"]).not.toBe(first?.headers["idempotency-key"]);
  });

  test("DON-16, LAY-2: while a payment is being sent, the overlay asks to keep the page open, and nothing says that it was not charged", async () => {
    answerWith("/api/payway-payment", () => new Promise(() => {}));
    await reachPreview();
    expect(screen.getByText("You have not been charged yet.")).toBeDefined();
    await fillCard();
    press("Donate $106.58");
    const text = "We’ve sent your card details to the bank. Please don’t close this page";
    await waitFor(() => expect(told.whileLoading).toHaveBeenCalledWith(expect.anything(), text));
    expect(screen.queryByText("You have not been charged yet.")).toBeNull();
  });

  test("DON-16: 202 is confirmed by looking it up, and nothing offers to pay again while it waits", async () => {
    answerWith("/api/payway-payment", paid(202, { error: "payment_processing", state: "processing" }));
    await donate();
    await heading("We are confirming your payment");
    expect(screen.getByText("We are confirming your payment. Please do not pay again")).toBeDefined();
    expect(screen.queryByRole("button", { name: /Donate|Try again|another/ })).toBeNull();
    await heading("Thank you for your donation");
  });

  test.each([
    ["no answer", () => Promise.reject(new TypeError("connection lost"))],
    ["a 500 page", async () => ({ status: 500, text: "<h1>Broken</h1>" })],
    ["an empty 200", async () => ({ status: 200, text: "" })],
    ["our own 503", paid(503, { error: "busy", message: "Busy" })],
  ])(
    "DON-16, DON-22: %s is being confirmed, never failed, and the same donation is looked up by its key",
    async (_, answer) => {
      answerWith("/api/payway-payment", answer);
      await donate();
      await heading("We are confirming your payment");
      expect(document.body.textContent).not.toContain("Nothing was charged");
      const key = requests.find(({ url }) => url === "/api/payway-payment")?.headers["idempotency-key"];
      const kept = localStorage.getItem(DRAFT_KEY);
      expect(JSON.parse(kept ?? "{}").payment.key).toBe(key);
      expect(kept).not.toContain(token);
      await heading("Thank you for your donation");
      expect(requests.at(-1)?.url).toBe(`/api/payments/${key}`);
    },
  );

  test("DON-20: reopening the page shows the payment that was sent, not the cart", async () => {
    answerWith("/api/payway-payment", () => Promise.reject(new TypeError("connection lost")));
    await donate();
    await heading("We are confirming your payment");
    cleanup();
    history.replaceState(null, "");
    answerWith("/api/payments/", () => new Promise(() => {}));
    open();
    expect(await heading("We are confirming your payment")).toBeDefined();
    expect(document.body.textContent).toContain("$106.58");
  });

  test("DON-20: cart and details survive a reload, at the step that was open", async () => {
    await give100ToZakat();
    cleanup();
    open();
    expect(await screen.findByRole("heading", { name: "Choose what to give to" })).toBeDefined();
    expect((await screen.findByRole("table")).textContent).toContain("Zakat");
  });

  test("DON-22: a payment sent from another tab in the meantime is shown instead of paying again", async () => {
    await reachPreview();
    await fillCard();
    const draft = JSON.parse(localStorage.getItem(DRAFT_KEY)!);
    const payment = { key: crypto.randomUUID(), totalCents: 10_658, email: "sana@example.com" };
    localStorage.setItem(DRAFT_KEY, JSON.stringify({ ...draft, payment }));
    press("Donate $106.58");
    await heading("We are confirming your payment");
    expect(requests.some(({ url }) => url === "/api/payway-payment")).toBe(false);
  });

  test("DON-20: a tab that shows another tab's payment goes back to the form once it was refused there", async () => {
    await reachPreview();
    const draft = JSON.parse(localStorage.getItem(DRAFT_KEY)!);
    const payment = { key: crypto.randomUUID(), totalCents: 10_658, email: "sana@example.com" };
    const change = (changed: object) => {
      localStorage.setItem(DRAFT_KEY, JSON.stringify(changed));
      act(() => void dispatchEvent(new StorageEvent("storage", { key: DRAFT_KEY, newValue: "{}" })));
    };
    answerWith("/api/payments/", paid(404, { error: "not_found" }));
    change({ ...draft, payment });
    await heading("We are confirming your payment");
    change(draft);
    await heading(/Check your donation/);
    expect(screen.getByText("You have not been charged yet.")).toBeDefined();
  });

  test("DON-25: after too many tries the page names bank deposit and the telephone", async () => {
    answerWith("/api/payway-payment", paid(429, { error: "too_many", message: "Please wait 15 minutes." }));
    await donate();
    await screen.findByText("Please wait 15 minutes. Nothing was charged.");
    expect(screen.getByText(/give by bank deposit, with the details on this page, or call us on/)).toBeDefined();
  });

  test("NAV-7: after the session has ended elsewhere, a member is led to the log-in and back", async () => {
    answerWith("/api/payway-payment", paid(403, { error: "not_allowed", message: "Please log in again." }));
    await donate();
    await screen.findByText("Please log in again. Nothing was charged.");
    const logIn = screen.getByRole("link", { name: "Log in" });
    expect(logIn.getAttribute("href")).toBe("/login?return=%2Fdonation");
  });

  longTest("DON-16: another refusal keeps the step, with its message beside the button and a new captcha", async () => {
    answerWith("/api/payway-payment", paid(429, { error: "too_many", message: "Too many tries." }));
    await donate();
    expect(await screen.findByText("Too many tries. Nothing was charged.")).toBeDefined();
    expect(await heading(/Check your donation/)).toBeDefined();
    expect(isOff("Donate $106.58")).toBe(true);
    expect(JSON.parse(localStorage.getItem(DRAFT_KEY)!).payment).toBeUndefined();
  });

  test("DON-12, DON-14: a refused captcha has an error beside it; a refused line points to its step", async () => {
    answerWith(
      "/api/payway-payment",
      paid(403, { error: "captcha_failed", message: "reCAPTCHA verification failed. Please try again." }),
    );
    await donate();
    expect((await screen.findAllByText(/reCAPTCHA verification failed/)).length).toBe(2);
    const fields = { "item_details.0.donation_amount": ["The amount has changed. Please choose this donation again"] };
    answerWith("/api/payway-payment", async () => ({
      status: 422,
      text: JSON.stringify({
        code: "422",
        status: "false",
        error: "invalid_input",
        message: "Please check the details you entered.",
        data: fields,
      }),
    }));
    await fillCard();
    press("Donate $106.58");
    expect(await screen.findByText(/The amount has changed/)).toBeDefined();
    press("Change your donations");
    expect(await screen.findByRole("heading", { name: "Choose what to give to" })).toBeDefined();
  });

  longTest("DON-20: without local storage the donation still goes through", async () => {
    const refuse = () => {
      throw new DOMException("denied", "SecurityError");
    };
    vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse, removeItem: refuse });
    await walkToPreview();
    await fillCard();
    press("Donate $106.58");
    expect(await heading("Thank you for your donation")).toBeDefined();
  });
});

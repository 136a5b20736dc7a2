// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { forgetPayPal } from "#payments/checkout/ui/paypal-script.ts";
import { heading, isOff, press, reachPreview, told } from "#test/pages/donation-page.tsx";
import { answerWith, awayCheckout, paid, requests, serve } from "#test/pages/donation-server.ts";
import { payPal } from "#test/pages/providers.ts";
import { DRAFT_KEY } from "../../draft.ts";

const actions = { resolve: () => true, reject: () => false };
const standIn = "Donate $108.15 with PayPal";

async function solve() {
  fireEvent.click(await screen.findByRole("button", { name: "I'm not a robot" }));
}
async function reachButton() {
  await reachPreview("PayPal");
  await solve();
  await screen.findByText("PayPal’s button is ready");
}
const pressPayPal = () => payPal.buttons!.onClick({}, actions);
/** The button is pressed, and PayPal's window opens. */
async function openWindow() {
  expect(pressPayPal()).toBe(true);
  await act(async () => void (await payPal.buttons!.createOrder()));
}
async function approve() {
  await openWindow();
  await act(() => payPal.buttons!.onApprove({ orderID: "EC-1", payerID: "P-1" }));
}
const sent = () => requests.filter(({ url }) => url === "/api/payment");
const tryAgain = () => screen.getByRole("button", { name: "Try again" });

describe("the button", () => {
  test("DON-13, DON-23: Preview says the method, its fee and who sees what", async () => {
    await reachPreview("PayPal");
    const main = document.body.textContent;
    for (const text of ["MethodPayPal", "Merchant fee$3.15 (3%)", "Total AUD$108.15", "we never see your password"]) {
      expect(main).toContain(text);
    }
    expect(JSON.parse(localStorage.getItem(DRAFT_KEY)!).method).toBe("pp");
  });

  test("DON-14, LAY-9: PayPal without the captcha is an alert, which also stays beside the captcha; nothing is fetched", async () => {
    await reachPreview("PayPal");
    expect(isOff(standIn)).toBe(true);
    press(standIn);
    expect(told.showAlert).toHaveBeenLastCalledWith("Please complete the reCAPTCHA verification");
    expect(told.showToast).not.toHaveBeenCalled();
    expect(screen.getByText("Please complete the reCAPTCHA verification")).toBeDefined();
    await waitFor(() => expect(document.activeElement?.id).toBe("captcha"));
    expect(requests.some(({ url }) => url === "/api/generateToken")).toBe(false);
  });

  test("DON-14, DON-19: once the captcha is solved, it fetches a client token and sets up PayPal's gold pill for the real total in AUD", async () => {
    await reachButton();
    expect(payPal.authorization).toBe("a client token");
    expect(payPal.style).toEqual({ color: "gold", shape: "pill", label: "paypal", height: 48 });
    expect(payPal.sdkOptions).toEqual({ currency: "AUD", intent: "capture" });
    await openWindow();
    expect(payPal.payment).toEqual({
      flow: "checkout",
      amount: "108.15",
      currency: "AUD",
      intent: "capture",
      enableShippingAddress: false,
      displayName: "Chashma Foundation Australia",
    });
    expect(screen.getByText(/Please continue in PayPal’s window/)).toBeDefined();
  });

  test("DON-24: leaving the step takes the button away, and coming back loads no second SDK", async () => {
    await reachButton();
    const { sdks } = payPal;
    press("Previous");
    await screen.findByRole("heading", { name: "Choose how to pay" });
    expect(payPal.closed).toBe(1);
    press("Next");
    await solve();
    await screen.findByText("PayPal’s button is ready");
    expect([payPal.made, payPal.sdks]).toEqual([2, sdks]);
  });

  test("DON-14: with a captcha that has expired the button says so and opens no window", async () => {
    await reachButton();
    press("Let it expire");
    expect(told.showAlert).toHaveBeenLastCalledWith("reCAPTCHA verification expired. Please verify again.");
    expect(pressPayPal()).toBe(false);
    expect(told.showAlert).toHaveBeenLastCalledWith("Please complete the reCAPTCHA verification");
    await solve();
    expect(pressPayPal()).toBe(true);
  });

  test.each([
    ["cancel", /left PayPal before approving/, () => payPal.buttons!.onCancel()],
    ["an error", /couldn’t continue this payment/, () => payPal.buttons!.onError(new Error("any"))],
    ["a blocked window", /allow pop-ups/, () => payPal.buttons!.onError(new Error("Can not open popup window"))],
  ])("DON-19: %s has its own sentence with Try again, and the person stays on the step", async (_, text, happen) => {
    await reachButton();
    await openWindow();
    act(happen);
    expect(screen.getByText(text).textContent).toContain("Nothing was charged.");
    expect(document.activeElement).toBe(tryAgain());
    press("Try again");
    await screen.findByText("PayPal’s button is ready");
    await approve();
    await heading("Thank you for your donation");
    expect(sent()).toHaveLength(1);
  });

  const away = "PayPal doesn’t answer at the moment.";
  test.each([
    ["the server cannot reach PayPal", paid(503, { error: "busy", message: away, money: "unknown" }), away],
    [
      "the server fails",
      async () => ({ status: 502, text: "<h1>Bad Gateway</h1>" }),
      "Something went wrong on our side",
    ],
    ["the donor is offline", () => Promise.reject(new TypeError("offline")), "Please check your connection"],
  ])("DON-19: if %s, the sentence blames the connection only if that failed", async (_, answer, said) => {
    // Otherwise it is still prepared from another test.
    forgetPayPal();
    answerWith("/api/generateToken", answer);
    await reachPreview("PayPal");
    await solve();
    const { textContent } = await screen.findByText((text) => text.includes(said));
    expect(textContent).toMatch(/Nothing was charged\.$/);
    expect(textContent!.includes("connection")).toBe(said.includes("connection"));
    expect(screen.getByRole("button", { name: "Choose another way to pay" })).toBeDefined();
    serve();
    press("Try again");
    await screen.findByText("PayPal’s button is ready");
  });

  test("DON-19: a payment that cannot be created says so, and Try again prepares everything again", async () => {
    await reachButton();
    payPal.broken.add("create");
    const { buttons } = payPal;
    await act(async () => {
      const cause = await buttons!.createOrder().catch((error: Error) => error);
      buttons!.onError(cause as Error);
    });
    expect(screen.getByText(/PayPal couldn’t start this payment/)).toBeDefined();
    payPal.broken.clear();
    payPal.authorization = "";
    press("Try again");
    await screen.findByText("PayPal’s button is ready");
    expect(payPal.authorization).toBe("a client token");
  });

  test("DON-19: an approval that does not reach us says so, and nothing is sent", async () => {
    await reachButton();
    payPal.broken.add("tokenize");
    await approve();
    expect(await screen.findByText(/We didn’t receive your approval/)).toBeDefined();
    expect(sent()).toHaveLength(0);
  });
});

describe("an approval", () => {
  test("DON-18, DON-19: sends the nonce once, with what was shown and a key that the device has saved first", async () => {
    let keptKey = "";
    answerWith("/api/payment", async ({ headers }) => {
      keptKey = JSON.parse(localStorage.getItem(DRAFT_KEY)!).payment.key;
      expect(headers["idempotency-key"]).toBe(keptKey);
      serve();
      return { status: 500, text: "" };
    });
    await reachButton();
    await approve();
    await act(() => payPal.buttons!.onApprove({ orderID: "EC-1" }));
    await heading("We are confirming your payment");
    expect(document.body.textContent).toContain("PayPal hasn’t told us the outcome");
    expect(localStorage.getItem(DRAFT_KEY)).not.toContain(payPal.nonce);
    await heading("Thank you for your donation");
    expect(requests.at(-1)?.url).toBe(`/api/payments/${keptKey}`);
  });

  test("DON-18: the body is the specification's, and of what PayPal gave only nonce and type go on", async () => {
    await reachButton();
    await approve();
    await heading("Thank you for your donation");
    expect(sent()).toHaveLength(1);
    const { item_details, ...body } = sent()[0]!.body;
    expect(body).toMatchObject({
      braintree_nonce: payPal.nonce,
      payload: { nonce: payPal.nonce, type: "PayPalAccount" },
      amount: 108.15,
      payment_method: "braintree",
      payment_type: "PAYPAL",
      donorName: "Sana Malik",
      source: "web",
      captcha: "c29sdmVk",
    });
    expect(JSON.stringify(body)).not.toContain("sana.pays");
    expect(JSON.parse(item_details as string)).toMatchObject([{ admin_fee_amount: 5, merchant_fee: 3.15 }]);
  });

  test("DON-14: one that comes after the captcha has expired waits for a new one, and then continues automatically", async () => {
    await reachButton();
    await openWindow();
    press("Let it expire");
    await act(() => payPal.buttons!.onApprove({ orderID: "EC-1" }));
    expect(await screen.findByText(/You approved this payment at PayPal/)).toBeDefined();
    expect(sent()).toHaveLength(0);
    await solve();
    await heading("Thank you for your donation");
    expect(sent()).toHaveLength(1);
  });

  test("DON-22: a payment sent from another window in the meantime is shown instead of paying again", async () => {
    await reachButton();
    await openWindow();
    const draft = JSON.parse(localStorage.getItem(DRAFT_KEY)!);
    const payment = { key: crypto.randomUUID(), totalCents: 10_815, email: "sana@example.com" };
    localStorage.setItem(DRAFT_KEY, JSON.stringify({ ...draft, payment }));
    answerWith("/api/payments/", () => new Promise(() => {}));
    await act(() => payPal.buttons!.onApprove({ orderID: "EC-1" }));
    await heading("We are confirming your payment");
    expect(sent()).toHaveLength(0);
  });

  test("DON-16, DON-17: one that PayPal declines says that nothing was charged, and another try has the cart", async () => {
    answerWith("/api/payment", paid(402, { error: "payment_declined", message: "PayPal did not take this payment." }));
    await reachButton();
    await approve();
    await heading("Your payment did not go through");
    expect(screen.getByText("Nothing was charged.")).toBeDefined();
    press("Try again");
    await heading(/Check your donation/);
    expect(isOff(standIn)).toBe(true);
  });

  test("DON-13, DON-16: while PayPal is away the message offers to change the way of paying", async () => {
    const away = "PayPal is away for a few minutes.";
    answerWith("/api/payment", paid(429, { error: "provider_away", message: away }));
    await reachButton();
    answerWith("/api/checkout", awayCheckout({ paypal: away }));
    await approve();
    expect(await screen.findByText(`${away} Nothing was charged.`)).toBeDefined();
    await waitFor(() => expect(screen.queryByText("I'm not a robot")).toBeNull());
    press("Change payment method");
    await screen.findByRole("heading", { name: "Choose how to pay" });
    fireEvent.click(screen.getByRole("radio", { name: /^Credit card/ }));
    press("Save and go back to Preview");
    expect(await screen.findByRole("heading", { name: "Pay by card" })).toBeDefined();
    expect(document.body.textContent).not.toContain(away);
  });
});

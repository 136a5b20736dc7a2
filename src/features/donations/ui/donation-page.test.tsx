// @vitest-environment jsdom
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { showAlert, showToast } from "#shared/ui/feedback.ts";
import { DRAFT_KEY } from "../draft.ts";
import type { Charity } from "./bank-card.tsx";
import { DonationPage } from "./donation-page.tsx";
import { answerWith, paid, requests, serve } from "./test-server.ts";
import { sendToLogin } from "./visitor.ts";

vi.mock("#shared/ui/feedback.ts", () => ({
  showToast: vi.fn(),
  showAlert: vi.fn(() => Promise.resolve()),
  whileLoading: (work: Promise<unknown>) => work,
}));
vi.mock("./visitor.ts", async (original) => ({ ...(await original<object>()), sendToLogin: vi.fn() }));
// The widget works in a web worker, which this DOM has not; the browser journeys drive the real one.
vi.mock("#shared/ui/altcha-box.tsx", () => ({
  AltchaBox: (events: { onSolved(payload: string): void; onExpired(): void; onError(): void }) => (
    <>
      <button type="button" onClick={() => events.onSolved("c29sdmVk")}>
        I'm not a robot
      </button>
      <button type="button" onClick={events.onExpired}>
        Let it expire
      </button>
      <button type="button" onClick={events.onError}>
        Let it fail
      </button>
    </>
  ),
}));
configure({ asyncUtilTimeout: 4000 });

const organisation: Charity = {
  name: "Chashma Foundation Australia",
  abn: "99 000 000 000",
  phone: "1300 000 000",
  email: "help@chashma.example",
  donationsEmail: "donations@chashma.example",
  registration: { label: "Our entry on the charity register", url: "https://www.acnc.gov.au/charity/charities" },
  banks: [
    { bank: "Example Bank", accountName: "Chashma", bsb: "000-000", accountNumber: "0000 0000" },
    { bank: "Sample Mutual", accountName: "Chashma", bsb: "111-111", accountNumber: "1111 1111" },
  ],
};

const token = "7f3c1f5e-29a7-4f0c-9c25-0d4d3f4d9c11";
const frame = { isValid: true, made: 0, destroyed: 0, error: undefined as { message: string } | undefined };

/** Stands for the bank's script: this DOM loads none. */
function standInForPayWay() {
  Object.assign(frame, { isValid: true, made: 0, destroyed: 0, error: undefined });
  type Options = { container: string; onValid(): void };
  type Callback = (error: unknown, answer?: unknown) => void;
  const payway = {
    createCreditCardFrame({ container, onValid }: Options, created: Callback) {
      frame.made += 1;
      document.getElementById(container)?.append(document.createElement("iframe"));
      const getToken = (give: Callback) =>
        frame.error ? give(frame.error) : give(undefined, { singleUseTokenId: token });
      setTimeout(() => {
        created(undefined, { getToken, destroy: () => (frame.destroyed += 1) });
        if (frame.isValid) onValid();
      });
    },
  };
  const { append } = document.head;
  vi.spyOn(document.head, "append").mockImplementation((...nodes) => {
    const [script] = nodes;
    if (!(script instanceof HTMLScriptElement)) return append.apply(document.head, nodes);
    Object.assign(window, { payway });
    setTimeout(() => script.onload?.(new Event("load")));
  });
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, "");
  localStorage.setItem("guest", "true");
  standInForPayWay();
  serve();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

const open = () => render(<DonationPage organisation={organisation} />);
const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const choose = (label: string, option: string) => {
  const select = screen.getByLabelText<HTMLSelectElement>(label);
  const { value } = within(select).getByRole<HTMLOptionElement>("option", { name: option });
  fireEvent.change(select, { target: { value } });
};
const button = (name: string | RegExp) => screen.getByRole("button", { name });
const press = (name: string | RegExp) => fireEvent.click(button(name));
const isOff = (name: string | RegExp) => button(name).getAttribute("aria-disabled") === "true";
const heading = (name: string | RegExp) => screen.findByRole("heading", { level: 1, name });

async function fillPersonal() {
  open();
  type("First Name", "Sana");
  type("Last Name", "Malik");
  type("Email", "sana@example.com");
  type("Post Code", "2144");
  await waitFor(() => expect(isOff("Next")).toBe(false));
  press("Next");
  await screen.findByRole("heading", { name: "Choose what to give to" });
}

async function give100ToZakat() {
  await fillPersonal();
  choose("Donation category", "Zakat");
  type("Your amount", "100");
  press("Add Donation");
}

async function reachPreview() {
  await give100ToZakat();
  press("Next");
  await screen.findByRole("heading", { name: "Choose how to pay" });
  press("Next");
  await heading(/Check your donation, then pay/);
}

async function fillCard() {
  fireEvent.click(await screen.findByRole("button", { name: "I'm not a robot" }));
  await waitFor(() => expect(isOff(/^Donate \$/)).toBe(false));
}

async function donate() {
  await reachPreview();
  await fillCard();
  press("Donate $106.58");
}

describe("the page", () => {
  test("DON-2: sends a stranger to log in, and lets a guest in", () => {
    open();
    expect(sendToLogin).not.toHaveBeenCalled();
    cleanup();
    localStorage.clear();
    open();
    expect(sendToLogin).toHaveBeenCalledOnce();
  });

  test("DON-2: without JavaScript it gives the bank details, the helpline and the way to log in", () => {
    const markup = renderToString(<DonationPage organisation={organisation} />);
    const noscript = /<noscript>(.*?)<\/noscript>/s.exec(markup)?.[1];
    expect(noscript).toContain("/login");
    expect(noscript).toContain("tel:1300000000");
    expect(markup).toContain("000-000");
    expect(markup).not.toContain("style=");
    expect(markup).not.toContain("<script");
  });

  test("DON-3: gives two banks' details and asks for the deposit details for a tax invoice", () => {
    open();
    const card = screen.getByRole("region", { name: "Donate by bank deposit" });
    for (const text of ["Example Bank", "000-000", "0000 0000", "Sample Mutual", "111-111"]) {
      expect(card.textContent).toContain(text);
    }
    expect(card.textContent).toMatch(/email the deposit details to donations@chashma.example .* tax invoice/);
    expect(within(card).getByRole("button", { name: "Copy BSB for Example Bank" })).toBeDefined();
  });

  test("DON-1: four indicators tell the step, and the title and the heading follow it", async () => {
    await fillPersonal();
    const steps = within(screen.getByRole("list", { name: "Progress" })).getAllByRole("listitem");
    expect(steps.map(({ textContent }) => textContent)).toEqual(["Personal completed", "Method", "Payment", "Preview"]);
    expect(steps.map((step) => step.getAttribute("aria-current"))).toEqual([null, "step", null, null]);
    expect(document.title).toMatch(/^Step 2 of 4: Method/);
    expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 }));
  });

  test("DON-1: Previous, and the browser's Back, return to the step before", async () => {
    await give100ToZakat();
    press("Next");
    await screen.findByRole("heading", { name: "Choose how to pay" });
    press("Previous");
    await screen.findByRole("heading", { name: "Choose what to give to" });
    act(() => history.back());
    await screen.findByRole("heading", { name: "Your details" });
    expect(screen.getByLabelText<HTMLInputElement>("First Name").value).toBe("Sana");
    expect(screen.queryByText("completed")).toBeNull();
  });
});

describe("step 1", () => {
  test("DON-4, LAY-11: Next is off while anything is missing, and pressing it says what, with focus on the summary", async () => {
    open();
    expect(isOff("Next")).toBe(true);
    expect(button("Next").getAttribute("aria-describedby")).toBe("personal-why");
    press("Next");
    const summary = await screen.findByRole("alert");
    expect(document.activeElement).toBe(summary);
    expect(
      within(summary)
        .getAllByRole("link")
        .map(({ textContent }) => textContent),
    ).toEqual(["First Name is required", "Last Name is required", "Email is required", "Post Code is required"]);
    expect(screen.getByLabelText("First Name").getAttribute("aria-invalid")).toBe("true");
    expect(document.title).toMatch(/^Error: /);
    expect(requests).toEqual([]);
  });

  test("DON-4: an invalid email says so once it was left", async () => {
    open();
    type("Email", "sana@");
    expect(screen.queryByText("Please enter a valid email address")).toBeNull();
    fireEvent.blur(screen.getByLabelText("Email"));
    expect(await screen.findByText("Please enter a valid email address")).toBeDefined();
    type("Email", "sana@example.com");
    await waitFor(() => expect(screen.queryByText("Please enter a valid email address")).toBeNull());
  });

  test("DON-4, DON-5: a logged-in person's details are filled in, and anonymous is not offered", async () => {
    const user = {
      user_id: 7,
      first_name: "Ayesha",
      last_name: "Khan",
      email: "ayesha@example.com",
      postal_code: "3000",
    };
    sessionStorage.setItem("user", JSON.stringify(user));
    open();
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>("Last Name").value).toBe("Khan"));
    expect(isOff("Next")).toBe(false);
    expect(screen.queryByRole("checkbox", { name: /anonymously/ })).toBeNull();
  });

  test("DON-5: anonymous sets and disables the names and the post code, needs a valid email alone, and can be undone", async () => {
    open();
    fireEvent.click(screen.getByRole("checkbox", { name: /anonymously/ }));
    const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
    expect([field("First Name").value, field("Last Name").value]).toEqual(["Anonymous", "User"]);
    for (const label of ["First Name", "Last Name", "Post Code"]) expect(field(label).disabled).toBe(true);
    expect(screen.getByText(/We still need your email/)).toBeDefined();
    expect(isOff("Next")).toBe(true);
    type("Email", "sana@example.com");
    await waitFor(() => expect(isOff("Next")).toBe(false));
    fireEvent.click(screen.getByRole("checkbox", { name: /anonymously/ }));
    expect([field("First Name").value, field("First Name").disabled]).toEqual(["", false]);
    expect(isOff("Next")).toBe(true);
    fireEvent.click(screen.getByRole("checkbox", { name: /anonymously/ }));
    press("Next");
    await screen.findByRole("heading", { name: "Choose what to give to" });
  });
});

describe("step 2", () => {
  test("DON-8, DON-25, LAY-11: Next is off while the cart is empty or outside the limits, and says why", async () => {
    await fillPersonal();
    expect(screen.getByText(/from \$2.00 to \$50,000.00/)).toBeDefined();
    expect(isOff("Next")).toBe(true);
    press("Next");
    expect(screen.getAllByText("Add at least one donation to go on.").length).toBeGreaterThan(0);
    choose("Donation category", "Zakat");
    type("Your amount", "1.99");
    press("Add Donation");
    expect(screen.getByText("The smallest donation is $2.00.")).toBeDefined();
    expect(isOff("Next")).toBe(true);
  });

  test("DON-8: Add Donation needs an amount above zero with at most 2 decimals, appends a line and starts afresh", async () => {
    await fillPersonal();
    choose("Donation category", "Zakat");
    for (const amount of ["", "0", "-5", "10.505", "ten"]) {
      type("Your amount", amount);
      expect(isOff("Add Donation")).toBe(true);
    }
    press("Add Donation");
    expect((await screen.findAllByText("Enter an amount above zero with at most 2 decimals")).length).toBe(2);
    type("Your amount", "1,250.5");
    press("Add Donation");
    const table = screen.getByRole("table");
    expect(table.textContent).toContain("$1,250.50");
    expect(screen.getByText("Added Zakat. Subtotal $1,250.50")).toBeDefined();
    const category = screen.getByLabelText<HTMLSelectElement>("Donation category");
    expect(category.value).toBe("");
    expect(document.activeElement).toBe(category);
  });

  test("DON-8: Delete removes a line and recomputes the subtotal, and can be undone", async () => {
    await give100ToZakat();
    choose("Donation category", "Fitrana");
    press("Add one Fitrana");
    press("Add Donation");
    expect(screen.getByText(/Subtotal \$130.00/)).toBeDefined();
    press("Delete Zakat, $100.00");
    expect(screen.getByText(/Deleted Zakat. Subtotal \$30.00/)).toBeDefined();
    press("Undo deleting Zakat");
    const rows = screen.getAllByRole("row").map(({ textContent }) => textContent);
    expect(rows[1]).toContain("Zakat");
    expect(rows.at(-1)).toContain("$130.00");
  });

  test("DON-6: each category shows the fields it needs and no others", async () => {
    await fillPersonal();
    const shown = () => ["Quantity", /amount/i].map((label) => screen.queryByLabelText(label) !== null);
    choose("Donation category", "Homes");
    expect(shown()).toEqual([false, false]);
    expect(screen.getByText("$100.00")).toBeDefined();
    choose("Donation category", "Fitrana");
    expect(shown()).toEqual([true, false]);
    choose("Donation category", "Dastarkhwan");
    expect(screen.getByLabelText<HTMLInputElement>("Amount of each (AUD)").value).toBe("5.00");
    expect(screen.getByLabelText<HTMLInputElement>("Quantity").value).toBe("1");
    choose("Donation category", "Zakat");
    expect(screen.queryByLabelText("Quantity")).toBeNull();
    expect(screen.getAllByRole<HTMLInputElement>("radio").some(({ checked }) => checked)).toBe(false);
  });

  test("DON-7: Qurban asks its kind and one name for each unit, and needs one at least", async () => {
    await fillPersonal();
    choose("Donation category", "Qurban");
    choose("Kind of Qurban", "Goat, $190.00 each");
    expect(screen.getAllByLabelText(/^Name \d/)).toHaveLength(1);
    press("Add one Goat");
    expect(screen.getAllByLabelText(/^Name \d/)).toHaveLength(2);
    expect(isOff("Add Donation")).toBe(true);
    press("Add Donation");
    expect((await screen.findAllByText("Enter at least one name")).length).toBe(2);
    type("Name 2", "Raza, Ali");
    press("Add Donation");
    expect(screen.getByRole("table").textContent).toContain("On behalf of Raza Ali");
    expect(screen.getByRole("table").textContent).toContain("$380.00");
    choose("Donation category", "Qurban");
    choose("Kind of Qurban", "Goat, $190.00 each");
    expect(screen.getByLabelText<HTMLInputElement>("Name 1").value).toBe("");
  });

  test("a catalogue that does not load says so, and Try again loads it", async () => {
    answerWith("/api/categories", () => Promise.reject(new TypeError("offline")));
    open();
    type("First Name", "Sana");
    type("Last Name", "Malik");
    type("Email", "sana@example.com");
    type("Post Code", "2144");
    press("Next");
    expect(await screen.findByText(/We could not load what you can donate to/)).toBeDefined();
    serve();
    press("Try again");
    expect(await screen.findByRole("heading", { name: "Choose what to give to" })).toBeDefined();
  });
});

describe("step 3", () => {
  test("DON-9, DON-10, DON-13: fees in words, card by default, totals at once; PayPal says why it cannot be chosen", async () => {
    await give100ToZakat();
    press("Next");
    await screen.findByRole("heading", { name: "Choose how to pay" });
    const total = () => screen.getByRole("region", { name: "Total to pay" }).textContent;
    const cover = screen.getByRole<HTMLInputElement>("checkbox", {
      name: /Help cover our running costs \(5%\): \$5.00/,
    });
    expect(cover.checked).toBe(true);
    expect(total()).toMatch(/Admin fee \(5%\)\$5.00Merchant fee \(1.5%\)\$1.58Total AUD\$106.58/);
    fireEvent.click(cover);
    expect(total()).toMatch(/Admin fee \(5%\)\$0.00Merchant fee \(1.5%\)\$1.50Total AUD\$101.50/);
    const paypal = screen.getByRole<HTMLInputElement>("radio", { name: /PayPal.*Adds 3%/ });
    fireEvent.click(paypal);
    expect(paypal.checked).toBe(false);
    expect(screen.getByRole<HTMLInputElement>("radio", { name: /Credit card.*Adds 1.5%/ }).checked).toBe(true);
    expect(screen.getAllByText("PayPal opens soon.").length).toBeGreaterThan(1);
  });

  test("DON-10: moving from step 2 to 3 recalculates the fees", async () => {
    await give100ToZakat();
    press("Next");
    await screen.findByRole("heading", { name: "Choose how to pay" });
    press("Previous");
    await screen.findByRole("heading", { name: "Choose what to give to" });
    choose("Donation category", "Homes");
    press("Add Donation");
    press("Next");
    expect((await screen.findByRole("region", { name: "Total to pay" })).textContent).toContain("Total AUD$213.15");
  });
});

describe("step 4", () => {
  test("DON-23, DON-24: shows everything once more, says that nothing was charged, and names the amount on the button", async () => {
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
    expect(isOff("Donate $106.58")).toBe(true);
    expect(screen.getByText("Complete the verification above first.")).toBeDefined();
  });

  test("DON-23: a Change link comes straight back", async () => {
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
    expect(showToast).toHaveBeenCalledWith("Please complete the reCAPTCHA verification", "bad");
    expect(screen.getByText("Please complete the reCAPTCHA verification")).toBeDefined();
    expect(requests.some(({ url }) => url === "/api/payway-payment")).toBe(false);
  });

  test("DON-14: a captcha that fails or expires is an alert, which also stays beside it", async () => {
    await reachPreview();
    fireEvent.click(await screen.findByRole("button", { name: "Let it fail" }));
    expect(showAlert).toHaveBeenLastCalledWith("reCAPTCHA verification failed. Please try again.");
    press("Let it expire");
    expect(showAlert).toHaveBeenLastCalledWith("reCAPTCHA verification expired. Please verify again.");
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

  test("DON-16: card details that cannot be read are said beside the button, and nothing is sent", async () => {
    await reachPreview();
    frame.error = { message: "The card has expired." };
    await fillCard();
    press("Donate $106.58");
    expect(await screen.findByText(/The card has expired. Nothing was charged./)).toBeDefined();
    expect(requests.some(({ url }) => url === "/api/payway-payment")).toBe(false);
  });
});

describe("paying", () => {
  test("DON-15, DON-18: sends what was shown, once, with its own key and the cross-site token", async () => {
    // biome-ignore lint/suspicious/noDocumentCookie: the header is copied out of it
    document.cookie = "XSRF-TOKEN=forgery-stopper";
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
    expect(localStorage.getItem(DRAFT_KEY)).toBeNull();
    expect(document.activeElement?.textContent).toBe("Thank you for your donation");
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

  test("DON-16: 202 is confirmed by looking it up, and nothing invites to pay again meanwhile", async () => {
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

  test("DON-22: a payment sent from another tab meanwhile is shown instead of paying once more", async () => {
    await reachPreview();
    await fillCard();
    const draft = JSON.parse(localStorage.getItem(DRAFT_KEY)!);
    const payment = { key: crypto.randomUUID(), totalCents: 10_658, email: "sana@example.com" };
    localStorage.setItem(DRAFT_KEY, JSON.stringify({ ...draft, payment }));
    press("Donate $106.58");
    await heading("We are confirming your payment");
    expect(requests.some(({ url }) => url === "/api/payway-payment")).toBe(false);
  });

  test("DON-16: another refusal keeps the step, with its message beside the button and a new captcha", async () => {
    answerWith(
      "/api/payway-payment",
      paid(429, { error: "too_many", message: "Too many tries. Nothing was charged." }),
    );
    await donate();
    expect(await screen.findByText("Too many tries. Nothing was charged.")).toBeDefined();
    expect(await heading(/Check your donation/)).toBeDefined();
    expect(isOff("Donate $106.58")).toBe(true);
    expect(JSON.parse(localStorage.getItem(DRAFT_KEY)!).payment).toBeUndefined();
  });

  test("DON-12, DON-14: a refused captcha is said beside it; a refused line points to the step it came from", async () => {
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

  test("DON-20: without local storage the donation still goes through", async () => {
    const refuse = () => {
      throw new DOMException("denied", "SecurityError");
    };
    vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse, removeItem: refuse });
    await donate();
    expect(await heading("Thank you for your donation")).toBeDefined();
  });
});

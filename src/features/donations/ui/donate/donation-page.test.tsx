// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { describe, expect, test } from "vitest";
import {
  button,
  choose,
  fillPersonal,
  give100ToZakat,
  isOff,
  open,
  page,
  press,
  reasonOf,
  type,
} from "#test/pages/donation-page.tsx";
import { answerWith, awayCheckout, requests, serve } from "#test/pages/donation-server.ts";

describe("the page", () => {
  test("DON-2: without JavaScript it gives the bank details, the helpline and the way to log in", () => {
    const markup = renderToString(page);
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
    expect(card.textContent).toMatch(
      /email its date and amount, and your name, to donations@chashma.example, .* tax invoice/,
    );
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
  test("DON-4, LAY-11: Next is off while anything is missing, and pressing it says what, focusing the summary", async () => {
    open();
    expect(isOff("Next")).toBe(true);
    expect(button("Next").getAttribute("aria-describedby")).toBe("personal-why");
    press("Next");
    const summary = await screen.findByRole("alert");
    await waitFor(() => expect(document.activeElement).toBe(summary));
    expect(
      within(summary)
        .getAllByRole("link")
        .map(({ textContent }) => textContent),
    ).toEqual(["First Name is required", "Last Name is required", "Email is required", "Post Code is required"]);
    expect(screen.getByLabelText("First Name").getAttribute("aria-invalid")).toBe("true");
    expect(document.title).toMatch(/^Error: /);
    expect(requests).toEqual([]);
  });

  test("LAY-12: Next says the true reason in the field's words; a field left wrong says so, one left empty not yet", async () => {
    open();
    expect(reasonOf("Next")).toBe("First Name is required");
    fireEvent.blur(screen.getByLabelText("First Name"));
    type("First Name", "Sana");
    type("Last Name", "M".repeat(120));
    type("Email", "sana@example.com");
    type("Post Code", "2144");
    const text = "Enter a last name of at most 100 characters";
    expect(reasonOf("Next")).toBe(text);
    expect(screen.getByLabelText("Last Name").getAttribute("aria-invalid")).toBeNull();
    fireEvent.blur(screen.getByLabelText("Last Name"));
    await waitFor(() => expect(screen.getByLabelText("Last Name").getAttribute("aria-invalid")).toBe("true"));
    press("Next");
    expect(await screen.findByRole("link", { name: text })).toBeDefined();
    type("Last Name", "");
    expect(await screen.findByRole("link", { name: "Last Name is required" })).toBeDefined();
    expect(reasonOf("Next")).toBe("Last Name is required");
  });

  test("DON-4: an invalid email says so once the field is left", async () => {
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
    expect(screen.getAllByText("Add at least one donation to continue.").length).toBeGreaterThan(0);
    choose("Donation category", "Zakat");
    type("Your amount", "1.99");
    press("Add Donation");
    expect(screen.getByText("The smallest donation is $2.00.")).toBeDefined();
    expect(isOff("Next")).toBe(true);
  });

  test("DON-8: Add Donation needs an amount above zero with at most 2 decimals, appends a line and resets the form", async () => {
    await fillPersonal();
    choose("Donation category", "Zakat");
    for (const amount of ["", "0", "-5", "10.505", "10,50", "1 5", "1e3", "ten"]) {
      type("Your amount", amount);
      expect(isOff("Add Donation")).toBe(true);
    }
    press("Add Donation");
    expect((await screen.findAllByRole("link")).map(({ textContent }) => textContent)).toContain(
      "Enter an amount in dollars, such as 25 or 25.50",
    );
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

  test.each([
    ["Homes", "A gift to Homes is exactly $100.00. To give another amount, choose another category."],
    ["Fitrana", "Each is $15.00."],
  ])("DON-6: where the amount of %s is fixed, a sentence says so", async (title, sentence) => {
    await fillPersonal();
    choose("Donation category", title);
    expect(screen.getByText(sentence).closest("[role=status]")).not.toBeNull();
    choose("Donation category", "Zakat");
    expect(screen.queryByText(sentence)).toBeNull();
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
    expect((await screen.findByRole("link", { name: "Enter at least one name" })).getAttribute("href")).toBe("#name-1");
    type("Name 2", "Raza, Ali");
    press("Add Donation");
    expect(screen.getByRole("table").textContent).toContain("On behalf of Raza Ali");
    expect(screen.getByRole("table").textContent).toContain("$380.00");
    choose("Donation category", "Qurban");
    choose("Kind of Qurban", "Goat, $190.00 each");
    expect(screen.getByLabelText<HTMLInputElement>("Name 1").value).toBe("");
  });

  test("DON-6, LAY-12: a quantity stays as it was typed; field, sum, Add Donation and Next immediately say what is wrong", async () => {
    await give100ToZakat();
    choose("Donation category", "Fitrana");
    const text = "Enter a whole number from 1 to 999";
    for (const typed of ["1000", "0", "-3", "ab", "2."]) {
      type("Quantity", typed);
      fireEvent.blur(screen.getByLabelText("Quantity"));
      expect(screen.getByLabelText<HTMLInputElement>("Quantity").value).toBe(typed);
      expect(document.getElementById("quantity-error")?.textContent).toContain(text);
      expect([reasonOf("Add Donation"), reasonOf("Next"), isOff("Next")]).toEqual([text, text, true]);
      expect(document.querySelector(".add-row")?.textContent).not.toContain("$");
    }
    type("Quantity", "3");
    expect(document.getElementById("quantity-error")).toBeNull();
    expect(document.querySelector(".add-row")?.textContent).toContain("$45.00");
  });

  test("DON-8, LAY-12: an amount shows its error when it is left, the same as Add Donation and Next", async () => {
    await fillPersonal();
    choose("Donation category", "Zakat");
    fireEvent.blur(screen.getByLabelText("Your amount"));
    expect(document.getElementById("amount-error")).toBeNull();
    type("Your amount", "25.555");
    const text = "Enter an amount in dollars, such as 25 or 25.50";
    expect([reasonOf("Add Donation"), reasonOf("Next")]).toEqual([text, text]);
    expect(document.getElementById("amount-error")).toBeNull();
    fireEvent.blur(screen.getByLabelText("Your amount"));
    expect(document.getElementById("amount-error")?.textContent).toContain(text);
    type("Your amount", "9".repeat(13));
    expect(reasonOf("Add Donation")).toBe("Enter an amount below $1,000,000,000");
    type("Your amount", "25.55");
    expect(document.getElementById("amount-error")).toBeNull();
  });

  test("DON-7, LAY-12: a name that is too long is kept, with the error at its own field", async () => {
    await fillPersonal();
    choose("Donation category", "Qurban");
    choose("Kind of Qurban", "Goat, $190.00 each");
    press("Add one Goat");
    type("Name 1", "Sana");
    type("Name 2", "R".repeat(101));
    fireEvent.blur(screen.getByLabelText("Name 2"));
    expect(screen.getByLabelText<HTMLInputElement>("Name 2").value).toHaveLength(101);
    expect(screen.getByLabelText("Name 2").getAttribute("aria-describedby")).toContain("name-2-error");
    press("Add Donation");
    expect((await screen.findByRole("link", { name: /at most 100 letters/ })).getAttribute("href")).toBe("#name-2");
  });

  test("DON-8: a first donation that is entered but not added is named beside Next with its amount", async () => {
    await fillPersonal();
    choose("Donation category", "Zakat");
    expect(reasonOf("Next")).toBe("Add at least one donation to continue.");
    type("Your amount", "100");
    expect(reasonOf("Next")).toBe("Zakat, $100.00, isn’t added yet. Press Add Donation.");
    press("Next");
    expect(document.body.textContent).not.toContain("Choose a category above");
    press("Add Donation");
    expect(isOff("Next")).toBe(false);
  });

  test("DON-8: a line that was begun is neither lost nor silently added by Next", async () => {
    await give100ToZakat();
    choose("Donation category", "Homes");
    expect(reasonOf("Next")).toMatch(/^Homes isn’t added yet/);
    press("Next");
    expect(screen.getByRole("heading", { name: "Choose what to give to" })).toBeDefined();
    choose("Donation category", "Choose a category");
    press("Next");
    await screen.findByRole("heading", { name: "Choose how to pay" });
  });

  test.each([
    ["because the donor is offline", () => Promise.reject(new TypeError("offline")), /Please check your connection/],
    ["because the server fails", async () => ({ status: 502, text: "" }), /Something went wrong on our side/],
  ])("DON-16: if the catalogue doesn't load %s, the page says so, and Try again loads it", async (_, answer, why) => {
    answerWith("/api/categories", answer);
    open();
    type("First Name", "Sana");
    type("Last Name", "Malik");
    type("Email", "sana@example.com");
    type("Post Code", "2144");
    press("Next");
    expect((await screen.findByText(/We couldn’t load the donation categories/)).textContent).toMatch(why);
    serve();
    press("Try again");
    expect(await screen.findByRole("heading", { name: "Choose what to give to" })).toBeDefined();
  });
});

describe("step 3", () => {
  const radio = (name: RegExp) => screen.getByRole<HTMLInputElement>("radio", { name });
  const reachStep3 = async () => {
    await give100ToZakat();
    press("Next");
    await screen.findByRole("heading", { name: "Choose how to pay" });
  };

  test("DON-9, DON-10, DON-13: shows fees in words, card by default, PayPal with its own fee, and the totals immediately", async () => {
    await reachStep3();
    const total = () => screen.getByRole("region", { name: "Total to pay" }).textContent;
    const cover = screen.getByRole<HTMLInputElement>("checkbox", {
      name: /Help cover our running costs \(5%\): \$5.00/,
    });
    expect(cover.checked).toBe(true);
    expect(total()).toMatch(/Admin fee \(5%\)\$5.00Merchant fee \(1.5%\)\$1.58Total AUD\$106.58/);
    fireEvent.click(cover);
    expect(total()).toMatch(/Admin fee \(5%\)\$0.00Merchant fee \(1.5%\)\$1.50Total AUD\$101.50/);
    fireEvent.click(cover);
    expect(radio(/Credit card.*Adds 1.5%: \$1.58/).checked).toBe(true);
    fireEvent.click(radio(/^PayPal.*Adds 3%: \$3.15/));
    expect(radio(/^PayPal/).checked).toBe(true);
    expect(total()).toMatch(/Admin fee \(5%\)\$5.00Merchant fee \(3%\)\$3.15Total AUD\$108.15/);
  });

  test("DON-13, LAY-11: an unavailable payment method says why and cannot be chosen; the other can", async () => {
    answerWith("/api/checkout", awayCheckout({ paypal: "PayPal is away for a few minutes." }));
    await reachStep3();
    fireEvent.click(radio(/^PayPal/));
    expect(radio(/^PayPal/).checked).toBe(false);
    expect(radio(/Credit card/).checked).toBe(true);
    expect(screen.getAllByText("PayPal is away for a few minutes.").length).toBeGreaterThan(1);
    expect(isOff("Next")).toBe(false);
  });

  test("DON-13, LAY-11: while the chosen method is unavailable the page suggests the other; when it is back, it can be chosen", async () => {
    answerWith("/api/checkout", awayCheckout({ payway: "Cards are away for a few minutes. You can give by PayPal." }));
    await reachStep3();
    expect(radio(/Credit card/).checked).toBe(false);
    expect(isOff("Next")).toBe(true);
    press("Next");
    expect(screen.getByText("Choose PayPal to continue.")).toBeDefined();
    fireEvent.click(radio(/^PayPal/));
    expect(isOff("Next")).toBe(false);
    serve();
    press(/Check again/);
    await waitFor(() => expect(screen.queryByText(/Cards are away/)).toBeNull());
    fireEvent.click(radio(/Credit card/));
    expect(radio(/Credit card/).checked).toBe(true);
  });

  test("DON-13: with both unavailable the page suggests a bank deposit", async () => {
    answerWith("/api/checkout", awayCheckout({ payway: "Cards are away.", paypal: "PayPal is away." }));
    await reachStep3();
    expect(isOff("Next")).toBe(true);
    expect(screen.getByText(/Please give by bank deposit/)).toBeDefined();
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

// @vitest-environment jsdom
import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import {
  choose,
  fillPersonal,
  give100ToZakat,
  heading,
  open,
  press,
  reasonOf,
  type,
} from "#test/pages/donation-page.tsx";
import { answerWith, notDeductible, withoutAdminFee } from "#test/pages/donation-server.ts";
import { translatePage } from "#test/pages/translate-page.ts";

describe("a cause's link", () => {
  const arrive = async (search: string) => {
    history.replaceState(null, "", `/donation${search}`);
    await fillPersonal();
    return screen.getByLabelText<HTMLSelectElement>("Donation category").selectedOptions[0]?.textContent;
  };
  afterEach(() => history.replaceState(null, "", "/"));

  test("DON-26: its category is chosen in step 2, also after a reload and on the way back, until something was added", async () => {
    expect(await arrive("?cause=homes&from=card")).toBe("Homes");
    expect(location.search).toBe("?from=card");
    cleanup();
    open();
    await screen.findByRole("heading", { name: "Choose what to give to" });
    const category = () =>
      screen.getByLabelText<HTMLSelectElement>("Donation category").selectedOptions[0]?.textContent;
    expect(category()).toBe("Homes");
    press("Add Donation");
    press("Next");
    await screen.findByRole("heading", { name: "Choose how to pay" });
    press("Previous");
    await screen.findByRole("heading", { name: "Choose what to give to" });
    expect(category()).toBe("Choose a category");
    cleanup();
    open();
    await screen.findByRole("heading", { name: "Choose what to give to" });
    expect(category()).toBe("Choose a category");
    expect(screen.getAllByRole("row", { name: /^Homes/ })).toHaveLength(1);
  });

  test("DON-26: it can be changed, and stays changed", async () => {
    await arrive("?cause=homes");
    choose("Donation category", "Zakat");
    press("Previous");
    await screen.findByRole("heading", { name: "Your details" });
    press("Next");
    await screen.findByRole("heading", { name: "Choose what to give to" });
    expect(screen.getByLabelText("Donation category")).toHaveProperty("value", "1");
  });

  test.each([
    ["unknown", "unknown"],
    ["empty", ""],
    ["with HTML", "%3Cb%3E"],
    ["of 100,000 letters", "a".repeat(100_000)],
  ])("DON-26: one that the catalogue does not have is passed over: %s", async (_, cause) =>
    expect(await arrive(`?cause=${cause}`)).toBe("Choose a category"),
  );

  test("DON-26: a cart that is there already is kept, and Next does not lose the cause unseen", async () => {
    await give100ToZakat();
    cleanup();
    expect(await arrive("?cause=homes")).toBe("Homes");
    expect(screen.getByRole("row", { name: /^Zakat/ })).toBeDefined();
    expect(reasonOf("Next")).toMatch(/^Homes isn’t added yet/);
  });
});

test("DON-20: what was entered in step 2 and not yet added survives a reload, and a new link to a cause comes first", async () => {
  await fillPersonal();
  choose("Donation category", "Qurban");
  choose("Kind of Qurban", "Goat, $190.00 each");
  type("Name 1", "Sana");
  choose("Donation category", "Zakat");
  type("Your amount", "12.50");
  const reload = async () => {
    cleanup();
    open();
    await screen.findByRole("heading", { name: "Choose what to give to" });
  };
  await reload();
  expect(screen.getByLabelText<HTMLInputElement>("Your amount").value).toBe("12.50");
  press("Add Donation");
  await reload();
  expect(screen.getByLabelText<HTMLSelectElement>("Donation category").value).toBe("");
  choose("Donation category", "Zakat");
  history.replaceState(history.state, "", "?cause=homes");
  await reload();
  expect(reasonOf("Next")).toMatch(/^Homes isn’t added yet/);
});

test("DON-27: a line that is not a tax-deductible gift says so where it is chosen, in the cart and with the total, without fees", async () => {
  await fillPersonal();
  choose("Donation category", "Qurban");
  expect(screen.getByText("Qurban is not a tax-deductible gift.").closest("[role=status]")).not.toBeNull();
  choose("Kind of Qurban", "Goat, $190.00 each");
  type("Name 1", "Sana");
  press("Add Donation");
  expect(screen.queryByText("Qurban is not a tax-deductible gift.")).toBeNull();
  expect(screen.getByRole("row", { name: /^Qurban/ }).textContent).toContain("Not a tax-deductible gift");
  press("Next");
  const slip = () => screen.findByRole("region", { name: "Total to pay" }).then(({ textContent }) => textContent);
  expect(await slip()).toContain("This is not a tax-deductible gift.");
  press("Previous");
  await screen.findByRole("heading", { name: "Choose what to give to" });
  choose("Donation category", "Zakat");
  expect(screen.queryByText(/is not a tax-deductible gift\./)).toBeNull();
  type("Your amount", "100");
  press("Add Donation");
  expect(screen.getByRole("row", { name: /^Zakat/ }).textContent).not.toContain("tax");
  press("Next");
  expect(await slip()).toContain("Tax-deductible gift on your receipt: $100.00. Fees are not part of it.");
  press("Next");
  await heading(/Check your donation, then pay/);
  expect(screen.getByRole("row", { name: /^Qurban/ }).textContent).toContain("Not a tax-deductible gift");
  expect(await slip()).toContain("Tax-deductible gift on your receipt: $100.00. Fees are not part of it.");
});

test("LAY-14: the cart is a table with a name, and each row is named by what it is for", async () => {
  await give100ToZakat();
  const namesOfRows = () => {
    const cart = within(screen.getByRole("table", { name: "Your donations" }));
    return cart.getAllByRole("rowheader").map(({ textContent }) => textContent);
  };
  expect(namesOfRows()).toEqual(["Zakat", "Subtotal"]);
  press("Next");
  await screen.findByRole("heading", { name: "Choose how to pay" });
  press("Next");
  await heading(/Check your donation, then pay/);
  expect(namesOfRows()).toEqual(["Zakat", "Subtotal"]);
});

test("DON-1, DON-10: on a page that the browser has translated, the heading, the fees and the total keep up", async () => {
  await give100ToZakat();
  translatePage();
  press("Next");
  await screen.findByRole("region", { name: "Total to pay" });
  expect((await heading(/Make a donation/)).textContent).toBe("Make a donation, step 3 of 4: Payment");
  translatePage();
  fireEvent.click(screen.getByRole("radio", { name: /^PayPal/ }));
  const slip = screen.getByRole("region", { name: "Total to pay" }).textContent;
  expect(slip).toContain("Merchant fee (3%)$3.15");
  expect(slip).toContain("Total AUD$108.15");
  expect(slip).toContain("Total $108.15");
  expect(screen.getByRole("checkbox", { name: /Help cover our running costs \(5%\): \$5.00/ })).toBeDefined();
  press("Next");
  await heading(/Check your donation, then pay/);
});

test("DON-27: an organisation whose gifts are not deductible claims it nowhere", async () => {
  answerWith("/api/categories", notDeductible);
  await give100ToZakat();
  expect(screen.getByRole("row", { name: /^Zakat/ }).textContent).toContain("Not a tax-deductible gift");
  press("Next");
  const slip = await screen.findByRole("region", { name: "Total to pay" });
  expect(slip.textContent).toContain("This is not a tax-deductible gift.");
  expect(slip.textContent).not.toContain("Tax-deductible gift on");
});

test("CAT-1: a cause shows the sentence and the amounts that staff have chosen for it", async () => {
  await fillPersonal();
  choose("Donation category", "Zakat");
  expect(screen.getByText("On wealth held for a year.").closest("[role=status]")).not.toBeNull();
  const suggested = screen.getAllByRole("radio").map((radio) => radio.parentElement?.textContent);
  expect(suggested).toEqual(["$40", "$80.50"]);
  fireEvent.click(screen.getByRole("radio", { name: "$80.50" }));
  expect(screen.getByLabelText<HTMLInputElement>("Your amount").value).toBe("80.50");
});

test("DON-9: where no cause takes the admin fee, none is offered", async () => {
  answerWith("/api/categories", withoutAdminFee);
  await give100ToZakat();
  press("Next");
  expect(await screen.findByRole("heading", { name: "Choose how to pay" })).toBeDefined();
  expect(screen.queryByRole("checkbox", { name: /running costs/ })).toBeNull();
});

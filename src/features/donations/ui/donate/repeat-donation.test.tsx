// @vitest-environment jsdom
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { donate, fillCard, heading, press } from "#test/pages/donation-page.tsx";
import { answerWith, paid, requests, serve } from "#test/pages/donation-server.ts";

const message = "You gave this 20 seconds ago: $106.58 by card.";
const text = `${message} Nothing more was charged.`;
const payments = () => requests.filter(({ url }) => url === "/api/payway-payment");

async function beRefused() {
  answerWith(
    "/api/payway-payment",
    paid(409, { error: "just_given", message, money: "charged_before", state: "succeeded" }),
  );
  await donate();
  const refusal = await screen.findByRole("alert");
  expect(within(refusal).getByText(text)).toBeDefined();
  expect(document.activeElement).toBe(refusal);
  return refusal;
}

test("DON-30: a repeat of a recent donation offers both ways on, and is only sent again when the donor says so", async () => {
  const refusal = await beRefused();
  expect(
    within(refusal)
      .getAllByRole("button")
      .map(({ textContent }) => textContent),
  ).toEqual(["See that donation", "Give it again"]);
  const [first] = payments();
  expect(first?.body).not.toHaveProperty("repeat");
  serve();
  press("Give it again");
  await heading("Thank you for your donation");
  const [second] = payments();
  expect(second?.body).toEqual({ ...first?.body, repeat: true });
  expect(second?.headers["idempotency-key"]).not.toBe(first?.headers["idempotency-key"]);
});

test("DON-30: Give it again sends the donation even if it is pressed at the moment it appears", async () => {
  answerWith("/api/payway-payment", paid(409, { error: "just_given", message, money: "charged_before" }));
  const observer = new MutationObserver(() => {
    const again = [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Give it again");
    if (again === undefined) return;
    observer.disconnect();
    serve();
    again.click();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  await donate();
  await heading("Thank you for your donation");
  expect(payments()[0]?.body).toMatchObject({ repeat: true });
});

test("DON-30: if the captcha must be solved again, the next try is still a confirmed repeat", async () => {
  await beRefused();
  answerWith("/api/payway-payment", paid(403, { error: "captcha_failed", message: "Please try again." }));
  press("Give it again");
  await screen.findByText(/Please try again\./);
  serve();
  await fillCard();
  press("Donate $106.58");
  await heading("Thank you for your donation");
  expect(payments()[0]?.body).toMatchObject({ repeat: true });
});

test("DON-30: See that donation shows its outcome, and nothing is sent", async () => {
  await beRefused();
  serve();
  press("See that donation");
  await heading("Thank you for your donation");
  expect(payments()).toEqual([]);
  expect(document.body.textContent).toContain("$106.58 AUD");
});

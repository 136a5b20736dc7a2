// @vitest-environment jsdom
import { fireEvent, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { clock, open } from "#test/pages/ticket-checkout.tsx";
import { answerWith, refusal } from "#test/pages/ticket-server.ts";

// The payment part loads once in a file, so the tests without it are in their own file, in this order.

/** Nothing has come into view yet. */
const notNear = () =>
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );

test("TIC-9: without held seats the block says when the payment form opens, and never that it is loading", async () => {
  answerWith("POST /api/ticket-orders", refusal(409, "seats_gone", "Only 1 is left."));
  open();
  await screen.findByText(/Only 1 is left/);
  expect(document.body.textContent).toContain("The payment form opens here once your seats are held.");
  expect(document.body.textContent).not.toContain("Loading");
});

test("TIC-9: until the buyer starts, the block says when the payment form opens, and then the form is there", async () => {
  notNear();
  open();
  await clock();
  expect(document.body.textContent).toContain("The payment form opens here when you fill in your details.");
  expect(document.body.textContent).not.toContain("Loading");
  fireEvent.focus(screen.getByLabelText("Email"));
  expect(await screen.findByRole("radio", { name: /Credit card/ })).toBeDefined();
});

// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { takeKnownPerson } from "#payments/checkout/ui/known-person.ts";
import {
  arriveBy,
  donate,
  fillCard,
  heading,
  open,
  organisation,
  press,
  reachPreview,
  told,
} from "#test/pages/donation-page.tsx";

const seesThanks = () => heading("Thank you for your donation");

test("DON-28: once it is paid the result takes the place of every step in the history", async () => {
  await reachPreview();
  expect(history.state.wizard).toMatchObject({ step: 4, depth: 3 });
  expect(screen.getByRole("heading", { name: "Donate by bank deposit" })).toBeDefined();
  await fillCard();
  press("Donate $106.58");
  await seesThanks();
  await waitFor(() => expect(history.state.wizard).toMatchObject({ step: 5, depth: 0 }));
  // Forward leads to what was step 2, and shows the result too.
  history.forward();
  await waitFor(() => expect(history.state.wizard).toMatchObject({ step: 5, depth: 1 }));
  expect(screen.getByRole("heading", { level: 1, name: "Thank you for your donation" })).toBeDefined();
  history.back();
});

test("DON-28: a reload shows the result again, and a link to the page begins another donation", async () => {
  await donate();
  await seesThanks();
  await waitFor(() => expect(history.state.wizard).toMatchObject({ step: 5, depth: 0 }));
  cleanup();
  open();
  await seesThanks();
  cleanup();
  arriveBy("navigate");
  open();
  await screen.findByRole("heading", { name: "Your details" });
  expect(history.state.wizard).toMatchObject({ step: 1, depth: 0 });
});

test("DON-28: a guest is offered an account with what is known filled in, and no bank deposit", async () => {
  await donate();
  await seesThanks();
  expect(screen.queryByRole("heading", { name: "Donate by bank deposit" })).toBeNull();
  const link = screen.getByRole("link", { name: "Create an account" });
  expect(link.getAttribute("href")).toBe("/register");
  // No more than that: whoever left out the optional fields of a ticket order has further ones to fill in.
  expect(screen.getByText(/We’ve filled in/).textContent).toMatch(/ We’ve filled in your name and email\.$/);
  fireEvent.click(link);
  expect(takeKnownPerson()).toEqual({
    firstName: "Sana",
    lastName: "Malik",
    email: "sana@example.com",
    postcode: "2144",
  });
});

test("DON-28: the device shares the cause if it can, otherwise links, email or WhatsApp do, without a word about the donor", async () => {
  const writeText = vi.fn(async () => undefined);
  vi.stubGlobal("navigator", Object.assign(Object.create(navigator), { clipboard: { writeText } }));
  await donate();
  await seesThanks();
  press("Copy link");
  await waitFor(() => expect(told.showToast).toHaveBeenCalledWith("Copied the link"));
  expect(writeText).toHaveBeenCalledWith(`${location.origin}/`);
  const shared = [/^Email$/, /^WhatsApp/].map((name) => screen.getByRole("link", { name }).getAttribute("href"));
  const text = encodeURIComponent(`I donated to ${organisation.name}. See what they do: ${location.origin}/`);
  expect(shared).toEqual([`mailto:?body=${text}`, `https://wa.me/?text=${text}`]);
});

test("DON-28: the device's own list of apps takes the text and the address", async () => {
  const share = vi.fn(async () => undefined);
  vi.stubGlobal("navigator", Object.assign(Object.create(navigator), { share }));
  await donate();
  await seesThanks();
  press("Share");
  expect(share).toHaveBeenCalledWith({
    text: `I donated to ${organisation.name}. See what they do:`,
    url: `${location.origin}/`,
  });
  expect(screen.queryByRole("button", { name: "Copy link" })).toBeNull();
});

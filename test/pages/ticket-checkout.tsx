import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, vi } from "vitest";
import type { TicketEvent } from "#features/tickets/contract.ts";
import { draftName } from "#features/tickets/draft.ts";
import { CheckoutPage } from "#features/tickets/ui/checkout/checkout-page.tsx";
// The page loads these steps later; loaded here, no test waits for them.
import "#features/tickets/ui/checkout/lazy-payment-steps.tsx";
import { showAlert, showToast, whileLoading } from "#shared/ui/feedback.ts";
import { stubProviders } from "#test/pages/providers.ts";
import { serve } from "./ticket-server.ts";

/** What the page did outside itself. */
export const told = { showAlert, showToast, whileLoading, leave: vi.fn<(path: string) => void>() };

vi.mock("#shared/ui/feedback.ts", () => ({
  endToast: vi.fn(),
  showToast: vi.fn(),
  showAlert: vi.fn(() => Promise.resolve()),
  whileLoading: vi.fn((work: Promise<unknown>) => work),
}));
// The widget needs a web worker, which jsdom lacks; the journeys use the real one.
vi.mock("#shared/captcha/ui/altcha-box.tsx", () => ({
  AltchaBox: ({ challengeUrl, onSolved }: { challengeUrl: string; onSolved(payload: string): void }) => (
    <button type="button" data-challenge={challengeUrl} onClick={() => onSolved("c29sdmVk")}>
      I'm not a robot
    </button>
  ),
}));

const organisation = {
  name: "Chashma Foundation Australia",
  abn: "99 000 000 000",
  phone: "1300 000 000",
  email: "help@chashma.example",
  registration: { label: "Our entry on the charity register", url: "https://www.acnc.gov.au/charity/charities" },
};
const type = (code: string, title: string, priceCents: number) => ({
  code,
  title,
  description: "",
  priceCents,
  left: 9,
  limitPerOrder: 9,
  state: "on_sale" as const,
  salesFrom: null,
  salesUntil: null,
});
const offer: TicketEvent = {
  slug: "gala",
  title: "Gala dinner",
  when: "Saturday 3 May 2031 8:00 PM (UTC+10)",
  place: "Town Hall",
  startsAt: "2031-05-03T10:00:00Z",
  endsAt: "2031-05-03T13:00:00Z",
  timeZone: "Australia/Sydney",
  state: "on_sale",
  types: [type("vip", "VIP Seat", 10_000), type("standard", "Standard Seat", 5_000)],
  hasCodes: true,
  access: "",
  holdSeconds: 900,
  offerHours: 24,
  ticketKey: "",
};

const chosen = {
  event: "gala",
  lines: [
    { type: "vip", quantity: 1 },
    { type: "standard", quantity: 1 },
  ],
};

beforeEach(() => {
  sessionStorage.clear();
  history.replaceState(null, "");
  document.title = "Tickets checkout | Chashma";
  choose();
  stubProviders();
  serve();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

/** Stores what the previous page would have stored. */
export function choose(more: object = {}) {
  sessionStorage.setItem(draftName("gala"), JSON.stringify({ ...chosen, ...more }));
}
export const kept = () => JSON.parse(sessionStorage.getItem(draftName("gala")) ?? "null");

const countries = ["Australia", "Pakistan"];
const pageOf = (own: TicketEvent) => (
  <CheckoutPage organisation={organisation} offer={own} slug="gala" countries={countries} leave={told.leave} />
);
export const page = pageOf(offer);
export const open = () => render(page);
/** The checkout of tickets that cost nothing. */
export const openFree = () =>
  render(pageOf({ ...offer, types: offer.types.map((each) => ({ ...each, priceCents: 0 })) }));
export const button = (name: string | RegExp) => screen.getByRole("button", { name });
export const press = (name: string | RegExp) => fireEvent.click(button(name));
export const isOff = (name: string | RegExp) => button(name).getAttribute("aria-disabled") === "true";
export const heading = (name: string | RegExp) => screen.findByRole("heading", { level: 1, name });
export const fill = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
export const clock = () => screen.findByRole("timer");

export function fillBuyer() {
  fill("Email", "sana@example.com");
  fill("First Name", "Sana");
  fill("Last Name", "Malik");
}

export async function reachCard() {
  open();
  await clock();
  fillBuyer();
  fireEvent.click(await screen.findByRole("button", { name: "I'm not a robot" }));
  await waitFor(() => expect(isOff("Pay $150.00")).toBe(false));
}

export async function payByCard() {
  await reachCard();
  press("Pay $150.00");
}

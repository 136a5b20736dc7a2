import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, vi } from "vitest";
import type { Charity } from "#features/donations/ui/donate/bank-card.tsx";
import { DonationPage } from "#features/donations/ui/donate/donation-page.tsx";
import { keepDraft } from "#features/donations/ui/donate/draft-storage.ts";
// The page loads these steps later; loaded here, no test waits for them.
import "#features/donations/ui/donate/lazy-donation-steps.tsx";
import { showAlert, showToast, whileLoading } from "#shared/ui/feedback.ts";
import { stubProviders } from "#test/pages/providers.ts";
import { serve } from "./donation-server.ts";

/** What the page did outside itself. */
export const told = { showAlert, showToast, whileLoading };

vi.mock("#shared/ui/feedback.ts", () => ({
  endToast: vi.fn(),
  showToast: vi.fn(),
  showAlert: vi.fn(() => Promise.resolve()),
  whileLoading: vi.fn((work: Promise<unknown>) => work),
}));
// The widget needs a web worker, which jsdom lacks; the journeys use the real one.
vi.mock("#shared/captcha/ui/altcha-box.tsx", () => ({
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

export const organisation: Charity = {
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

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, "");
  arriveBy("reload");
  stubProviders();
  serve();
});
afterEach(async () => {
  await untilHistoryRests();
  cleanup();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

/** How the browser says that it came to the page, which jsdom doesn't. */
export function arriveBy(type: NavigationTimingType) {
  performance.getEntriesByType = () => [{ type } as PerformanceNavigationTiming];
}

/** After a payment or refund, the page still goes back in the history. */
async function untilHistoryRests() {
  const isOver = screen.queryByRole("heading", { level: 1, name: /^Thank you|was refunded$/ }) !== null;
  if (isOver) await waitFor(() => expect(history.state.wizard.depth ?? 0).toBe(0));
}

export const page = <DonationPage organisation={organisation} />;
export const open = () => render(page);
export const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
export const choose = (label: string, option: string) => {
  const select = screen.getByLabelText<HTMLSelectElement>(label);
  const { value } = within(select).getByRole<HTMLOptionElement>("option", { name: option });
  fireEvent.change(select, { target: { value } });
};
export const button = (name: string | RegExp) => screen.getByRole("button", { name });
export const press = (name: string | RegExp) => fireEvent.click(button(name));
export const isOff = (name: string | RegExp) => button(name).getAttribute("aria-disabled") === "true";
/** The sentence beside a disabled button. */
export const reasonOf = (name: string) =>
  document.getElementById(button(name).getAttribute("aria-describedby") ?? "")?.textContent;
export const heading = (name: string | RegExp) => screen.findByRole("heading", { level: 1, name });

export async function fillPersonal() {
  open();
  type("First Name", "Sana");
  type("Last Name", "Malik");
  type("Email", "sana@example.com");
  type("Post Code", "2144");
  await waitFor(() => expect(isOff("Next")).toBe(false));
  press("Next");
  await screen.findByRole("heading", { name: "Choose what to give to" });
}

export async function give100ToZakat() {
  await fillPersonal();
  choose("Donation category", "Zakat");
  type("Your amount", "100");
  press("Add Donation");
}

/** Step 4 with $100 of Zakat, opened like a page that was reloaded there; `donation-page.test.tsx` goes over the steps. */
export async function reachPreview(method: "Credit card" | "PayPal" = "Credit card") {
  const personal = { firstName: "Sana", lastName: "Malik", email: "sana@example.com", postcode: "2144" };
  const zakat = { categoryId: 1, category: "Zakat", subcategory: "", quantity: 1, unitCents: 10_000, onBehalfOf: [] };
  keepDraft({
    userId: 0,
    personal: { ...personal, isAnonymous: false },
    lines: [zakat],
    coversAdminFee: true,
    method: method === "PayPal" ? "pp" : "cc",
    payment: undefined,
  });
  const entry = { isChanging: false, depth: 0 };
  history.replaceState({ wizard: { ...entry, step: 1 } }, "");
  for (const step of [2, 3, 4]) {
    history.pushState({ wizard: { ...entry, step, from: step - 1, depth: step - 1 } }, "");
  }
  open();
  await screen.findByRole("heading", { name: /^Pay (by card|with PayPal)$/ });
}

/** The same over the steps, for browsers that keep nothing. */
export async function walkToPreview() {
  await give100ToZakat();
  press("Next");
  await screen.findByRole("heading", { name: "Choose how to pay" });
  press("Next");
  await heading(/Check your donation, then pay/);
}

export async function fillCard() {
  fireEvent.click(await screen.findByRole("button", { name: "I'm not a robot" }));
  await waitFor(() => expect(isOff(/^Donate \$/)).toBe(false));
}

export async function donate() {
  await reachPreview();
  await fillCard();
  press("Donate $106.58");
}

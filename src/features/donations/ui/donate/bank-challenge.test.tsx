// @vitest-environment jsdom

import { act, cleanup, screen, waitFor } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { longTest } from "#test/long-test.ts";
import { donate, heading, open, press } from "#test/pages/donation-page.tsx";
import { answerWith, paid, requests } from "#test/pages/donation-server.ts";
import { challenge, frame, token } from "#test/pages/providers.ts";
import { DRAFT_KEY } from "../../draft.ts";

const id = "0c9b4f3e-5f0a-4c55-9f0b-6a2d5f4f7a10";
const asks = paid(202, { error: "payment_processing", state: "action_required" });
const refuses = paid(402, { error: "payment_declined", message: "Your card was not accepted." });
const finishes = () => requests.filter(({ url }) => url === "/api/payway-3ds").map(({ body }) => body);

async function reachChallenge() {
  answerWith("/api/payway-payment", asks);
  await donate();
  await screen.findByRole("heading", { name: "Your bank asks you to confirm" });
  await waitFor(() => expect(challenge.shown).toBeDefined());
}

describe("the bank's question", () => {
  test("DON-18: opens the bank's page for this card in place of the form, has focus, and offers no way back", async () => {
    await reachChallenge();
    expect(challenge.shown?.singleUseTokenId).toBe(token);
    expect(challenge.shown).toMatchObject({ challengeMode: "callback", challengeWindowSize: "01" });
    expect([frame.made, frame.destroyed]).toEqual([1, 1]);
    expect(document.activeElement?.textContent).toBe("Your bank asks you to confirm");
    expect(screen.queryByRole("button", { name: /Previous|^Change|^Donate/ })).toBeNull();
    expect(JSON.parse(localStorage.getItem(DRAFT_KEY)!).payment.id).toBe(id);
    expect(localStorage.getItem(DRAFT_KEY)).not.toContain(token);
  });

  test.each(["onSuccess", "onFailure"] as const)(
    "DON-18: %s only makes the server ask the bank, and its answer counts",
    async (end) => {
      await reachChallenge();
      act(() => challenge.shown![end]());
      await heading("Thank you for your donation");
      expect(finishes()).toEqual([{ id, abandoned: false }]);
      await waitFor(() => expect(challenge.destroyed).toBe(1));
    },
  );

  test("DON-17, DON-18: a payment that the bank did not confirm fails, charges nothing and can be tried again", async () => {
    answerWith("/api/payway-3ds", refuses);
    await reachChallenge();
    act(() => challenge.shown!.onSuccess());
    await heading("Your payment did not go through");
    expect(document.body.textContent).toContain("Nothing was charged.");
    press("Try again");
    await heading(/Check your donation/);
    expect(await screen.findByText("I'm not a robot")).toBeDefined();
  });

  test("DON-18: Cancel payment cancels it once, with its own message", async () => {
    answerWith("/api/payway-3ds", refuses);
    await reachChallenge();
    press("Cancel payment");
    press("Cancel payment");
    await heading("Your payment did not go through");
    expect(screen.getByText("You cancelled this payment.")).toBeDefined();
    expect(screen.getByText("Nothing was charged.")).toBeDefined();
    expect(finishes()).toEqual([{ id, abandoned: true }]);
  });

  test("DON-18: without an answer for five minutes the payment is cancelled", async () => {
    answerWith("/api/payway-3ds", refuses);
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ["setTimeout", "clearTimeout"] });
    try {
      await reachChallenge();
      await act(() => vi.advanceTimersByTimeAsync(5 * 60_000));
      await heading("Your payment did not go through");
      expect(screen.getByText(/You didn’t answer your bank in time\.$/)).toBeDefined();
      expect(screen.getByText("Nothing was charged.")).toBeDefined();
      expect(finishes()).toEqual([{ id, abandoned: true }]);
    } finally {
      vi.useRealTimers();
    }
  });

  longTest("DON-18: a bank that still waits keeps its page, says so, and can be tried again", async () => {
    answerWith("/api/payway-3ds", asks);
    await reachChallenge();
    act(() => challenge.shown!.onSuccess());
    expect(await screen.findByText(/Your bank hasn’t confirmed this payment yet/)).toBeDefined();
    expect(document.querySelector("iframe")).not.toBeNull();
    await waitFor(() => expect(document.activeElement?.textContent).toBe("Try again"));
    press("Try again");
    await waitFor(() => expect(challenge.made).toBe(2));
    answerWith("/api/payway-3ds", async () => ({ status: 500, text: "" }));
    act(() => challenge.shown!.onSuccess());
    await heading("We are confirming your payment");
    await heading("Thank you for your donation");
  });

  test("DON-16, DON-18: an answer that is lost during the bank's challenge returns to its page", async () => {
    await reachChallenge();
    const asked = { id, state: "action_required", message: "" };
    answerWith("/api/payments/", async () => ({
      status: 200,
      text: JSON.stringify({ code: "200", status: "true", message: "", data: asked }),
    }));
    answerWith("/api/payway-3ds", () => Promise.reject(new TypeError("connection lost")));
    act(() => challenge.shown!.onSuccess());
    await heading("We are confirming your payment");
    await screen.findByRole("heading", { name: "Your bank asks you to confirm" });
    await waitFor(() => expect(challenge.made).toBe(2));
  });

  test("DON-18, DON-20: a reload loses the card token, so the payment is cancelled and can be tried again", async () => {
    await reachChallenge();
    cleanup();
    history.replaceState(null, "");
    const asked = { id, state: "action_required", message: "" };
    answerWith("/api/payments/", async () => ({
      status: 200,
      text: JSON.stringify({ code: "200", status: "true", message: "", data: asked }),
    }));
    answerWith("/api/payway-3ds", refuses);
    open();
    await heading("Your payment did not go through");
    expect(screen.getByText(/so this payment wasn’t completed\.$/)).toBeDefined();
    expect(screen.getByText("Nothing was charged.")).toBeDefined();
    expect(finishes()).toEqual([{ id, abandoned: true }]);
    press("Try again");
    await heading(/Check your donation/);
    expect((await screen.findByRole("table")).textContent).toContain("Zakat");
  });

  longTest(
    "DON-18: a window that finds a payment at its bank in another one waits, and does not give it up",
    async () => {
      const key = crypto.randomUUID();
      const held = { held: [{ name: `payment-${key}` }] };
      Object.assign(navigator, { locks: { query: async () => held, request: async () => undefined } });
      try {
        const payment = { key, id, totalCents: 10_658, email: "sana@example.com" };
        const personal = {
          firstName: "Sana",
          lastName: "Malik",
          email: payment.email,
          postcode: "2144",
          isAnonymous: false,
        };
        const draft = {
          version: 1,
          savedAt: Date.now(),
          userId: 0,
          personal,
          lines: [],
          coversAdminFee: true,
          payment,
        };
        localStorage.setItem(DRAFT_KEY, JSON.stringify(draft));
        let looks = 0;
        answerWith("/api/payments/", async () => {
          looks += 1;
          const state = looks === 1 ? "action_required" : "succeeded";
          const data = { id, state, message: "" };
          return { status: 200, text: JSON.stringify({ code: "200", status: "true", message: "", data }) };
        });
        open();
        await heading("We are confirming your payment");
        await heading("Thank you for your donation");
        expect(finishes()).toEqual([]);
      } finally {
        Reflect.deleteProperty(navigator, "locks");
      }
    },
  );

  test("DON-18: a page of the bank that does not load says so, and Try again opens it", async () => {
    challenge.error = { message: "no such token" };
    await reachChallenge();
    expect(await screen.findByText(/Your bank’s page didn’t load/)).toBeDefined();
    challenge.error = undefined;
    press("Try again");
    await waitFor(() => expect(challenge.made).toBe(2));
    expect(screen.queryByText(/did not load/)).toBeNull();
  });
});

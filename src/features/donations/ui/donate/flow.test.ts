import { describe, expect, test } from "vitest";
import type { PaymentVerdict } from "#payments/checkout/ui/outcome.ts";
import type { CartLine } from "../../cart.ts";
import { emptyFlow, type Flow, type FlowEvent, furthestDonationStep, reduceFlow } from "./flow.ts";

const line: CartLine = { category: "Zakat", subcategory: "", quantity: 1, unitCents: 10_000, onBehalfOf: [] };
const personal = {
  firstName: "Sana",
  lastName: "Malik",
  email: "sana@example.com",
  postcode: "2144",
  isAnonymous: false,
};
const payment = { key: crypto.randomUUID(), totalCents: 10_658, email: personal.email };
const id = crypto.randomUUID();

const play = (flow: Flow, ...events: FlowEvent[]) => events.reduce(reduceFlow, flow);
const on: FlowEvent = { type: "wentOn" };
const to = (step: 1 | 2 | 3 | 4, isChanging = false): FlowEvent => ({ type: "wentTo", place: { step, isChanging } });
const decided = (verdict: PaymentVerdict): FlowEvent => ({ type: "decided", verdict });
const atPreview = play(emptyFlow, { type: "typed", personal }, on, { type: "added", line }, on, on);

describe("steps", () => {
  test("DON-1: Next marks a step complete and advances", () => {
    expect(atPreview).toMatchObject({ step: 4, completed: [1, 2, 3] });
  });

  test("DON-1: Previous goes back and clears the marks from that step on", () => {
    expect(play(atPreview, to(3))).toMatchObject({ step: 3, completed: [1, 2] });
    expect(play(atPreview, to(1))).toMatchObject({ step: 1, completed: [] });
  });

  test("DON-1: Forward goes only as far as the completed steps", () => {
    expect(play(emptyFlow, to(3)).step).toBe(1);
    expect(play(emptyFlow, { type: "typed", personal }, to(4))).toMatchObject({ step: 2, completed: [1] });
    expect(furthestDonationStep(atPreview)).toBe(4);
  });

  test("DON-23: a Change link keeps the marks, and Next leads back to Preview", () => {
    const changing = play(atPreview, to(2, true));
    expect(changing).toMatchObject({ step: 2, isChanging: true, completed: [1, 2, 3] });
    expect(play(changing, on)).toMatchObject({ step: 4, isChanging: false, completed: [1, 2, 3] });
  });

  test("DON-8: lines are added, deleted and put back where they were", () => {
    const other = { ...line, category: "Sadaqah" };
    const two = play(emptyFlow, { type: "added", line }, { type: "added", line: other });
    const one = play(two, { type: "deleted", index: 0 });
    expect(one.lines).toEqual([other]);
    expect(play(one, { type: "restored", index: 0, line }).lines).toEqual(two.lines);
  });

  test("DON-20: a payment that is shown again has all steps behind it, as when it was sent", () => {
    expect(play(emptyFlow, { type: "reopened", payment }).completed).toEqual([1, 2, 3, 4]);
  });

  test("DON-20: a draft opens at the step that was open, if its answers lead there", () => {
    const draft = {
      version: 1 as const,
      savedAt: 0,
      userId: 0,
      personal,
      lines: [{ ...line, onBehalfOf: [] }],
      coversAdminFee: false,
      method: "pp" as const,
    };
    expect(play(emptyFlow, { type: "opened", draft, personal, step: 3 })).toMatchObject({
      step: 3,
      completed: [1, 2],
      coversAdminFee: false,
      method: "pp",
    });
    expect(play(emptyFlow, { type: "opened", draft: undefined, personal, step: 4 }).step).toBe(2);
  });
});

describe("the result", () => {
  const sent = play(atPreview, { type: "sent", payment });

  test("DON-16: a success is step 5 with every mark", () => {
    const verdict: PaymentVerdict = {
      kind: "succeeded",
      id,
      message: "Thank you",
      reference: undefined,
      receiptUrl: undefined,
    };
    expect(play(sent, decided(verdict))).toMatchObject({ step: 5, verdict, completed: [1, 2, 3, 4] });
  });

  test("DON-17: a failure forgets the payment, and another try has the cart again", () => {
    const failed = play(sent, decided({ kind: "failed", message: "Declined" }));
    expect(failed).toMatchObject({ step: 5, payment: undefined, lines: [line] });
    expect(play(failed, { type: "triedAgain" })).toMatchObject({ step: 4, verdict: undefined, lines: [line] });
  });

  test("DON-16: a refusal keeps the step, with its message", () => {
    const refusal = { kind: "refused", error: "too_many", message: "Too many tries.", fields: {} } as const;
    expect(play(sent, decided(refusal))).toMatchObject({ step: 4, refusal, payment: undefined });
  });

  test("DON-20: while it is being confirmed the payment is kept, with its id once that is known", () => {
    const confirming = play(sent, decided({ kind: "confirming", id }));
    expect(confirming).toMatchObject({ step: 5, payment: { ...payment, id } });
    expect(play(sent, decided({ kind: "confirming", id: undefined })).payment).toEqual(payment);
  });

  test("DON-13: card is the default, and what was chosen stays while the donation goes on", () => {
    expect(emptyFlow.method).toBe("cc");
    const chosen = play(atPreview, to(3), { type: "choseMethod", method: "pp" }, on);
    expect(chosen).toMatchObject({ step: 4, method: "pp" });
    expect(play(chosen, { type: "startedOver" }).method).toBe("cc");
  });

  test("DON-18: during the bank's challenge the step stays, the payment is kept, and nothing leads elsewhere", () => {
    const asked = play(sent, decided({ kind: "challenge", id }));
    expect(asked).toMatchObject({ step: 4, payment: { ...payment, id }, verdict: { kind: "challenge" } });
    expect(play(asked, to(3))).toBe(asked);
    expect(play(asked, to(1, true))).toBe(asked);
    const failed = play(asked, decided({ kind: "failed", message: "Not confirmed" }));
    expect(play(failed, { type: "triedAgain" })).toMatchObject({ step: 4, payment: undefined, verdict: undefined });
  });

  test("DON-22: nothing leads from a result back to paying the same donation, except another try after a failure", () => {
    const confirming = play(sent, decided({ kind: "confirming", id }));
    expect(play(confirming, to(4))).toBe(confirming);
    expect(play(confirming, to(1))).toBe(confirming);
  });
});

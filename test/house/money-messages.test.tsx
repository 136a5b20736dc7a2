import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { atStart } from "#features/tickets/ui/checkout/checkout-flow.ts";
import { HoldOver } from "#features/tickets/ui/checkout/hold-over.tsx";
import { LastFailure } from "#payments/checkout/ui/last-failure.tsx";
import { readPaymentAnswer } from "#payments/checkout/ui/outcome.ts";
import { RefusalMessage } from "#payments/checkout/ui/refusal-message.tsx";
import { moneyAfter, type Problem, problems } from "#shared/errors.ts";

const all = Object.keys(problems) as Problem[];
const textOf = (element: React.ReactElement) =>
  renderToStaticMarkup(element)
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, " ")
    .trim();
const sentencesOf = (text: string) => text.split(/(?<=[.!?]) /);

/** What a page shows of a payment that was refused with a problem; nothing where it is being confirmed. */
function show(problem: Problem): string | undefined {
  const { status, says: message } = problems[problem];
  const verdict = readPaymentAnswer({ ok: false, status, error: problem, message, money: moneyAfter(problem) });
  if (verdict.kind === "refused") return textOf(<RefusalMessage refusal={verdict} />);
  if (verdict.kind === "failed") return textOf(<LastFailure says={verdict.message} />);
  expect(verdict.kind, problem).toBe("confirming");
  return undefined;
}

test("API-14, DON-16: no problem speaks of money itself", () => {
  for (const problem of all) expect(problems[problem].says, problem).not.toMatch(/charged|payment was made|money/i);
});

test("DON-16: what stands against an earlier payment charged before, a failure of ours leaves the money unknown, all else untouched", () => {
  const before = ["key_reused", "just_given", "order_closed"];
  for (const problem of all) {
    const isOurs = problems[problem].status >= 500;
    const money = before.includes(problem) ? "charged_before" : isOurs ? "unknown" : "untouched";
    expect(moneyAfter(problem), problem).toBe(money);
  }
});

test("DON-16: of every problem a page says once what became of the money, and no sentence twice", () => {
  for (const problem of all) {
    const text = show(problem);
    const money = moneyAfter(problem);
    if (text === undefined) {
      expect(money, problem).toBe("unknown");
      continue;
    }
    const sentences = sentencesOf(text);
    expect(new Set(sentences).size, text).toBe(sentences.length);
    const about = sentences.filter((sentence) => /charged/.test(sentence));
    expect(about, text).toEqual([money === "untouched" ? "Nothing was charged." : "Nothing more was charged."]);
  }
});

test("DON-16, TIC-6: seats that could not be held were not charged, whatever the problem", () => {
  for (const problem of all) {
    const flow = { ...atStart, problem: { error: problem, message: problems[problem].says } };
    const text = textOf(<HoldOver flow={flow} slug="dinner" onHoldAgain={() => undefined} />);
    expect(text.match(/charged/g), text).toHaveLength(1);
  }
});

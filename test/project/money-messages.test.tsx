import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { allProblems } from "#app/feature.ts";
import { atStart } from "#features/tickets/ui/checkout/checkout-flow.ts";
import { HoldOver } from "#features/tickets/ui/checkout/hold-over.tsx";
import { LastFailure } from "#payments/checkout/ui/last-failure.tsx";
import { readPaymentAnswer } from "#payments/checkout/ui/outcome.ts";
import { RefusalMessage } from "#payments/checkout/ui/refusal-message.tsx";
import type { Problem } from "#shared/errors.ts";

const textOf = (element: React.ReactElement) =>
  renderToStaticMarkup(element)
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, " ")
    .trim();
const sentencesOf = (text: string) => text.split(/(?<=[.!?]) /);

/** What a page shows for a payment refused with a problem; nothing while it is being confirmed. */
function show({ name, status, text: message, money }: Problem): string | undefined {
  const verdict = readPaymentAnswer({ ok: false, status, error: name, message, money });
  if (verdict.kind === "refused") return textOf(<RefusalMessage refusal={verdict} />);
  if (verdict.kind === "failed") return textOf(<LastFailure text={verdict.message} />);
  expect(verdict.kind, name).toBe("confirming");
  return undefined;
}

test("API-14, DON-16: no problem's own sentence mentions money", () => {
  for (const { name, text: sentence } of allProblems)
    expect(sentence, name).not.toMatch(/charged|payment was made|money/i);
});

test("DON-16: a conflict with an earlier payment is charged_before, a failure of ours is unknown, and all else is untouched", () => {
  const before = ["key_reused", "just_given", "order_closed"];
  // A closed site refuses a request before anything reads it.
  const isFailure = ({ name, status }: Problem) => status >= 500 && name !== "being_set_up";
  for (const problem of allProblems) {
    const { name, money } = problem;
    const expected = before.includes(name) ? "charged_before" : isFailure(problem) ? "unknown" : "untouched";
    expect(money, name).toBe(expected);
  }
});

test("DON-16: for every problem a page says once what became of the money, and repeats no sentence", () => {
  for (const problem of allProblems) {
    const text = show(problem);
    const { name, money } = problem;
    if (text === undefined) {
      expect(money, name).toBe("unknown");
      continue;
    }
    const sentences = sentencesOf(text);
    expect(new Set(sentences).size, text).toBe(sentences.length);
    const about = sentences.filter((sentence) => /charged/.test(sentence));
    expect(about, text).toEqual([money === "untouched" ? "Nothing was charged." : "Nothing more was charged."]);
  }
});

test("DON-16, TIC-6: seats that could not be held were not charged, whatever the problem", () => {
  for (const { name, text: sentence } of allProblems) {
    const flow = { ...atStart, problem: { error: name, message: sentence } };
    const text = textOf(
      <HoldOver flow={flow} choicePath="/selectTickets?event=dinner" onHoldAgain={() => undefined} />,
    );
    expect(text.match(/charged/g), text).toHaveLength(1);
  }
});

import type { ReactNode } from "react";
import { FormRefusal as Shown } from "#shared/ui/form-error-summary.tsx";
import { type PaymentRefusal, withMoney } from "./outcome.ts";

/** Beside the pay button: why the payment was refused, whether anything was charged, and how to fix it. */
export function RefusalMessage({ refusal, remedy, tokenError }: RefusalMessageProps) {
  const message = tokenError ?? refusal?.message;
  if (message === undefined) return null;
  return (
    <Shown text={withMoney(message, tokenError === undefined ? refusal?.money : "untouched")} shownAt={message}>
      {tokenError === undefined && refusal !== undefined && (
        <>
          <FieldMessages refusal={refusal} />
          {remedy}
        </>
      )}
    </Shown>
  );
}

type RefusalMessageProps = {
  readonly refusal: PaymentRefusal | undefined;
  readonly remedy?: ReactNode;
  /** Why we couldn't read the card details. */
  readonly tokenError?: string | undefined;
};

function FieldMessages({ refusal }: { refusal: PaymentRefusal }) {
  const sentences = [...new Set(Object.values(refusal.fields).flat())].filter((text) => text !== refusal.message);
  if (sentences.length === 0) return null;
  return (
    <ul>
      {sentences.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

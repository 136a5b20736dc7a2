import { type ReactNode, useEffect, useRef } from "react";
import { Icon } from "#shared/ui/icon.tsx";
import { type Refusal, withMoney } from "./outcome.ts";

/** Beside the pay button: why the payment was refused, what that means for the money, and where to put it right. */
export function RefusalMessage({ refusal, remedy, tokenError }: RefusalMessageProps) {
  const box = useRef<HTMLDivElement>(null);
  const message = tokenError ?? refusal?.message;
  useEffect(() => {
    if (message !== undefined) box.current?.focus();
  }, [message]);
  if (message === undefined) return null;
  return (
    <div className="error-summary refusal" role="alert" tabIndex={-1} ref={box}>
      <p className="err">
        <Icon name="alert" />
        <span>{withMoney(message, tokenError === undefined ? refusal?.money : "untouched")}</span>
      </p>
      {tokenError === undefined && refusal !== undefined && (
        <>
          <FieldMessages refusal={refusal} />
          {remedy}
        </>
      )}
    </div>
  );
}

type RefusalMessageProps = {
  readonly refusal: Refusal | undefined;
  readonly remedy?: ReactNode;
  /** Why the card's details could not be read. */
  readonly tokenError?: string | undefined;
};

function FieldMessages({ refusal }: { refusal: Refusal }) {
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

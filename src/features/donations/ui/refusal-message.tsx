import { useEffect, useRef } from "react";
import { Icon } from "#shared/ui/icon.tsx";
import { wireField } from "../contract.ts";
import { isAboutMethod, type Refusal } from "./outcome.ts";
import type { Donation } from "./use-donation.ts";

/** Beside the pay button: why nothing was charged, and where to put it right. */
export function RefusalMessage({ donation, tokenError }: { donation: Donation; tokenError?: string | undefined }) {
  const { refusal } = donation.flow;
  const box = useRef<HTMLDivElement>(null);
  const message = tokenError ?? refusal?.message;
  useEffect(() => {
    if (message !== undefined) box.current?.focus();
  }, [message]);
  if (message === undefined) return null;
  const step = tokenError === undefined && refusal !== undefined ? stepOf(refusal) : undefined;
  return (
    <div className="error-summary refusal" role="alert" tabIndex={-1} ref={box}>
      <p className="err">
        <Icon name="alert" />
        <span>
          {message}
          {!message.includes("othing was charged") && " Nothing was charged."}
        </span>
      </p>
      {tokenError === undefined && refusal !== undefined && <FieldMessages refusal={refusal} />}
      {step !== undefined && (
        <button type="button" className="link-btn" onClick={() => donation.change(step)}>
          {changeNames[step]}
        </button>
      )}
    </div>
  );
}

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

const cartFields: readonly string[] = [
  wireField.totalCents,
  wireField.firstLineCategory,
  ...Object.values(wireField.line),
];

const changeNames = {
  1: "Change your personal details",
  2: "Change your donations",
  3: "Change payment method",
} as const;

/** The step at which it can be put right. */
function stepOf(refusal: Refusal): 1 | 2 | 3 | undefined {
  const { fields } = refusal;
  if (isAboutMethod(refusal)) return 3;
  const names = Object.keys(fields).filter((name) => name !== wireField.captcha);
  if (names.length === 0) return undefined;
  const isOfCart = (name: string) => name.startsWith(wireField.lines) || cartFields.includes(name);
  return names.some(isOfCart) ? 2 : 1;
}

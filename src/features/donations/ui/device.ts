import { DRAFT_KEY, type Draft, type Keepable, readDraft, writeDraft } from "../draft.ts";

// Storage may be switched off or full: the donation then lives as long as the page, which is no reason to stop anybody.

export function findDraft(userId: number): Draft | undefined {
  try {
    return readDraft(localStorage.getItem(DRAFT_KEY), { now: Date.now(), userId });
  } catch {
    return undefined;
  }
}

export function keepDraft(draft: Keepable): void {
  try {
    localStorage.setItem(DRAFT_KEY, writeDraft(draft, Date.now()));
  } catch {}
}

/** Tells this device's other windows that this one is busy with a payment, until the function that comes back is called. */
export function holdPayment(key: string): () => void {
  let release = () => {};
  const isOver = new Promise<void>((resolve) => {
    release = resolve;
  });
  navigator.locks?.request(lockOf(key), () => isOver).catch(() => undefined);
  return release;
}

/** Whether a window is busy with this payment; none is where browsers cannot tell. */
export async function isPaymentHeld(key: string): Promise<boolean> {
  const locks = await navigator.locks?.query().catch(() => undefined);
  return locks?.held?.some(({ name }) => name === lockOf(key)) ?? false;
}

const lockOf = (key: string) => `payment-${key}`;

export function dropDraft(): void {
  try {
    localStorage.removeItem(DRAFT_KEY);
  } catch {}
}

/** Marks a payment as in use by this window, for the device's other windows, until the returned function is called. */
export function holdPayment(key: string): () => void {
  let release = () => {};
  const isOver = new Promise<void>((resolve) => {
    release = resolve;
  });
  navigator.locks?.request(lockOf(key), () => isOver).catch(() => undefined);
  return release;
}

/** Whether a window is busy with this payment; false in browsers without Web Locks. */
export async function isPaymentHeld(key: string): Promise<boolean> {
  const locks = await navigator.locks?.query().catch(() => undefined);
  return locks?.held?.some(({ name }) => name === lockOf(key)) ?? false;
}

/** Resolves when no window is busy with this payment any more; immediately in browsers without Web Locks. */
export async function untilPaymentReleased(key: string): Promise<void> {
  await navigator.locks?.request(lockOf(key), () => undefined).catch(() => undefined);
}

const lockOf = (key: string) => `payment-${key}`;

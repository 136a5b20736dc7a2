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

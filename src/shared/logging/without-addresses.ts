/** A sentence of somebody else's program, without the e-mail addresses that it may repeat. */
export function withoutAddresses(text: string): string {
  return text.replace(/[^\s<>"'(),;:=/]+@[^\s<>"'(),;:/]+/g, "(address)");
}

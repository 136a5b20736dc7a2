import { pino } from "pino";

/** An error for the log: type, message and stack. Other fields may repeat whole rows and addresses (REL-4). */
export function describeError(error: Error) {
  const { type, message = "", stack = "", code, constraint } = pino.stdSerializers.err(error);
  return { type, message: withoutAddresses(message), stack: withoutAddresses(stack), code, constraint };
}

/** Removes email addresses from another program's message. */
export function withoutAddresses(text: string): string {
  return text.replace(/[^\s<>"'(),;:=/]+@[^\s<>"'(),;:/]+/g, "(address)");
}

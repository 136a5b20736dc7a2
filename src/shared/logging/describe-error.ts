import { pino } from "pino";
import { withoutAddresses } from "./without-addresses.ts";

/**
 * What the log keeps of an error: what it is, and where it came from. The rest of what databases and mail servers say
 * repeats whole rows and addresses (REL-4).
 */
export function describeError(error: Error) {
  const { type, message = "", stack = "", code, constraint } = pino.stdSerializers.err(error);
  return { type, message: withoutAddresses(message), stack: withoutAddresses(stack), code, constraint };
}

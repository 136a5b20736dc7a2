import { ticketPayload, writeToken } from "../ticket-token.ts";
import { ticketKey } from "./ticket-key.ts";

/**
 * The text of a ticket's QR code, the same whenever it is asked for.
 * @throws RangeError for numbers that four bytes do not hold, or a serial of other than eight bytes.
 */
export function signTicket(
  secretKey: string,
  ticket: { readonly eventId: number; readonly typeId: number; readonly serial: Uint8Array },
): string {
  const payload = ticketPayload(ticket);
  return writeToken(payload, ticketKey(secretKey).sign(payload));
}

import type { Answer } from "#shared/contract/envelope.ts";
import { ask, describeRefusal } from "#shared/ui/ask.ts";
import {
  cancelTicketsCall,
  findTicketOrderCall,
  HolderName,
  renameHolderCall,
  type TicketOrder,
} from "../../contract.ts";

// Loaded on demand, so that the order's page appears sooner.

/** The current order, or why the call failed. */
export type OrderOutcome =
  | { readonly isDone: true; readonly order: TicketOrder }
  | { readonly isDone: false; readonly text: string };
type Opened = Pick<TicketOrder, "id" | "key">;

export async function reloadOrder({ id, key }: Opened): Promise<OrderOutcome> {
  return outcomeOf(await ask(findTicketOrderCall, { params: { id }, query: { key } }));
}

/** Puts the typed name on a ticket, if the name is valid. */
export async function renameHolder({ id, key }: Opened, ticket: string, typed: string): Promise<OrderOutcome> {
  const name = HolderName.safeParse(typed);
  if (!name.success) return { isDone: false, text: name.error.issues[0]?.message ?? "" };
  return outcomeOf(await ask(renameHolderCall, { params: { id }, body: { key, ticket, name: name.data } }));
}

/** Cancels the tickets with these ids, and requests their refund. */
export async function cancelTickets({ id, key }: Opened, tickets: string[]): Promise<OrderOutcome> {
  return outcomeOf(await ask(cancelTicketsCall, { params: { id }, body: { key, tickets } }));
}

function outcomeOf(answer: Answer<TicketOrder>): OrderOutcome {
  if (answer.ok) return { isDone: true, order: answer.data };
  const [fault] = Object.values(answer.fields ?? {}).flat();
  return { isDone: false, text: fault ?? describeRefusal(answer) };
}

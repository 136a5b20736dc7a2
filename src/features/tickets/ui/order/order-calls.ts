import type { Answer } from "#shared/contract/envelope.ts";
import { ask, sayRefusal } from "#shared/ui/ask.ts";
import {
  cancelTicketsCall,
  findTicketOrderCall,
  HolderName,
  renameHolderCall,
  type TicketOrder,
} from "../../contract.ts";

// What an order's page asks the server. Fetched when it is needed: the page is there sooner without it.

/** The order as it stands now, or why it was not done. */
export type Outcome =
  | { readonly isDone: true; readonly order: TicketOrder }
  | { readonly isDone: false; readonly says: string };
type Opened = Pick<TicketOrder, "id" | "key">;

export async function findOrder({ id, key }: Opened): Promise<Outcome> {
  return outcomeOf(await ask(findTicketOrderCall, { params: { id }, query: { key } }));
}

export async function renameHolder({ id, key }: Opened, ticket: string, typed: string): Promise<Outcome> {
  const name = HolderName.safeParse(typed);
  if (!name.success) return { isDone: false, says: name.error.issues[0]?.message ?? "" };
  return outcomeOf(await ask(renameHolderCall, { params: { id }, body: { key, ticket, name: name.data } }));
}

export async function cancelTickets({ id, key }: Opened, tickets: string[]): Promise<Outcome> {
  return outcomeOf(await ask(cancelTicketsCall, { params: { id }, body: { key, tickets } }));
}

function outcomeOf(answer: Answer<TicketOrder>): Outcome {
  if (answer.ok) return { isDone: true, order: answer.data };
  const [fault] = Object.values(answer.fields ?? {}).flat();
  return { isDone: false, says: fault ?? sayRefusal(answer) };
}

import type { OrderKey } from "./ticket-calls.ts";

// The draft goes once an order is paid; what this entry of the browser's history shows stays, also after a reload.

export function findFinished(): OrderKey | undefined {
  const { id, key } = (history.state as { tickets?: Partial<OrderKey> } | null)?.tickets ?? {};
  return typeof id === "string" && typeof key === "string" ? { id, key } : undefined;
}

export function keepFinished({ id, key }: OrderKey): void {
  history.replaceState({ tickets: { id, key } }, "");
}

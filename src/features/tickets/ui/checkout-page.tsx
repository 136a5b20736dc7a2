import type { Organisation } from "#shared/organisation.ts";
import type { TicketEvent } from "../contract.ts";

type Charity = Pick<Organisation, "name" | "abn" | "phone" | "email" | "registration">;

export const CheckoutPage = (_: { organisation: Charity; offer: TicketEvent; slug: string }) => (
  <h1>Tickets checkout</h1>
);

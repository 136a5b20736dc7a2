import type pg from "pg";
import { paidStates } from "#payments/states.ts";

/**
 * The differences between seats, tickets and money: empty lists when all is well. Every paid attempt has valid tickets or
 * refunds for all it took, every counter equals the sum of orders and tickets, and no type exceeds its capacity.
 */
export async function compareTickets(pool: pg.Pool) {
  const list = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows;
  return {
    moneyWithoutTickets: await list(
      `select a.order_reference, a.amount_cents, a.state, o.state as order_state, t.cents as tickets, r.cents as refunds
         from payment_attempts a
         join ticket_orders o on o.id = a.ticket_order_id
         cross join lateral (
           select coalesce(sum(l.price_cents - k.discount_cents), 0) as cents from tickets k
             join ticket_order_lines l on l.order_id = k.order_id and l.type_id = k.type_id
            where k.order_id = o.id and k.cancelled_at is null and o.paid_attempt_id = a.id) t
         cross join lateral (
           select coalesce(sum(amount_cents), 0) as cents,
                  coalesce(sum(amount_cents) filter (where requested_by = 'staff'
                    and not exists (select from tickets where refund_id = refunds.id)), 0) as staff
             from refunds where attempt_id = a.id and state <> 'failed') r
        where a.state = any($1)
          -- What staff give back out of goodwill leaves the tickets as they are.
          and t.cents + r.cents <> a.amount_cents and t.cents + r.cents - r.staff <> a.amount_cents`,
      [paidStates],
    ),
    ticketsWithoutMoney: await list(
      `select k.id, o.state from tickets k join ticket_orders o on o.id = k.order_id
         left join payment_attempts a on a.id = o.paid_attempt_id
        where k.cancelled_at is null and (o.state <> 'paid' or case o.paid_by when 'online'
          then a.state is null or a.state <> all($1) else o.total_cents > 0 end)`,
      [paidStates],
    ),
    codesUsedTooOften: await list(
      `select code, most_uses, count_uses(id) as uses from discount_codes where count_uses(id) > most_uses`,
    ),
    countersThatDiffer: await list(
      `select t.id, t.code, t.capacity, t.sold, t.held, k.issued, l.promised from ticket_types t
         cross join lateral (select count(*)::integer as issued from tickets where type_id = t.id and cancelled_at is null) k
         cross join lateral (
           select coalesce(sum(quantity), 0)::integer as promised from ticket_order_lines l
             join ticket_orders o on o.id = l.order_id where l.type_id = t.id and o.state = 'held') l
        where t.sold <> k.issued or t.held <> l.promised or t.sold + t.held > t.capacity`,
    ),
  };
}

export const ticketsAgree: Awaited<ReturnType<typeof compareTickets>> = {
  moneyWithoutTickets: [],
  ticketsWithoutMoney: [],
  codesUsedTooOften: [],
  countersThatDiffer: [],
};

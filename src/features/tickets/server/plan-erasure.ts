import { sql } from "kysely";
import { listUndecided, paymentsAreOver, planPayments } from "#payments/retention.ts";
import type { Connection } from "#shared/database/connect.ts";
import { formatKeptUntil, plural } from "#shared/language.ts";
import { columns, type ErasurePlan, isOf, type KeptData, type Person } from "#shared/retention/retention.ts";

type Planned = {
  readonly id: string;
  readonly reference: string;
  readonly event: string;
  readonly endsAt: Date;
  readonly orderedAt: Date;
  /** Its tickets can still be used. */
  readonly isAhead: boolean;
  readonly isOver: boolean;
  readonly isErased: boolean;
  readonly hasTrace: boolean;
};

/** What erasing a person does to their ticket orders. */
export async function planErasure(
  connection: Connection,
  person: Person,
  { now }: { readonly now: Date },
): Promise<ErasurePlan | null> {
  const { rows } = await sql<Planned>`
    select ticket_orders.id, reference, events.title as event, ends_at as "endsAt", created_at as "orderedAt",
           ends_at >= ${now} and ticket_orders.state = 'paid' as "isAhead", coalesce(email, '') = '' as "isErased",
           ${paymentsAreOver({ by: "ticket_order_id", id: "ticket_orders.id" })} as "isOver",
           browser_id is not null or network_hash is not null as "hasTrace"
      from ticket_orders join events on events.id = event_id
     where ${isOf(person)} order by created_at, ticket_orders.id`.execute(connection);
  if (rows.length === 0) return null;
  const named = rows.filter(({ isErased }) => !isErased);
  const gone = named.filter(({ isOver, isAhead }) => isOver && !isAhead).length;
  const ids = rows.map(({ id }) => id);
  const erases = plural(gone, {
    one: "Name, email address, phone and address of their ticket order, and the names on its tickets",
    other: `Name, email address, phone and address of their ${gone} ticket orders, and the names on the tickets`,
  });
  const keeps = [
    ...named.filter(({ isAhead }) => isAhead).map(describeAhead),
    ...describeLater(named.filter(({ isOver, isAhead }) => !isOver && !isAhead).length),
    ...describeTraces(rows.filter(({ hasTrace }) => hasTrace)),
    ...(await planPayments(connection, "ticket_order_id", ids)),
    {
      what: "What was ordered, when and for how much, on our books",
      until: "for good",
      why: "The books must stay complete.",
      columns: [],
    },
  ];
  const purchases = rows.map(({ id, reference }) => ({
    id,
    name: `ticket order ${reference}`,
    path: `/admin/orders/${id}`,
  }));
  const obstacles = await listUndecided(connection, "ticket_order_id", purchases);
  return { title: "Ticket orders", erases: gone === 0 ? [] : [erases], keeps, obstacles };
}

const buyer = [
  ...columns("ticket_orders", "email", "first_name", "last_name", "country", "phone", "address", "postcode", "suburb"),
  ...columns("tickets", "holder_name"),
  ...columns("refunds", "reason"),
  ...columns("refund_requests", "reason", "decision_reason"),
  ...columns("refunds_by_hand", "note"),
];

const describeAhead = ({ reference, event, endsAt }: Planned): KeptData => ({
  what: `Order ${reference} for “${event}”, with the buyer and the names on the tickets`,
  until: `${formatKeptUntil(endsAt)}, when the event is over; then they are erased automatically`,
  why: "The tickets stay valid until then.",
  columns: buyer,
});

function describeLater(count: number): KeptData[] {
  if (count === 0) return [];
  const what = plural(count, {
    one: "The details of an order whose payment is not over",
    other: `The details of ${count} orders whose payments are not over`,
  });
  return [
    {
      what,
      until: "until it is decided; then they are erased automatically",
      why: "The bank may still charge, return or dispute the payment.",
      columns: buyer,
    },
  ];
}

function describeTraces(rows: readonly Planned[]): KeptData[] {
  const latest = rows.at(-1)?.orderedAt;
  if (latest === undefined) return [];
  return [
    {
      what: "Codes of the browser and the network that held the seats",
      until: formatKeptUntil(latest, { days: 30 }),
      why: "So that nobody can take all seats without paying.",
      columns: columns("ticket_orders", "browser_id", "network_hash"),
    },
  ];
}

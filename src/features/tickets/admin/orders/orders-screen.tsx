import type { SavedFilter } from "#admin/saved-filters.ts";
import { screen } from "#admin/screen.ts";
import {
  AppliedFilters,
  addressWith,
  ExportMenu,
  Filters,
  Pager,
  SavedFilters,
  SearchFilter,
  SelectFilter,
  TypedFilter,
} from "#admin/ui/filters.tsx";
import { Empty } from "#admin/ui/note.tsx";
import { ownTabs, SaveFilter } from "#admin/ui/own-filters.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { RefundableStatus } from "#admin/ui/refundable-status.tsx";
import { describeWhen } from "#admin/ui/when.tsx";
import { formatDay, formatDollars, formatNumber } from "#shared/language.ts";
import type { ListedOrder } from "../../server/staff/list-orders.ts";
import { orderStates } from "../../server/staff/order-filter.ts";
import { buyerName, describeOrder } from "./order-words.ts";
import type { OrderList } from "./orders-part.ts";
import { type OrderFilterName, orderFilterNames } from "./read-filter.ts";

const PATH = "/admin/orders";

type Data = { readonly list: OrderList; readonly saved: readonly SavedFilter[]; readonly now: Date };

/** `/admin/orders`: ticket orders whose buyer has sent a payment, newest first. */
export const ordersScreen = screen<Data>({
  path: PATH,
  right: "orders.see",
  section: "donations",
  menuLabel: "Ticket orders",
  async load(reads, { query, staff }) {
    const [list, saved] = await Promise.all([
      reads.readOrders(query, staff!),
      reads.listSavedFilters(staff!.id, "/admin/orders"),
    ]);
    return { list, saved, now: reads.now() };
  },
  title: () => "Ticket orders",
  body: (data) => <Body {...data} />,
});

function Body({ list, saved, now }: Data) {
  const { typed, applied, rows } = list;
  if (rows.length === 0 && applied.length === 0 && list.newer === null) {
    return (
      <>
        <PageHead title="Ticket orders" />
        <Empty title="The first order will stand here">
          <p>Once somebody buys tickets, you can find the order, send its tickets again, and refund them.</p>
        </Empty>
      </>
    );
  }
  const described = describeApplied(list);
  const own = { list: PATH, saved, typed } as const;
  const place = (name: "older" | "newer", at: string | null) => at && addressWith(PATH, { ...typed, [name]: at });
  return (
    <>
      <PageHead title="Ticket orders">
        {list.mayExport && <ExportMenu path={PATH} names={orderFilterNames} typed={list.typed} />}
      </PageHead>
      <SavedFilters label="Saved filters" saved={[...listSaved(typed), ...ownTabs(own)]} />
      <OrderFilters list={list} />
      <AppliedFilters
        path={PATH}
        applied={described.map(({ label, names }) => ({
          label,
          without: addressWith(PATH, { ...typed, ...Object.fromEntries(names.map((name) => [name, ""])) }),
        }))}
      >
        <SaveFilter {...own} words={described.map(({ label }) => label)} />
      </AppliedFilters>
      {rows.length === 0 ? (
        <Empty title={applied.length > 1 ? "No order fits all of this" : "No order fits this"}>
          <div className="acts">
            <a className="btn" href={PATH}>
              See all orders
            </a>
          </div>
        </Empty>
      ) : (
        <>
          <Sums list={list} />
          <OrderTable rows={rows} now={now} isFiltered={applied.length > 0} />
          <Pager
            label="Pages of orders"
            newer={place("newer", list.newer)}
            older={place("older", list.older)}
            printed={list.sums ? `This page has ${rows.length} of ${formatNumber(list.sums.count)} orders.` : undefined}
          />
        </>
      )}
    </>
  );
}

function listSaved(typed: OrderList["typed"]) {
  const saved: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ["All", {}],
    ...Object.entries(orderStates).map(([state, label]) => [label, { state }] as const),
  ];
  return saved.map(([label, query]) => ({
    label,
    path: addressWith(PATH, query),
    isHere: orderFilterNames.every((name) => typed[name] === (query[name] ?? "")),
  }));
}

function OrderFilters({ list: { typed, errors, events } }: { list: OrderList }) {
  return (
    <Filters label="Ticket orders" path={PATH}>
      <SearchFilter value={typed.q} placeholder="Name, email, reference or ticket number" errors={errors} />
      <SelectFilter
        name="event"
        label="Event"
        value={typed.event}
        options={[
          { value: "", label: "Any event" },
          ...events.map(({ id, title }) => ({ value: String(id), label: title })),
        ]}
        errors={errors}
      />
      <SelectFilter
        name="state"
        label="State"
        value={typed.state}
        options={[
          { value: "", label: "Any state" },
          ...Object.entries(orderStates).map(([value, label]) => ({ value, label })),
        ]}
        errors={errors}
      />
      <TypedFilter name="from" label="From" value={typed.from} type="date" errors={errors} />
      <TypedFilter name="to" label="To" value={typed.to} type="date" errors={errors} />
    </Filters>
  );
}

type Applied = { readonly label: string; readonly names: readonly OrderFilterName[] };

/** The filters that apply, in words. */
function describeApplied({ filter, typed, applied, events }: OrderList): Applied[] {
  const has = (name: OrderFilterName) => applied.includes(name);
  const described: readonly (Applied | false)[] = [
    has("q") && { label: `“${typed.q}”`, names: ["q"] },
    filter.eventId !== null && {
      label: events.find(({ id }) => id === filter.eventId)?.title ?? typed.event,
      names: ["event"],
    },
    filter.state !== null && { label: orderStates[filter.state], names: ["state"] },
    has("from") && { label: `From ${formatDay(typed.from)}`, names: ["from"] },
    has("to") && { label: `Until ${formatDay(typed.to)}`, names: ["to"] },
  ];
  return described.filter((each) => each !== false);
}

/** The sums of all orders that the filter finds. */
function Sums({ list: { sums, applied } }: { list: OrderList }) {
  if (sums === null) {
    return (
      <p className="chips" id="sums">
        <b>More than 10,000 orders.</b>{" "}
        <span className="muted">Up to 10,000 are added up: choose a shorter time, or another filter.</span>
      </p>
    );
  }
  const figures = [
    [applied.length > 0 ? "Orders found" : "Orders", formatNumber(sums.count)],
    ["Valid tickets", formatNumber(sums.tickets)],
    ["Paid", formatDollars(sums.paidCents)],
    ["Refunded", formatDollars(sums.refundedCents)],
    ["Kept", formatDollars(sums.paidCents - sums.refundedCents)],
    ...(sums.takenCents > 0 ? ([["Taken at the door", formatDollars(sums.takenCents)]] as const) : []),
    ...(sums.toGiveBackCents > 0
      ? ([["Taken for cancelled tickets", formatDollars(sums.toGiveBackCents)]] as const)
      : []),
  ] as const;
  return (
    <dl className="sums" id="sums">
      {figures.map(([name, figure]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

function OrderTable({ rows, now, isFiltered }: { rows: readonly ListedOrder[]; now: Date; isFiltered: boolean }) {
  return (
    <div className="tw">
      <table className="cards">
        <caption className="sr">
          {isFiltered ? "The ticket orders found, newest first" : "Ticket orders, newest first"}
        </caption>
        <thead>
          <tr>
            <th scope="col" aria-sort="descending">
              When
            </th>
            <th scope="col">Buyer</th>
            <th scope="col">Event</th>
            <th scope="col" className="num">
              Tickets
            </th>
            <th scope="col">State</th>
            <th scope="col" className="num">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((order) => (
            <Row order={order} now={now} key={order.id} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ order, now }: { order: ListedOrder; now: Date }) {
  const { id, at, name, email, event, tickets, cancelled, totalCents, takenCents } = order;
  return (
    <tr data-id={id}>
      <td className="m-c nowrap tn">{describeWhen(at, now)}</td>
      <th scope="row" className="k-c">
        <a className="k" href={`${PATH}/${id}`}>
          <bdi>{buyerName(name, email)}</bdi>
        </a>
        {email !== "" && name !== "" && (
          <span className="two-l em">
            <bdi>{email}</bdi>
          </span>
        )}
      </th>
      <td className="m-c">
        <bdi>{event}</bdi>
      </td>
      <td className="num no-c">{cancelled === 0 ? tickets : `${tickets - cancelled} of ${tickets}`}</td>
      <td className="s-c">
        <RefundableStatus state={describeOrder(order, now)} refundRequest={order.refundRequest} />
      </td>
      <td className="num v-c">
        {formatDollars(totalCents + takenCents)}
        {takenCents > 0 && <span className="two-l"> taken at the door</span>}
      </td>
    </tr>
  );
}

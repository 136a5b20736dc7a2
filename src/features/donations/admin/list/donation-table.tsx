import { ChooseAll, ChooseRow } from "#admin/ui/choose-rows.tsx";
import { addressWith } from "#admin/ui/filters.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { RefundableStatus } from "#admin/ui/refundable-status.tsx";
import { dayInSydney, formatDollars, formatMoment, formatTime, plural } from "#shared/language.ts";
import { ANONYMOUS_DONOR } from "../../donor.ts";
import { type DonationOrder, orders } from "../../server/search/donation-order.ts";
import { methodWords } from "./filter-words.ts";
import type { DonationList, DonationRow } from "./list-screen.ts";
import { writeOrder } from "./read-filter.ts";

const timeZone = "Australia/Sydney";

type Props = { readonly list: DonationList; readonly isFiltered: boolean; readonly mayChoose: boolean };

export function DonationTable({ list, isFiltered, mayChoose }: Props) {
  const { rows, now, order } = list;
  const thisYear = dayInSydney(now).slice(0, 4);
  return (
    <div className="tw">
      <table className="cards">
        <caption className="sr">
          {isFiltered ? "The donations found" : "Donations"}, {orders[order].label.toLowerCase()}
        </caption>
        <thead>
          <tr>
            {mayChoose && <ChooseAll />}
            <SortHead list={list} first="newest" then="oldest">
              When
            </SortHead>
            <th scope="col">Donor</th>
            <th scope="col">For</th>
            <th scope="col">Paid by</th>
            <th scope="col">Receipt</th>
            <th scope="col">State</th>
            <SortHead list={list} first="largest" then="smallest" className="num">
              Amount
            </SortHead>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row row={row} thisYear={thisYear} mayChoose={mayChoose} key={row.id} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A head whose link sorts by its column, and then the other way round. */
function SortHead({
  list: { typed, order },
  first,
  then,
  className,
  children,
}: {
  list: DonationList;
  first: DonationOrder;
  then: DonationOrder;
  className?: string;
  children: string;
}) {
  const sort = order === first ? then : first;
  const isHere = order === first || order === then;
  const direction = orders[order].isDescending ? "descending" : "ascending";
  return (
    <th scope="col" className={className} aria-sort={isHere ? direction : undefined}>
      <a
        className="sort"
        href={addressWith("/admin/donations", { ...typed, sort: writeOrder(sort) })}
        title={orders[sort].label}
      >
        {children}
        {isHere && <Icon name="sort" />}
      </a>
    </th>
  );
}

function Row({ row, thisYear, mayChoose }: { row: DonationRow; thisYear: string; mayChoose: boolean }) {
  const { id, at, name, email, isAnonymous, gifts, method, receipt, totalCents } = row;
  const donor = isAnonymous ? ANONYMOUS_DONOR : name || email || "Erased";
  const isThisYear = dayInSydney(at).startsWith(thisYear);
  const day = formatMoment(at, {
    day: "numeric",
    month: "short",
    ...(isThisYear ? {} : { year: "numeric" }),
    timeZone,
  });
  return (
    <tr data-id={id}>
      {mayChoose && <ChooseRow id={id} name={`${donor}, ${formatDollars(totalCents)}`} cents={totalCents} />}
      <td className="m-c nowrap tn">
        {day}
        <span className="faint">, {formatTime(at, timeZone).toLowerCase()}</span>
      </td>
      <th scope="row" className="k-c">
        <a className="k" href={`/admin/donations/${id}`}>
          <bdi>{donor}</bdi>
        </a>
        {email !== "" && name !== "" && (
          <span className="two-l em">
            <bdi>{email}</bdi>
          </span>
        )}
      </th>
      <td className="m-c">
        <Gifts gifts={gifts} />
      </td>
      <td className="no-c">{methodWords[method]}</td>
      <td className="no-c tn nowrap">{receipt}</td>
      <td className="s-c">
        <RefundableStatus {...row} />
      </td>
      <td className="num v-c">{formatDollars(totalCents)}</td>
    </tr>
  );
}

/** 'Zakat', or 'Zakat and 1 more'. */
function Gifts({ gifts: [first, ...more] }: { gifts: readonly string[] }) {
  if (first === undefined) return null;
  const title =
    first === "Not shown" ? (
      <>
        <Icon name="lock" /> Not shown
      </>
    ) : (
      first
    );
  if (more.length === 0) return title;
  return plural(more.length, {
    one: <>{title} and 1 more</>,
    other: (
      <>
        {title} and {more.length} more
      </>
    ),
  });
}

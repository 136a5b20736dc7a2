import { Icon } from "#admin/ui/icon.tsx";
import { RefundableStatus } from "#admin/ui/refundable-status.tsx";
import { dayInSydney, formatDollars, formatMoment, formatTime, plural } from "#shared/language.ts";
import { methodWords } from "./filter-words.ts";
import type { DonationList, DonationRow } from "./list-screen.ts";

const timeZone = "Australia/Sydney";

export function DonationTable({ list: { rows, now }, isFiltered }: { list: DonationList; isFiltered: boolean }) {
  const thisYear = dayInSydney(now).slice(0, 4);
  return (
    <div className="tw">
      <table className="cards">
        <caption className="sr">{isFiltered ? "The donations found, newest first" : "Donations, newest first"}</caption>
        <thead>
          <tr>
            <th scope="col" aria-sort="descending">
              When
            </th>
            <th scope="col">Donor</th>
            <th scope="col">For</th>
            <th scope="col">Paid by</th>
            <th scope="col">Receipt</th>
            <th scope="col">State</th>
            <th scope="col" className="num">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row row={row} thisYear={thisYear} key={row.id} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row, thisYear }: { row: DonationRow; thisYear: string }) {
  const { id, at, name, email, isAnonymous, gifts, method, receipt, totalCents } = row;
  const isThisYear = dayInSydney(at).startsWith(thisYear);
  const day = formatMoment(at, {
    day: "numeric",
    month: "short",
    ...(isThisYear ? {} : { year: "numeric" }),
    timeZone,
  });
  return (
    <tr data-id={id}>
      <td className="m-c nowrap tn">
        {day}
        <span className="faint">, {formatTime(at, timeZone).toLowerCase()}</span>
      </td>
      <th scope="row" className="k-c">
        <a className="k" href={`/admin/donations/${id}`}>
          {isAnonymous ? "Gave anonymously" : <bdi>{name || email || "Erased"}</bdi>}
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
      <td className="no-c tn">{receipt}</td>
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

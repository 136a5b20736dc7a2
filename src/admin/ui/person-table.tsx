import { formatDollars } from "#shared/language.ts";
import type { PersonTable } from "../person.ts";
import { RefundableStatus } from "./refundable-status.tsx";
import { When } from "./when.tsx";

/** A feature’s part of a person’s page. Rows that have a screen of their own link to it. */
export function PersonFacts({ table, now }: { table: PersonTable; now: Date }) {
  const { id, title, caption, about, detailsTitle, rows, none } = table;
  const hasMoney = rows.some(({ cents }) => cents !== null);
  return (
    <section className="sec" aria-labelledby={id}>
      <div className="sec-h">
        <h2 id={id}>{title}</h2>
      </div>
      {rows.length === 0 ? (
        <p className="hint">{none}</p>
      ) : (
        <div className="tw">
          <table className="cards">
            <caption className="sr">{caption}</caption>
            <thead>
              <tr>
                <th scope="col">{about}</th>
                <th scope="col">When</th>
                <th scope="col">{detailsTitle}</th>
                <th scope="col">State</th>
                {hasMoney && (
                  <th scope="col" className="num">
                    Amount
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.reference}>
                  <th scope="row" className="k-c">
                    {row.path === undefined ? (
                      <bdi>{row.title}</bdi>
                    ) : (
                      <a className="k" href={row.path}>
                        <bdi>{row.title}</bdi>
                      </a>
                    )}
                    <span className="two-l tn nowrap">{row.reference}</span>
                  </th>
                  <td className="m-c nowrap">
                    <When at={row.at} now={now} />
                  </td>
                  <td className="m-c">
                    {row.details.map((detail) => (
                      <div key={detail}>{detail}</div>
                    ))}
                  </td>
                  <td className="s-c">
                    <RefundableStatus state={row.status} refundRequest={row.refundRequest ?? null} />
                  </td>
                  {hasMoney && <td className="num v-c">{row.cents !== null && formatDollars(row.cents)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

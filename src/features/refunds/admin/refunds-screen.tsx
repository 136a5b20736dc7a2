import { hasRight } from "#admin/rights.ts";
import { screen } from "#admin/screen.ts";
import { addressWith, Pager } from "#admin/ui/filters.tsx";
import { Empty } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { formatDollars, formatNumber, plural } from "#shared/language.ts";
import type { RefundList, ShownRefund } from "../server/shown-refund.ts";
import { RefundsTable } from "./refund-facts.tsx";

const PATH = "/admin/refunds";

/** `/admin/refunds`: refunds that wait for somebody come first. */
export const refundsScreen = screen<RefundList>({
  path: PATH,
  right: "donations.see",
  section: "donations",
  menuLabel: "Refunds",
  load: (reads, { query }) => reads.listRefunds(query.after ?? ""),
  title: () => "Refunds",
  body: (list, { staff }) => (
    <>
      <PageHead title="Refunds" about={sumUp(list)} />
      <Group title="To approve" refunds={list.toApprove}>
        A second person decides. Nothing has been refunded yet.
      </Group>
      <Group title="Not made" refunds={list.failed}>
        {`The provider did not make these.${staff !== null && hasRight(staff, "refunds.make") ? " Refund again, or pay by hand and note it." : ""}`}
      </Group>
      <Group title="Under way" refunds={list.underWay}>
        We are finding out what happened to these. Do not refund them again.
      </Group>
      {list.done.length > 0 ? (
        <section className="sec" aria-labelledby="h-done">
          <div className="sec-h">
            <h2 id="h-done">{list.isFirst ? "Done" : "Done, older"}</h2>
            <a href="/admin/refunds/made">Refunds by the day they were made</a>
          </div>
          <RefundsTable caption="Refunds that are decided, latest first" refunds={list.done} />
          <Pager
            label="Pages of refunds"
            newer={list.isFirst ? null : PATH}
            older={list.older === null ? null : addressWith(PATH, { after: list.older })}
          />
        </section>
      ) : (
        isEmpty(list) && (
          <Empty title="No refunds yet">
            <p>
              Open a donation or a ticket order to refund it, in part or in full. Refunds that providers make themselves
              show here, too.
            </p>
          </Empty>
        )
      )}
    </>
  ),
});

const isEmpty = ({ toApprove, failed, underWay, done }: RefundList) =>
  [toApprove, failed, underWay, done].every(({ length }) => length === 0);

function sumUp({ toApprove, isFirst }: RefundList): string {
  if (!isFirst) return "An older page.";
  const cents = toApprove.reduce((sum, { amountCents }) => sum + amountCents, 0);
  if (toApprove.length === 0) return "None is waiting for a second person.";
  return plural(toApprove.length, {
    one: `One is waiting for a second person: ${formatDollars(cents)}.`,
    other: `${formatNumber(toApprove.length)} are waiting for a second person: ${formatDollars(cents)} in all.`,
  });
}

function Group({ title, refunds, children }: { title: string; refunds: readonly ShownRefund[]; children: string }) {
  if (refunds.length === 0) return null;
  const id = `h-${title.replace(" ", "-").toLowerCase()}`;
  return (
    <section className="sec" aria-labelledby={id}>
      <div className="sec-h">
        <div>
          <h2 id={id}>{title}</h2>
          <p className="hint">{children}</p>
        </div>
      </div>
      <RefundsTable caption={title} refunds={refunds} />
    </section>
  );
}

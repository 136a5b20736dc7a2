import { readChosen } from "#admin/chosen-rows.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { ActionForm } from "#admin/ui/form.tsx";
import { Empty } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { Status } from "#admin/ui/status.tsx";
import { formatDollars, plural } from "#shared/language.ts";
import { ANONYMOUS_DONOR } from "../../donor.ts";
import { formatReceiptNumber } from "../../receipt-number.ts";
import type { ChosenReceipt } from "../../server/one-donation/send-again.ts";
import { EmailText } from "../../ui/email-text.tsx";
import { ShownEmail } from "../donation/act-panel.tsx";
import { type ChosenReceipts, canSend, SEND_AGAIN } from "./send-again-part.ts";

type Data = ChosenReceipts & { readonly shown: string };

export const sendAgainScreen = screen({
  path: SEND_AGAIN,
  right: "donations.change",
  section: "donations",
  async load(reads, { query, form }): Promise<Data> {
    const ids = form?.values.id ?? readChosen(query);
    return { ...(await reads.readChosenReceipts(ids)), shown: form?.values.shown?.[0] ?? reads.now().toISOString() };
  },
  title: () => "Send receipts again",
  body: (data, request) => (
    <>
      <PageHead title="Send receipts again" crumbs={[{ label: "Donations", path: "/admin/donations" }]} />
      {data.rows.length === 0 ? <NothingChosen /> : <Chosen data={data} request={request} />}
    </>
  ),
});

function NothingChosen() {
  return (
    <Empty title="No donation was ticked">
      <p>Tick donations in the list, then choose “Send receipts again”.</p>
      <div className="acts">
        <a className="btn" href="/admin/donations">
          To the list
        </a>
      </div>
    </Empty>
  );
}

function Chosen({ data: { rows, email, shown }, request }: { data: Data; request: ScreenRequest }) {
  const sent = rows.filter(canSend);
  return (
    <ActionForm action={SEND_AGAIN} id="send-again" request={request}>
      <input type="hidden" name="shown" value={shown} />
      {sent.map(({ id }) => (
        <input type="hidden" name="id" value={id} key={id} />
      ))}
      <div className="tw">
        <table className="cards">
          <caption className="sr">The donations that were ticked</caption>
          <thead>
            <tr>
              <th scope="col">Donor</th>
              <th scope="col">Receipt</th>
              <th scope="col">What happens</th>
              <th scope="col" className="num">
                Amount
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row row={row} key={row.id} />
            ))}
          </tbody>
        </table>
      </div>
      {email !== null && (
        <section className="sec" aria-labelledby="send-again-email">
          <div className="sec-h">
            <h2 id="send-again-email">The email, as the first of them gets it</h2>
          </div>
          <ShownEmail email={email} />
        </section>
      )}
      <p className="row press">
        {sent.length > 0 && (
          <button className="btn" type="submit">
            {plural(sent.length, { one: "Send 1 receipt", other: `Send ${sent.length} receipts` })}
          </button>
        )}
        <a className="btn quiet" href="/admin/donations">
          {sent.length > 0 ? "Cancel" : "Back to the list"}
        </a>
      </p>
    </ActionForm>
  );
}

function Row({ row }: { row: ChosenReceipt }) {
  const { id, isAnonymous, name, email, receipt, cents } = row;
  return (
    <tr data-id={id}>
      <th scope="row" className="k-c">
        <a className="k" href={`/admin/donations/${id}`}>
          {isAnonymous ? ANONYMOUS_DONOR : <bdi>{name || email || "Erased"}</bdi>}
        </a>
      </th>
      <td className="m-c tn">{receipt !== null && formatReceiptNumber(receipt)}</td>
      <td className="w-c">
        {canSend(row) ? (
          <>
            Goes to <EmailText email={email} />
          </>
        ) : (
          <Status look="off">{email === "" ? "Not sent: the donor is erased" : "Not sent: no valid receipt"}</Status>
        )}
      </td>
      <td className="num v-c">{formatDollars(cents)}</td>
    </tr>
  );
}

import { hasRight, type Right } from "#admin/rights.ts";
import type { ScreenRequest } from "#admin/screen.ts";
import { Icon } from "#admin/ui/icon.tsx";
import { Note } from "#admin/ui/note.tsx";
import type { MoveTarget } from "../../server/one-donation/move-fund.ts";
import type { ActProps } from "./act-panel.tsx";
import { CorrectEmail, CorrectName, SendAgain } from "./correction-panels.tsx";
import { validReceipt } from "./describe-donation.ts";
import { EraseDonor } from "./erase-panel.tsx";
import type { ShownDonation } from "./find-donation.ts";
import { EndLinks } from "./links-panel.tsx";
import { MoveFund } from "./move-panel.tsx";

const may = ({ staff }: ScreenRequest, right: Right) => staff !== null && hasRight(staff, right);

/** The act named by the form that was sent last or by the address: 'email', 'account/join'. */
export const openActOf = ({ form, params, query }: ScreenRequest): string | undefined =>
  form?.action.replace(`/admin/donations/${params.id}/`, "") ?? query.act;

/** The acts in the page's head. Those that are not possible now are left out. */
export function ActMenu({ donation, request }: Pick<ActProps, "donation" | "request">) {
  const mayErase = may(request, "donors.erase");
  if (donation.email === "" || !may(request, "donations.change")) return null;
  const path = `/admin/donations/${donation.id}`;
  const receipt = validReceipt(donation);
  return (
    <>
      {receipt && request.form?.action !== `${path}/receipt` && (
        <form method="post" action={`${path}/receipt`}>
          <input type="hidden" name="to" value={donation.email} />
          <button className="btn quiet" type="submit">
            <Icon name="mail" />
            Send the receipt again
          </button>
        </form>
      )}
      <details className="menu">
        <summary className="btn quiet">
          More<span className="sr"> for this donation</span>
          <Icon name="chev" />
        </summary>
        <div className="pop">
          <a href={`${path}?act=email#act`}>
            <Icon name="mail" />
            Correct the email address
          </a>
          {receipt && !donation.is_anonymous && (
            <a href={`${path}?act=name#act`}>
              <Icon name="receipt" />
              Correct the name on the receipt
            </a>
          )}
          {donation.receipts.length > 0 && (
            <a href={`${path}?act=links#act`}>
              <Icon name="lock" />
              End the links to the receipt
            </a>
          )}
          <AccountButton donation={donation} path={path} />
          {isMovable(donation) && (
            <a href={`${path}?act=fund#act`}>
              <Icon name="right" />
              Move to another fund
            </a>
          )}
          {mayErase && (
            <a href={`${path}?act=erase#act`}>
              <Icon name="x" />
              Erase personal data
            </a>
          )}
        </div>
      </details>
    </>
  );
}

/** True if nothing was or is being refunded, and the receipt can be replaced. */
function isMovable(donation: ShownDonation): boolean {
  const isRefunded = donation.refunds.some(({ state }) => state !== "failed");
  return !isRefunded && validReceipt(donation) !== undefined && donation.lines.some(({ isHidden }) => !isHidden);
}

/** Each can be undone by the other, so neither asks for confirmation. */
function AccountButton({ donation, path }: { donation: ShownDonation; path: string }) {
  const { account, joinableAccountId, is_anonymous } = donation;
  const isJoinable = account === null && joinableAccountId !== null && !is_anonymous;
  if (account === null && !isJoinable) return null;
  return (
    <form method="post" action={`${path}/account/${account === null ? "join" : "leave"}`}>
      <button type="submit">
        <Icon name="user" />
        {account === null ? "Move to the donor’s account" : "Take out of the account"}
      </button>
    </form>
  );
}

/** The panel of the act named by the address or by the form that was sent last, above everything else. */
export function OpenAct(props: ActProps & { readonly targets: readonly MoveTarget[] }) {
  const { request } = props;
  const act = openActOf(request);
  if (act === "erase") return may(request, "donors.erase") ? <EraseDonor {...props} /> : null;
  if (!may(request, "donations.change")) return null;
  switch (act) {
    case "receipt":
      return <SendAgain {...props} />;
    case "email":
      return <CorrectEmail {...props} />;
    case "name":
      return <CorrectName {...props} />;
    case "links":
      return <EndLinks {...props} />;
    case "fund":
      return <MoveFund {...props} />;
    case "account/join":
    case "account/leave":
      return (
        <Note look="bad" isNews>
          {request.form?.message}
        </Note>
      );
    default:
      return null;
  }
}

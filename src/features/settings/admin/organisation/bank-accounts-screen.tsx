import type { DescribedAct } from "#admin/acts.ts";
import { hasRight } from "#admin/rights.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { ActsSection } from "#admin/ui/acts.tsx";
import { ActionForm, TextArea } from "#admin/ui/form.tsx";
import { Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { UnshownFormMessage } from "#admin/ui/unshown-form.tsx";
import { formatList } from "#shared/language.ts";
import type { Organisation } from "#shared/organisation.ts";
import type { BankAccountRequest } from "../../server/bank-account-requests.ts";
import { decisionWords, requestPath } from "./bank-accounts-part.ts";
import { ORGANISATION_PATH } from "./organisation-part.ts";

type Shown = {
  readonly asked: BankAccountRequest;
  readonly current: Organisation;
  /** The administrators who can decide: all but whoever asked. */
  readonly deciders: readonly string[];
  readonly acts: readonly DescribedAct[];
  readonly now: Date;
};

/** `/admin/settings/organisation/requests/:id`: the accounts now and as they would be, and the decision. */
export const bankAccountsScreen = screen<Shown>({
  path: requestPath(":id"),
  right: "settings.see",
  section: "settings",
  load: async (reads, { params: { id = "" } }) => {
    const asked = await reads.findBankAccountRequest(id);
    if (asked === null) return null;
    const about = { subject: "bank-accounts", subjectId: String(asked.id) };
    const [{ organisation }, people, acts] = await Promise.all([
      reads.readOrganisationVersion(),
      reads.listBankAccountDeciders(),
      reads.listActs(about),
    ]);
    const deciders = people.filter(({ id }) => id !== asked.requestedBy.id).map(({ name }) => name);
    return { asked, current: organisation, deciders, acts, now: reads.now() };
  },
  title: () => "New bank accounts",
  body: (shown, request) => {
    const { asked, current, acts, now } = shown;
    return (
      <>
        <PageHead
          title="New bank accounts"
          about={
            <>
              Asked for by <bdi>{asked.requestedBy.name}</bdi>
            </>
          }
          crumbs={[{ label: "Organisation", path: ORGANISATION_PATH }]}
        />
        <UnshownFormMessage request={request} shown={listForms(asked, request)} />
        <div className="split">
          <div>
            {asked.decision === null && <Accounts title="What donors see now" banks={current.banks} />}
            <Accounts title="What was asked for" banks={asked.banks} />
            <ActsSection acts={acts} now={now} />
          </div>
          <aside aria-label="What you can do">
            <Decision {...shown} request={request} />
          </aside>
        </div>
      </>
    );
  },
});

function Accounts({ title, banks }: { title: string; banks: Organisation["banks"] }) {
  return (
    <section className="sec" aria-label={title}>
      <h2 className="gap">{title}</h2>
      {banks.length === 0 ? (
        <p>No bank account.</p>
      ) : (
        <div className="tw">
          <table className="cards">
            <caption className="sr">{title}</caption>
            <thead>
              <tr>
                <th scope="col">Bank</th>
                <th scope="col">Account name</th>
                <th scope="col">BSB</th>
                <th scope="col">Account number</th>
              </tr>
            </thead>
            <tbody>
              {banks.map(({ bank, accountName, bsb, accountNumber }) => (
                <tr key={`${bsb} ${accountNumber}`}>
                  <th scope="row" className="k-c">
                    <bdi>{bank}</bdi>
                  </th>
                  <td className="m-c">
                    <bdi>{accountName}</bdi>
                  </td>
                  <td className="m-c nowrap tn">{bsb}</td>
                  <td className="v-c nowrap tn">{accountNumber}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

const isOwn = ({ requestedBy }: BankAccountRequest, { staff }: ScreenRequest) => requestedBy.id === staff?.id;

/** The forms of the screen, by the ends of their addresses. */
function listForms(asked: BankAccountRequest, request: ScreenRequest): readonly string[] {
  if (asked.decision !== null) return [];
  return isOwn(asked, request) ? ["withdraw"] : ["approve", "decline"];
}

function Decision({ asked, deciders, request }: Shown & { request: ScreenRequest }) {
  if (asked.decision !== null) return <Note>{decisionWords[asked.decision]}</Note>;
  const path = requestPath(asked.id);
  if (isOwn(asked, request)) {
    return (
      <section className="panel stack" aria-labelledby="decision-title">
        <h2 id="decision-title">Two people</h2>
        <p>
          {deciders.length === 0
            ? "You are the only administrator now. Withdraw this, and save the accounts again: they then count immediately."
            : `You asked for this, so another administrator has to approve it: ${formatList(deciders, "or")}.`}
        </p>
        <ActionForm action={`${path}/withdraw`} id="withdraw" request={request}>
          <button className="btn quiet wide" type="submit">
            Withdraw the request
          </button>
        </ActionForm>
      </section>
    );
  }
  if (!hasRight(request.staff!, "settings.change")) return <Note>An administrator decides about this.</Note>;
  return (
    <section className="panel stack" aria-labelledby="decision-title">
      <h2 id="decision-title">You decide</h2>
      <p>
        Telephone <bdi>{asked.requestedBy.name}</bdi> first, and compare each digit with a statement of the bank. Donors
        transfer money to the accounts that you approve.
      </p>
      <ActionForm action={`${path}/approve`} id="approve" request={request}>
        <button className="btn final wide" type="submit">
          Show donors these accounts
        </button>
      </ActionForm>
      <ActionForm action={`${path}/decline`} id="decline" request={request} className="stack">
        <TextArea name="reason" label="Why not" rows={2} />
        <button className="btn quiet wide" type="submit">
          Decline
        </button>
      </ActionForm>
    </section>
  );
}

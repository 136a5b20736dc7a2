import { hasRight } from "#admin/rights.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { ActionForm, TextField } from "#admin/ui/form.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { Empty, Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { plural } from "#shared/language.ts";
import type { FailedEmail } from "../server/failed-emails.ts";
import { shortTime } from "./shown-times.ts";
import { SubjectLink } from "./subject-link.tsx";

const PATH = "/admin/failed-jobs";

const mayChange = ({ staff }: ScreenRequest) => staff !== null && hasRight(staff, "reconciliation.change");

export const failedJobsScreen = screen({
  path: PATH,
  right: "reconciliation.see",
  section: "donations",
  menuLabel: "Failed emails",
  load: ({ listFailedEmails }) => listFailedEmails(),
  title: () => "Failed emails",
  body: (emails, request) => (
    <>
      <PageHead
        title="Failed emails"
        about={
          emails.length === 0
            ? "An email that cannot be sent is tried again for about a day. None has failed for good."
            : plural(emails.length, {
                one: "One email could not be sent, although we tried for about a day.",
                other: `${emails.length} emails could not be sent, although we tried each for about a day.`,
              })
        }
      >
        {emails.length > 1 && mayChange(request) && (
          <form method="post" action={`${PATH}/retry-all`}>
            <button className="btn" type="submit">
              <Icon name="again" />
              Send all again
            </button>
          </form>
        )}
      </PageHead>
      <Refused emails={emails} request={request} />
      {emails.length === 0 ? <Empty title="Nothing has failed" /> : <EmailsTable emails={emails} request={request} />}
    </>
  ),
});

/** Why an act was refused, unless its email's own form says so. */
function Refused({ emails, request: { form } }: { emails: readonly FailedEmail[]; request: ScreenRequest }) {
  if (form?.message === undefined) return null;
  if (emails.some(({ id }) => form.action === `${PATH}/${id}/discard`)) return null;
  return (
    <Note look="bad" isNews>
      {form.message}
    </Note>
  );
}

function EmailsTable({ emails, request }: { emails: readonly FailedEmail[]; request: ScreenRequest }) {
  return (
    <div className="tw">
      <table className="cards">
        <caption className="sr">Emails that could not be sent, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Email</th>
            <th scope="col">Belongs to</th>
            <th scope="col">Why it failed</th>
            <th scope="col">Written</th>
            <th scope="col">Given up</th>
            {mayChange(request) && (
              <th scope="col">
                <span className="sr">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {emails.map((email) => (
            <EmailRow email={email} request={request} key={email.id} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function EmailRow({ email, request }: { email: FailedEmail; request: ScreenRequest }) {
  const { id, what, of, reason, sentAt, failedAt } = email;
  const name = of === null ? what : `${what}, ${of.reference}`;
  return (
    <tr data-id={id}>
      <th scope="row" className="k-c">
        {what}
      </th>
      <td className="v-c">
        <BelongsTo of={of} />
      </td>
      <td className="w-c">{reason}</td>
      <td className="m-c" data-l="Written">
        {shortTime(sentAt)}
      </td>
      <td className="m-c" data-l="Given up">
        {shortTime(failedAt)}
      </td>
      {mayChange(request) && (
        <td className="w-c">
          <div className="acts">
            <form method="post" action={`${PATH}/${id}/retry`}>
              <button className="btn quiet" type="submit">
                Send again<span className="sr">: {name}</span>
              </button>
            </form>
            <Discard id={id} name={name} request={request} />
          </div>
        </td>
      )}
    </tr>
  );
}

function BelongsTo({ of }: { of: FailedEmail["of"] }) {
  return of === null ? <span className="muted">–</span> : <SubjectLink subject={of} />;
}

function Discard({ id, name, request }: { id: string; name: string; request: ScreenRequest }) {
  const action = `${PATH}/${id}/discard`;
  return (
    <details open={request.form?.action === action}>
      <summary className="btn plain">
        Discard<span className="sr">: {name}</span>
      </summary>
      <ActionForm action={action} id={`discard-${id}`} request={request}>
        <TextField name="reason" label="Why it is not needed any more" required />
        <div className="acts">
          <button className="btn danger" type="submit">
            Discard this email
          </button>
        </div>
      </ActionForm>
    </details>
  );
}

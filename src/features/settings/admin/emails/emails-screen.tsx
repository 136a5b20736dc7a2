import { screen } from "#admin/screen.ts";
import { Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { Status } from "#admin/ui/status.tsx";
import { formatList } from "#shared/language.ts";
import { EMAILS_PATH, type EmailList, emailPath, type ListedEmail } from "./emails-part.ts";

export const emailsScreen = screen<EmailList>({
  path: EMAILS_PATH,
  right: "settings.see",
  section: "settings",
  menuLabel: "Emails",
  load: ({ listEmails }) => listEmails(),
  title: () => "Emails",
  body: ({ groups, gone }) => (
    <>
      <PageHead title="Emails" about="Every email that the site sends, when it sends it, and what it says." />
      {gone.length > 0 && (
        <div className="editor-note">
          <Note look="warn" title="Some saved texts belong to emails that the site no longer sends">
            Nothing uses the texts of {formatList(gone, "and")}.
          </Note>
        </div>
      )}
      <div className="email-groups">
        {groups.map(({ about, emails }) => (
          <div className="tw" key={about}>
            <table className="cards">
              <caption>{about}</caption>
              <thead>
                <tr>
                  <th scope="col">Email</th>
                  <th scope="col">When it is sent</th>
                  <th scope="col">Texts</th>
                </tr>
              </thead>
              <tbody>
                {emails.map((email) => (
                  <EmailRow email={email} key={email.name} />
                ))}
              </tbody>
            </table>
          </div>
        ))}
      </div>
    </>
  ),
});

function EmailRow({ email: { name, title, when, isEdited, hasIgnored } }: { email: ListedEmail }) {
  return (
    <tr>
      <th scope="row" className="k-c">
        <a href={emailPath(name)}>{title}</a>
      </th>
      <td className="m-c">{when}</td>
      <td className="s-c">
        {hasIgnored ? (
          <Status look="warn">Some do not fit</Status>
        ) : (
          <Status look={isEdited ? "plain" : "ok"} icon={isEdited ? "note" : "ok"}>
            {isEdited ? "Changed here" : "As delivered"}
          </Status>
        )}
      </td>
    </tr>
  );
}

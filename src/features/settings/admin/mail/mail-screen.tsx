import { hasRight } from "#admin/rights.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { ActionForm } from "#admin/ui/form.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { Requirements } from "#admin/ui/requirements.tsx";
import { Status, type StatusLook } from "#admin/ui/status.tsx";
import type { LiveResult } from "#shared/live-checks.ts";
import { domainOf, type MailDomain, type RecordState } from "#shared/mail/mail-domain.ts";
import { MAIL_PATH, type MailSettings } from "./mail-part.ts";

type Shown = {
  readonly mail: MailSettings;
  readonly results: readonly LiveResult[];
  /** What the DNS says; null until a test asked for it. */
  readonly domain: MailDomain | null;
};

export const mailScreen = screen<Shown>({
  path: MAIL_PATH,
  right: "settings.see",
  section: "settings",
  menuLabel: "Mail",
  load: async ({ mailSettings, readGoingLive, readMailDomain }, { form }) => ({
    mail: mailSettings,
    results: readGoingLive().results.filter(({ topic }) => topic === "mail"),
    // Asked only with a test, since it takes time.
    domain: form === null ? null : await readMailDomain(),
  }),
  title: () => "Mail",
  body: (shown, request) => <Mail shown={shown} request={request} />,
});

function Mail({ shown: { mail, results, domain }, request }: { shown: Shown; request: ScreenRequest }) {
  return (
    <>
      <PageHead title="Mail" about="How receipts, tickets and invitations leave the server." />
      <Sending mail={mail} results={results} />
      <TestEmail request={request} />
      <DomainRecords from={mail.from} domain={domain} />
    </>
  );
}

function Sending({ mail, results }: Pick<Shown, "mail" | "results">) {
  return (
    <section className="panel" aria-labelledby="mail-settings">
      <h2 id="mail-settings">How emails are sent</h2>
      <dl className="kv wide">
        <div>
          <dt>Mail server (SMTP_URL)</dt>
          <dd>
            {mail.server ??
              (mail.hasMailbox ? "None: emails stay in the mailbox at /dev/mail" : "None: no email leaves the server")}
          </dd>
        </div>
        <div>
          <dt>Sender (MAIL_FROM)</dt>
          <dd>
            <bdi>{mail.from}</bdi>
          </dd>
        </div>
      </dl>
      <Requirements results={results} />
      <p className="hint">
        Whoever runs the server changes these in its settings, and restarts it. The password is never shown here.
      </p>
    </section>
  );
}

function TestEmail({ request }: { request: ScreenRequest }) {
  const { staff } = request;
  return (
    <section className="panel" aria-labelledby="mail-test">
      <h2 id="mail-test">Send yourself a test</h2>
      <p className="small">
        Goes to <bdi>{staff?.email}</bdi>, from the sender above. You see here what the mail server answers.
      </p>
      {staff !== null && hasRight(staff, "settings.change") && (
        <ActionForm action={MAIL_PATH} id="mail-test-form" request={request}>
          <div className="acts">
            <button className="btn" type="submit">
              <Icon name="mail" />
              Send a test email
            </button>
          </div>
        </ActionForm>
      )}
    </section>
  );
}

function DomainRecords({ from, domain }: { from: string } & Pick<Shown, "domain">) {
  const name = domainOf(from);
  return (
    <section className="panel" aria-labelledby="mail-domain">
      <h2 id="mail-domain">So that emails are not taken for junk</h2>
      <p className="small">
        Other mail servers ask the DNS of <bdi>{name}</bdi> who may send emails in its name. Whoever manages your domain
        adds three records there; your mail provider says what they contain.
      </p>
      <dl className="kv wide">
        <DomainRow label="SPF" found={domain?.spf ?? null}>
          A TXT record that begins with <code>v=spf1</code> names the servers that may send for you.
        </DomainRow>
        <DomainRow label="DKIM" found={domain?.dkim ?? null}>
          Your mail provider signs each email, with a key that is in your DNS. Open the details of the test email: it
          should say <code>dkim=pass</code>. Set the name after <code>s=</code> there as <code>MAIL_DKIM_SELECTOR</code>
          , and the key is looked up too.
        </DomainRow>
        <DomainRow label="DMARC" found={domain?.dmarc ?? null}>
          A TXT record of <code>_dmarc.{name}</code> that begins with <code>v=DMARC1</code> says what happens to emails
          that fail both. Begin with <code>p=none</code>.
        </DomainRow>
      </dl>
      {domain === null && <p className="hint">A test email also looks these records up.</p>}
    </section>
  );
}

const foundWords: Readonly<Record<RecordState, { readonly look: StatusLook; readonly text: string }>> = {
  found: { look: "ok", text: "Found" },
  missing: { look: "act", text: "Missing" },
  unknown: { look: "plain", text: "Could not be looked up" },
};

function DomainRow({
  label,
  found,
  children,
}: {
  label: string;
  found: RecordState | null;
  children: React.ReactNode;
}) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {found !== null && <Status look={foundWords[found].look}>{foundWords[found].text}</Status>} {children}
      </dd>
    </div>
  );
}

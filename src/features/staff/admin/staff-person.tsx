import type { DescribedAct } from "#admin/acts.ts";
import { hasRight } from "#admin/rights.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { ActsSection } from "#admin/ui/acts.tsx";
import { ActionForm, ChoiceField, TextArea } from "#admin/ui/form.tsx";
import { nameRoles } from "#admin/ui/layout.tsx";
import { Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { When } from "#admin/ui/when.tsx";
import type { AdministratorRequest } from "../server/people/administrator-requests.ts";
import type { ListedPerson } from "../server/people/list-people.ts";
import { LastHere, PersonState, roleOptions } from "./staff-list.tsx";
import {
  describeApproval,
  describeLockOut,
  describeWaysToLogIn,
  formatGuard,
  listActiveAdministrators,
} from "./staff-words.ts";

type Shown = {
  readonly person: ListedPerson;
  readonly acts: readonly DescribedAct[];
  /** The request to make them an administrator that nobody has decided yet. */
  readonly waiting: AdministratorRequest | null;
  readonly otherAdministrators: readonly string[];
  readonly now: Date;
};

export const staffPerson = screen<Shown>({
  path: "/admin/staff/:id",
  right: "staff.see",
  section: "settings",
  load: async (reads, { params: { id = "" }, staff }) => {
    const person = await reads.findStaff(id);
    if (person === null) return null;
    const requests = await reads.listAdministratorRequestsOf(person.id);
    const acts = await reads.listActs([
      { subject: "staff", subjectId: String(person.id) },
      ...requests.map((one) => ({ subject: "administrator", subjectId: String(one.id) })),
    ]);
    const otherAdministrators = listActiveAdministrators(await reads.listStaff(), { except: staff!.id });
    const waiting = requests.find(({ decision }) => decision === null) ?? null;
    return { person, acts, waiting, otherAdministrators, now: reads.now() };
  },
  title: ({ person }) => person.name,
  body: ({ person, acts, waiting, otherAdministrators, now }, request) => (
    <>
      <PageHead
        title={<bdi>{person.name}</bdi>}
        about={nameRoles(person.roles)}
        crumbs={[{ label: "Staff", path: "/admin/staff" }]}
      />
      <div className="split">
        <div>
          <Account person={person} now={now} mayAudit={hasRight(request.staff!, "audit.see")} />
          <ActsSection title="Changes to this account" acts={acts} now={now} nothing="Nothing has been changed yet." />
        </div>
        <aside aria-label="What you can do">
          {person.state === "active" && person.guardedUntil !== null && (
            <Note look="warn" title="There were five failed attempts">
              Nobody got in. Until {formatGuard(person.guardedUntil)}, a browser that {person.name} has not used before
              also needs a code that we email. Passkeys, and browsers in use, work as always.
              {!request.hasNoMail && ` ${person.name} has been told.`}
            </Note>
          )}
          {waiting !== null && (
            <Note title="A new administrator is waiting for approval">
              {waiting.requestedBy.name} asks to make {person.name} an administrator.{" "}
              <a href={`/admin/staff/requests/${waiting.id}`}>See the request</a>
            </Note>
          )}
          <Panels person={person} otherAdministrators={otherAdministrators} request={request} />
        </aside>
      </div>
    </>
  ),
});

function Account({ person, now, mayAudit }: { person: ListedPerson; now: Date; mayAudit: boolean }) {
  const waysToLogIn = describeWaysToLogIn(person);
  return (
    <dl className="kv">
      <div>
        <dt>Email</dt>
        <dd>{person.email}</dd>
      </div>
      <div>
        <dt>State</dt>
        <dd>
          <PersonState person={person} now={now} />
        </dd>
      </div>
      <div>
        <dt>Logs in with</dt>
        <dd>{waysToLogIn === "" ? "Nothing" : waysToLogIn}</dd>
      </div>
      <div>
        <dt>Last here</dt>
        <dd>{person.lastSeenAt === null ? "Never" : <LastHere person={person} now={now} />}</dd>
      </div>
      <div>
        <dt>Account since</dt>
        <dd>
          <When at={person.createdAt} now={now} />
        </dd>
      </div>
      {person.endedAt !== null && (
        <div>
          <dt>Ended</dt>
          <dd>
            <When at={person.endedAt} now={now} />
          </dd>
        </div>
      )}
      {mayAudit && (
        <div>
          <dt>Audit trail</dt>
          <dd>
            <a href={`/admin/audit?who=${person.id}`}>What this person did</a>
          </dd>
        </div>
      )}
    </dl>
  );
}

type PanelProps = Pick<Shown, "person" | "otherAdministrators"> & { readonly request: ScreenRequest };

function Panels({ person, otherAdministrators, request }: PanelProps) {
  if (!hasRight(request.staff!, "staff.change")) {
    return <Note>Only an administrator can change this account.</Note>;
  }
  if (request.staff!.id === person.id) {
    return (
      <Note>
        This is you. Another administrator can change your roles or end your account.{" "}
        <a href="/admin/you">Your own account</a> has your passkeys and sessions.
      </Note>
    );
  }
  if (person.state === "ended") {
    return (
      <Note>
        This account has ended. To bring {person.name} back, <a href="/admin/staff#invite">send an invitation</a> to the
        same email.
      </Note>
    );
  }
  const path = `/admin/staff/${person.id}`;
  return (
    <>
      <section className="panel" aria-labelledby="roles-title">
        <h2 id="roles-title">Roles</h2>
        <ActionForm action={`${path}/roles`} id="roles" request={request}>
          <ChoiceField name="roles" label={`${person.name} may act as`} options={roleOptions} chosen={person.roles} />
          <p className="hint gap">
            The change takes effect at their next click. {!request.hasNoMail && `We tell ${person.name} by email. `}
            {!person.roles.includes("administrator") && describeApproval(otherAdministrators)}
          </p>
          <button className="btn quiet" type="submit">
            Change the roles
          </button>
        </ActionForm>
      </section>
      <InviteAgain person={person} request={request} path={path} />
      <section className="panel" aria-labelledby="end-title">
        <h2 id="end-title">End the account</h2>
        <ActionForm action={`${path}/end`} id="end" request={request}>
          <p className="gap">
            {person.name} is logged out everywhere immediately. Passkeys, password and codes are deleted. The name stays
            on what was done.
          </p>
          <TextArea name="reason" label="Reason" hint="For the audit trail" rows={2} />
          <p className="gap" />
          <button className="btn final" type="submit">
            End the account<span className="sr"> of {person.name}</span>
          </button>
        </ActionForm>
      </section>
    </>
  );
}

function InviteAgain({ person, request, path }: { person: ListedPerson; request: ScreenRequest; path: string }) {
  const isReset = person.state === "active";
  const { hasNoMail } = request;
  if (isReset && hasNoMail) {
    return (
      <section className="panel" aria-labelledby="again-title">
        <h2 id="again-title">Lost their devices?</h2>
        <p>{describeLockOut(person)}</p>
      </section>
    );
  }
  return (
    <section className="panel" aria-labelledby="again-title">
      <h2 id="again-title">{isReset ? "Lost their devices?" : "Invite again"}</h2>
      <ActionForm action={`${path}/invite-again`} id="again" request={request}>
        <p className="gap">
          {isReset
            ? `Removes the passkeys, password and codes of ${person.name}, ends their sessions, and sends a new invitation to ${person.email}. All administrators are told.`
            : hasNoMail
              ? `Makes a new link, for you to hand to ${person.name}. Earlier ones stop working.`
              : `Sends a new link to ${person.email}. Earlier ones stop working.`}
        </p>
        <button className={isReset ? "btn danger" : "btn quiet"} type="submit">
          {isReset ? "Remove them and invite again" : hasNoMail ? "Make a new link" : "Send a new invitation"}
        </button>
      </ActionForm>
    </section>
  );
}

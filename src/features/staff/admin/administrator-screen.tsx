import type { DescribedAct } from "#admin/acts.ts";
import { hasRight } from "#admin/rights.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { ActsSection } from "#admin/ui/acts.tsx";
import { ActionForm, TextArea } from "#admin/ui/form.tsx";
import { Initials, nameRoles } from "#admin/ui/layout.tsx";
import { Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { Status } from "#admin/ui/status.tsx";
import { UnshownFormMessage } from "#admin/ui/unshown-form.tsx";
import { When } from "#admin/ui/when.tsx";
import { formatList } from "#shared/language.ts";
import type { AdministratorRequest } from "../server/people/administrator-requests.ts";
import type { ListedPerson } from "../server/people/list-people.ts";
import { listActiveAdministrators } from "./staff-words.ts";

type Shown = {
  readonly asked: AdministratorRequest;
  /** Null for somebody who is not invited yet. */
  readonly person: ListedPerson | null;
  /** The administrators who can decide: all but whoever asked. */
  readonly deciders: readonly string[];
  readonly acts: readonly DescribedAct[];
  readonly now: Date;
};

/** `/admin/staff/requests/:id`: who would become an administrator, who asked, and the decision. */
export const administratorScreen = screen<Shown>({
  path: "/admin/staff/requests/:id",
  right: "staff.see",
  section: "settings",
  load: async (reads, { params: { id = "" } }) => {
    const asked = await reads.findAdministratorRequest(id);
    if (asked === null) return null;
    const people = await reads.listStaff();
    return {
      asked,
      person: people.find((one) => one.id === asked.staffId) ?? null,
      deciders: listActiveAdministrators(people, { except: asked.requestedBy.id }),
      acts: await reads.listActs({ subject: "administrator", subjectId: String(asked.id) }),
      now: reads.now(),
    };
  },
  title: ({ asked: { name } }) => `${name} as an administrator`,
  body: (shown, request) => {
    const { asked, acts, now } = shown;
    return (
      <>
        <PageHead
          title="A new administrator"
          about={
            <>
              <bdi>{asked.name}</bdi> (<bdi>{asked.email}</bdi>), asked for by <bdi>{asked.requestedBy.name}</bdi>
            </>
          }
          crumbs={[{ label: "Staff", path: "/admin/staff" }]}
        />
        <UnshownFormMessage request={request} shown={listForms(asked, request)} />
        <div className="split">
          <div>
            <Facts {...shown} />
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

/** The forms of the screen, by the ends of their addresses. */
function listForms({ decision, requestedBy }: AdministratorRequest, { staff }: ScreenRequest): readonly string[] {
  if (decision !== null) return [];
  return requestedBy.id === staff?.id ? ["withdraw"] : ["approve", "decline"];
}

const states = {
  waiting: { text: "Waits for approval", look: "act" },
  approved: { text: "Approved", look: "ok" },
  declined: { text: "Declined", look: "off" },
  withdrawn: { text: "Withdrawn", look: "off" },
  overtaken: { text: "No longer counts", look: "off" },
} as const;

function RequestState({ decision }: Pick<AdministratorRequest, "decision">) {
  const { text, look } = states[decision ?? "waiting"];
  return <Status look={look}>{text}</Status>;
}

function Facts({ asked, person, now }: Shown) {
  return (
    <dl className="kv">
      <div>
        <dt>State</dt>
        <dd>
          <RequestState decision={asked.decision} />
        </dd>
      </div>
      {person !== null && (
        <div>
          <dt>Roles now</dt>
          <dd>
            <a href={`/admin/staff/${person.id}`}>{nameRoles(person.roles)}</a>
          </dd>
        </div>
      )}
      <div>
        <dt>Roles asked for</dt>
        <dd>{nameRoles(asked.roles)}</dd>
      </div>
      <div>
        <dt>Asked for</dt>
        <dd>
          <When at={asked.requestedAt} now={now} />
        </dd>
      </div>
    </dl>
  );
}

/** Two stars: who asked, and who decides. */
function Decision({ asked, person, deciders, now, request }: Shown & { request: ScreenRequest }) {
  const { id, decision, requestedBy, requestedAt } = asked;
  if (decision !== null) return <Note>{outcomes[decision]}</Note>;
  const isOwn = requestedBy.id === request.staff!.id;
  const mayDecide = !isOwn && hasRight(request.staff!, "staff.change");
  const others = deciders.filter((name) => !mayDecide || name !== request.staff!.name);
  const path = `/admin/staff/requests/${id}`;
  return (
    <section className="panel" aria-labelledby="decision-title">
      <h2 id="decision-title">Two people</h2>
      <ol className="hands">
        <li>
          <Initials name={requestedBy.name} />
          <span>
            <b>{isOwn ? "You" : <bdi>{requestedBy.name}</bdi>}</b> asked for it
            <small>
              <When at={requestedAt} now={now} />
            </small>
          </span>
        </li>
        <li>
          <span className="hole" aria-hidden="true" />
          <span>
            {mayDecide ? (
              <>
                <b>You</b> can decide
              </>
            ) : (
              "Another administrator decides"
            )}
            {others.length > 0 && (
              <small>
                {mayDecide ? "Or " : ""}
                <bdi>{formatList(others, "or")}</bdi>
              </small>
            )}
          </span>
        </li>
      </ol>
      {isOwn && <OwnRequest path={path} deciders={deciders} request={request} />}
      {mayDecide && <Decide path={path} asked={asked} person={person} request={request} />}
    </section>
  );
}

const outcomes = {
  approved: "This is approved. What the person may do can be changed on their own page.",
  declined: "This was declined. Nothing was changed.",
  withdrawn: "This was withdrawn. Nothing was changed.",
  overtaken:
    "The person’s account, or that of whoever asked, was changed before anybody decided. This request has lapsed: ask again if it is still needed.",
} as const;

type Sending = { readonly path: string; readonly request: ScreenRequest };

function Decide({ path, asked: { name }, person, request }: Sending & Pick<Shown, "asked" | "person">) {
  return (
    <div className="stack">
      <p>
        {person === null
          ? `An administrator may do everything. Approve it, and ${request.hasNoMail ? `you get a link to hand to ${name}` : `we email ${name} an invitation`}.`
          : `An administrator may do everything. Approve it, and it counts from the next click of ${name} on.`}
      </p>
      <ActionForm action={`${path}/approve`} id="approve" request={request}>
        <button className="btn wide" type="submit">
          Approve<span className="sr"> {name} as an administrator</span>
        </button>
      </ActionForm>
      <ActionForm action={`${path}/decline`} id="decline" request={request} className="stack">
        <TextArea
          name="reason"
          label="Why not"
          hint={request.hasNoMail ? undefined : "All administrators are told."}
          rows={2}
        />
        <button className="btn quiet wide" type="submit">
          Decline<span className="sr"> {name} as an administrator</span>
        </button>
      </ActionForm>
    </div>
  );
}

function OwnRequest({ path, deciders, request }: Sending & Pick<Shown, "deciders">) {
  return (
    <div className="stack">
      <button className="btn wide" type="button" aria-disabled="true" aria-describedby="own">
        Approve
      </button>
      <p className="hint" id="own">
        You asked for this, so another administrator has to approve it.
      </p>
      {deciders.length === 0 && (
        <Note look="warn" title="Nobody else may approve it">
          You are the only administrator now. Withdraw it, and make the change again: it then takes effect immediately.
        </Note>
      )}
      <ActionForm action={`${path}/withdraw`} id="withdraw" request={request}>
        <button className="btn quiet wide" type="submit">
          Withdraw the request
        </button>
      </ActionForm>
    </div>
  );
}

import { allRoles, hasRight, type Right, rights, roles } from "#admin/rights.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { ActionForm, ChoiceField, TextField } from "#admin/ui/form.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { Initials, nameRoles } from "#admin/ui/layout.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { Status } from "#admin/ui/status.tsx";
import { When } from "#admin/ui/when.tsx";
import type { AdministratorRequest } from "../server/people/administrator-requests.ts";
import type { ListedPerson } from "../server/people/list-people.ts";
import {
  describeApproval,
  describeState,
  describeTeam,
  describeWaysToLogIn,
  listActiveAdministrators,
} from "./staff-words.ts";

export const roleOptions = allRoles.map((role) => ({
  value: role,
  label: roles[role].name,
  hint: roles[role].about,
}));

export const staffList = screen({
  path: "/admin/staff",
  right: "staff.see",
  section: "settings",
  menuLabel: "Staff",
  load: async (reads) => ({
    people: await reads.listStaff(),
    requests: await reads.listOpenAdministratorRequests(),
    now: reads.now(),
  }),
  title: () => "Staff",
  body: ({ people, requests, now }, request) => {
    const mayChange = hasRight(request.staff!, "staff.change");
    return (
      <>
        <PageHead title="Staff" about={describeTeam(people)}>
          {mayChange && (
            <a className="btn" href="#invite">
              <Icon name="plus" />
              Invite somebody
            </a>
          )}
        </PageHead>
        {requests.length > 0 && <Requests requests={requests} now={now} />}
        <People people={people} now={now} />
        {mayChange && <Invitation people={people} request={request} />}
        <RightsByRole />
      </>
    );
  },
});

/** Requests for new administrators that wait for a second person. */
function Requests({ requests, now }: { requests: readonly AdministratorRequest[]; now: Date }) {
  return (
    <section className="gap" aria-labelledby="requests-title">
      <div className="sec-h">
        <h2 id="requests-title">New administrators to approve</h2>
      </div>
      <ul className="todo">
        {requests.map(({ id, name, requestedBy, requestedAt }) => (
          <li className="hot" key={id}>
            <Icon name="clock" />
            <p>
              <a href={`/admin/staff/requests/${id}`}>
                {requestedBy.name} asks to make {name} an administrator
              </a>
              <span className="d">
                <When at={requestedAt} now={now} />
              </span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function People({ people, now }: { people: readonly ListedPerson[]; now: Date }) {
  return (
    <div className="tw">
      <table className="cards">
        <caption className="sr">People with access to the back office, now or earlier</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Roles</th>
            <th scope="col">Logs in with</th>
            <th scope="col">Last here</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <tr data-id={person.id} key={person.id}>
              <th scope="row" className="k-c">
                <span className="who">
                  <Initials name={person.name} />
                  <span>
                    <a className="k" href={`/admin/staff/${person.id}`}>
                      <bdi>{person.name}</bdi>
                    </a>
                    <span className="two-l">{person.email}</span>
                  </span>
                </span>
              </th>
              <td className="m-c">{nameRoles(person.roles)}</td>
              <td className="m-c">{describeWaysToLogIn(person)}</td>
              <td className="m-c">
                <LastHere person={person} now={now} />
              </td>
              <td className="s-c">
                <PersonState person={person} now={now} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function LastHere({ person: { isLoggedIn, lastSeenAt }, now }: { person: ListedPerson; now: Date }) {
  if (lastSeenAt === null) return null;
  if (isLoggedIn) return "Logged in now";
  return <When at={lastSeenAt} now={now} />;
}

export function PersonState({ person, now }: { person: ListedPerson; now: Date }) {
  const { text, ...look } = describeState(person, now);
  return <Status {...look}>{text}</Status>;
}

function Invitation({ people, request }: { people: readonly ListedPerson[]; request: ScreenRequest }) {
  const others = listActiveAdministrators(people, { except: request.staff!.id });
  return (
    <section className="sec panel invitation" id="invite" aria-labelledby="invite-title">
      <h2 id="invite-title">Invite somebody</h2>
      <ActionForm action="/admin/staff/invite" id="invite-form" request={request}>
        <TextField name="email" label="Email" type="email" autoComplete="off" />
        <TextField name="name" label="Name" autoComplete="off" />
        <ChoiceField name="roles" label="Roles" options={roleOptions} />
        <p className="hint gap">
          The link works once, within 72 hours. It asks for a passkey first. {describeApproval(others)}
        </p>
        <button className="btn" type="submit">
          Send the invitation
        </button>
      </ActionForm>
    </section>
  );
}

/** Each right as a row, as `src/admin/rights.ts` has them. */
function RightsByRole() {
  const holds = (role: (typeof allRoles)[number], right: string) =>
    (roles[role].rights as readonly string[]).includes(right);
  return (
    <section className="sec" aria-labelledby="rights-title">
      <div className="sec-h">
        <h2 id="rights-title">What each role may do</h2>
        <p className="small">Roles add up.</p>
      </div>
      <div className="tw">
        <table className="cards rights">
          <caption className="sr">Rights by role</caption>
          <thead>
            <tr>
              <th scope="col">May</th>
              {allRoles.map((role) => (
                <th scope="col" key={role}>
                  {roles[role].name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(Object.entries(rights) as [Right, string][]).map(([right, label]) => (
              <tr key={right}>
                <th scope="row" className="k-c">
                  {label}
                </th>
                {allRoles.map((role) =>
                  holds(role, right) ? (
                    <td className="m-c" data-l={roles[role].name} key={role}>
                      <Yes />
                    </td>
                  ) : (
                    <td className="no-c" key={role}>
                      <span className="sr">No</span>
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Yes() {
  return (
    <span className="st ok">
      <Icon name="ok" />
      <span className="sr">Yes</span>
    </span>
  );
}

import { hasRight } from "#admin/rights.ts";
import { screen } from "#admin/screen.ts";
import { Icon } from "#admin/ui/icon.tsx";
import { Initials } from "#admin/ui/layout.tsx";
import { NotePanel } from "#admin/ui/note-panel.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { Status } from "#admin/ui/status.tsx";
import { When } from "#admin/ui/when.tsx";
import { dayInSydney, formatDay, formatList } from "#shared/language.ts";
import { availabilityWords } from "../../application.ts";
import { lastAskedOf } from "../../server/events.ts";
import { writeHours } from "../../shift.ts";
import { movesFrom } from "../../stages.ts";
import { waitsTooLong } from "../../waiting.ts";
import { describeWait, isMoveShownFirst, moveLabel } from "../application-words.ts";
import { stageStatus } from "../stage-status.ts";
import { ActPanel } from "./act-panel.tsx";
import { applicationScreenPath } from "./application-actions.ts";
import { type ApplicationProps, mayChange } from "./application-props.ts";
import { CheckSection } from "./check-section.tsx";
import { describeEvents } from "./event-words.ts";
import type { ApplicationScreenData, ShownApplication } from "./find-application.ts";
import { SensitivePanel } from "./side-panels.tsx";

/** `/admin/volunteers/{id}`: everything about one application, in the order of the form. */
export const applicationScreen = screen<ApplicationScreenData>({
  path: applicationScreenPath,
  right: "applications.see",
  section: "volunteers",
  load: (reads, request) => reads.findVolunteerApplication(request),
  title: ({ application }) => `Application of ${application.name}`,
  body: (data, request) => (
    <>
      <Head data={data} request={request} />
      <ActPanel data={data} request={request} />
      <div className="split">
        <div>
          <Sent application={data.application} />
          <CheckSection data={data} request={request} />
          {data.minutes > 0 && (
            <section className="sec" aria-labelledby="hours">
              <div className="sec-h">
                <h2 id="hours">Hours</h2>
              </div>
              <p>
                {writeHours(data.minutes)} hours in shifts:{" "}
                <a href={`/admin/volunteers/${data.application.id}/hours.pdf`}>certificate (PDF)</a>
              </p>
            </section>
          )}
          <Happened data={data} />
        </div>
        <div>
          <SensitivePanel data={data} request={request} />
          <NotePanel
            path={`/admin/volunteers/${data.application.id}/note`}
            right="applications.change"
            request={request}
            hint="It cannot be changed later, and goes when the application does. The applicant may ask to read it. Leave out health, faith and politics."
          />
        </div>
      </div>
    </>
  ),
});

function Head({ data: { application, now }, request }: ApplicationProps) {
  const { id, name, reference, stage, createdAt, decidedAt, askedAt, roles } = application;
  const since = new Date(Math.max(...[createdAt, decidedAt, askedAt].map((at) => at?.getTime() ?? 0)));
  return (
    <PageHead
      crumbs={[{ label: "Applications to volunteer", path: "/admin/volunteers" }]}
      title={
        <span className="row">
          <Initials name={name} isLarge />
          <bdi>{name}</bdi>
          <Status look={stageStatus[stage].look}>{stageStatus[stage].label}</Status>
        </span>
      }
      about={
        <>
          <span className="tn nowrap">{reference}</span>, sent on {formatDay(dayInSydney(createdAt))}
          {roles.length > 0 && <>. Does {formatList(roles, "and")}</>}
          {askedAt !== null && <>. Asked for more {describeWhenAsked(askedAt, now)}</>}
          {waitsTooLong({ stage, since, isAsked: askedAt !== null }, now) && (
            <>
              {" "}
              <Status look="warn" icon="clock">{`Has waited ${describeWait(since, now)}`}</Status>
            </>
          )}
        </>
      }
    >
      {mayChange(request) && <Acts id={id} application={application} />}
      {request.staff !== null && hasRight(request.staff, "donations.see") && (
        <a className="btn quiet" href={`/admin/people/${id}`}>
          <Icon name="user" />
          All of this person
        </a>
      )}
    </PageHead>
  );
}

function describeWhenAsked(at: Date, now: Date): string {
  const wait = describeWait(at, now);
  return wait === "Today" ? "today" : `${wait} ago`;
}

/** The likely next step first; the others are in a menu. */
function Acts({ id, application }: { id: string; application: ShownApplication }) {
  const { stage, version, askedAt, events } = application;
  const path = `/admin/volunteers/${id}`;
  const moves = movesFrom(stage);
  const [main, ...others] = moves;
  if (main === undefined) return null;
  const link = (to: string) => `${path}?act=${to}#act`;
  const className = stage === "approved" || stage === "declined" ? "btn quiet" : "btn";
  return (
    <>
      {askedAt !== null && (
        <form method="post" action={`${path}/answered`}>
          <input type="hidden" name="lastAsked" value={lastAskedOf(events)} />
          <button className="btn quiet" type="submit">
            The answer has come
          </button>
        </form>
      )}
      {isMoveShownFirst(stage, main) ? (
        <a className={className} href={link(main)}>
          {moveLabel(stage, main)}…
        </a>
      ) : (
        <form method="post" action={`${path}/review`}>
          <input type="hidden" name="version" value={version} />
          <button className={className} type="submit">
            {moveLabel(stage, main)}
          </button>
        </form>
      )}
      <details className="menu">
        <summary className="btn quiet">
          More<span className="sr"> for this application</span>
          <Icon name="chev" />
        </summary>
        <div className="pop">
          {stage !== "declined" && (
            <a href={link("ask")}>
              <Icon name="mail" />
              Ask for more…
            </a>
          )}
          {stage === "approved" && (
            <a href={link("roles")}>
              <Icon name="swap" />
              Change the roles…
            </a>
          )}
          {others.map((to) => (
            <a href={link(to)} key={to}>
              <Icon name={to === "withdrawn" ? "out" : to === "declined" ? "no" : "right"} />
              {moveLabel(stage, to)}…
            </a>
          ))}
        </div>
      </details>
    </>
  );
}

/** What the person wrote. Emergency contact, photo and signature are shown beside it, on request. */
function Sent({ application }: { application: ShownApplication }) {
  const { name, street, state, postcode, country, mobile, email, preferredContact } = application;
  const { skills, experience, availability, interests } = application;
  return (
    <section aria-labelledby="sent">
      <div className="sec-h">
        <h2 id="sent">What they sent</h2>
      </div>
      <dl className="kv">
        <Fact label="Name">{name}</Fact>
        <Fact label="Address">{formatList([street, state, postcode, country], "comma")}</Fact>
        <div>
          <dt>Mobile</dt>
          <dd className="tn">
            <bdi>{mobile}</bdi>
          </dd>
        </div>
        <div>
          <dt>Email</dt>
          <dd>
            <a href={`mailto:${email}`}>
              <bdi>{email}</bdi>
            </a>
          </dd>
        </div>
        <Fact label="Prefers">{preferredContact === "SMS" ? "Text messages" : "Email"}</Fact>
        <Fact label="Wants to do">{formatList(interests, "comma")}</Fact>
        <Fact label="When">{availabilityWords[availability]}</Fact>
      </dl>
      <h3>Skills</h3>
      <Written text={skills} />
      <h3>Previous experience</h3>
      <Written text={experience} />
    </section>
  );
}

function Fact({ label, children }: { label: string; children: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}

function Written({ text }: { text: string }) {
  if (text === "") return <p className="muted">Nothing written.</p>;
  return (
    <p className="typed" dir="auto">
      {text}
    </p>
  );
}

/** Everything that happened, latest first. */
function Happened({ data: { application, now } }: { data: ApplicationScreenData }) {
  return (
    <section className="sec" aria-labelledby="happened">
      <div className="sec-h">
        <h2 id="happened">What happened</h2>
      </div>
      <ol className="tl">
        {describeEvents(application.events).map(({ key, at, icon, who, text, quote }) => (
          <li key={key}>
            <span className="dot">
              <Icon name={icon} />
            </span>
            <div>
              <p>
                {who !== null && (
                  <>
                    <b>
                      <bdi>{who}</bdi>
                    </b>{" "}
                  </>
                )}
                {text}
              </p>
              {quote !== undefined && (
                <p className="d typed" dir="auto">
                  “{quote}”
                </p>
              )}
            </div>
            <When at={at} now={now} />
          </li>
        ))}
      </ol>
    </section>
  );
}

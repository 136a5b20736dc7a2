import type { ReactNode } from "react";
import { ActionForm, ChoiceField, TextArea, TextField } from "#admin/ui/form.tsx";
import { Note } from "#admin/ui/note.tsx";
import { formatList } from "#shared/language.ts";
import { checkFault } from "../../checks.ts";
import type { OwnWords } from "../../own-words.ts";
import { lastAskedOf } from "../../server/events.ts";
import { isClosed, movesFrom, type Stage } from "../../stages.ts";
import { isMoveShownFirst } from "../application-words.ts";
import { type ApplicationProps, mayChange } from "./application-props.ts";

/** The form of the act that the address names, or that was sent last. */
export function ActPanel(props: ApplicationProps) {
  const { data, request } = props;
  const { act, application } = data;
  if (!mayChange(request)) return null;
  const { stage } = application;
  const isMove = (movesFrom(stage) as readonly string[]).includes(act) && isMoveShownFirst(stage, act as Stage);
  if (isMove && act === "in_review") return <ReviewAgain {...props} />;
  if (isMove) return act === "approved" ? <Approve {...props} /> : <Decide {...props} to={act as Stage} />;
  if (act === "ask" && !isClosed(stage)) return <Ask {...props} />;
  if (act === "roles" && stage === "approved") return <ChangeRoles {...props} />;
  // The form that was refused is not here any more.
  const isShownBelow = ["note", "look", "check", "verify", "revoke"].includes(act);
  if (!request.form?.message || isShownBelow) return null;
  const typed = request.form.values.message?.[0] ?? "";
  return (
    <>
      <Note look="bad" isNews>
        {request.form.message}
      </Note>
      {typed !== "" && (
        <Panel title="What you wrote">
          <p className="typed" dir="auto">
            {typed}
          </p>
        </Panel>
      )}
    </>
  );
}

/** Until it is a decision about roles, so that the email can name them, nothing is sent. */
function Approve({ data, request }: ApplicationProps) {
  const { application, words } = data;
  const path = `/admin/volunteers/${application.id}`;
  const { form } = request;
  const isChecking =
    form?.action === `${path}/approved` && (form.state === "checking" || form.values.step?.[0] === "send");
  const chosen = form?.values.roles ?? [];
  const { interests, check } = application;
  const fault = checkFault(check, data.today);
  const guarded = data.roles.flatMap(({ title, needsCheck }) => (needsCheck && interests.includes(title) ? title : []));
  const permitted = interests.filter((title) => fault === null || !guarded.includes(title));
  return (
    <Panel title={`Approve ${application.name}`}>
      <ActionForm action={`${path}/approved`} id="approved" request={request}>
        <input type="hidden" name="version" value={application.version} />
        {isChecking && words !== null ? (
          <>
            {chosen.map((title) => (
              <input type="hidden" name="roles" value={title} key={title} />
            ))}
            <EmailFields words={words} to={application.email} />
            <Press path={path} step="send" label={`Approve, and send it to ${application.email}`} />
          </>
        ) : (
          <>
            <RoleChoice data={data} chosen={permitted} label="Approve for" />
            {fault !== null && guarded.length > 0 && (
              <p className="hint">
                Not possible yet: {formatList(guarded, "and")}, because {fault}. You can{" "}
                <a href="#check-section">record or verify a check</a> first.
              </p>
            )}
            <Press path={path} step="check" label="Show the email first" />
          </>
        )}
      </ActionForm>
    </Panel>
  );
}

function RoleChoice({
  data: { roles },
  chosen,
  label,
}: Pick<ApplicationProps, "data"> & { chosen: readonly string[]; label: string }) {
  const options = roles.map(({ title, needsCheck }) => ({
    value: title,
    label: title,
    ...(needsCheck ? { hint: "Needs a valid Working With Children Check" } : {}),
  }));
  return <ChoiceField name="roles" label={label} options={options} chosen={chosen} />;
}

const acts: Partial<
  Record<Stage, { readonly title: (name: string) => string; readonly happens: string; readonly press: string }>
> = {
  waiting: {
    title: (name) => `Put ${name} on the waiting list`,
    happens: "They stay on the list until you approve or decline them, and can withdraw on their page.",
    press: "Put on the list",
  },
  declined: {
    title: (name) => `Decline ${name}`,
    happens:
      "The photo and signature are deleted some months later, the application after a year. You can take it back into review.",
    press: "Decline",
  },
  withdrawn: {
    title: (name) => `Withdraw for ${name}`,
    happens: "The photo and signature are deleted immediately. This cannot be undone.",
    press: "Withdraw",
  },
};

function Decide({ data: { application, words }, request, to }: ApplicationProps & { to: Stage }) {
  const { id, name, email, version } = application;
  const path = `/admin/volunteers/${id}`;
  const act = acts[to];
  if (act === undefined || words === null) return null;
  return (
    <Panel title={act.title(name)}>
      <p>{act.happens}</p>
      <ActionForm action={`${path}/${to}`} id={to} request={request}>
        <input type="hidden" name="version" value={version} />
        <EmailFields words={words} to={email} />
        <Press path={path} label={`${act.press}, and send it to ${email}`} isFinal={to === "withdrawn"} />
      </ActionForm>
    </Panel>
  );
}

function Ask({ data: { application, words }, request }: ApplicationProps) {
  const { id, name, email, version, events } = application;
  const path = `/admin/volunteers/${id}`;
  if (words === null) return null;
  return (
    <Panel title={`Ask ${name} for more`}>
      <p>
        The application stays where it is. Answers come to your email address for volunteers. Press{" "}
        <b>The answer has come</b> when you have one.
      </p>
      <ActionForm action={`${path}/ask`} id="ask" request={request}>
        <input type="hidden" name="version" value={version} />
        <input type="hidden" name="lastAsked" value={lastAskedOf(events)} />
        <EmailFields words={words} to={email} />
        <Press path={path} label={`Send it to ${email}`} />
      </ActionForm>
    </Panel>
  );
}

/** Only for volunteers, who lose something. */
function ReviewAgain({ data, request }: ApplicationProps) {
  const { id, name, version } = data.application;
  const path = `/admin/volunteers/${id}`;
  return (
    <Panel title={`Review ${name} again`}>
      <p>
        They lose their roles and their places in coming shifts, and we email them about each place. Approving them
        again does not bring the places back.
      </p>
      <ActionForm action={`${path}/review`} id="review" request={request}>
        <input type="hidden" name="version" value={version} />
        <Press path={path} label="Take back into review" />
      </ActionForm>
    </Panel>
  );
}

function ChangeRoles({ data, request }: ApplicationProps) {
  const { id, name, version, roles } = data.application;
  const path = `/admin/volunteers/${id}`;
  return (
    <Panel title={`Change the roles of ${name}`}>
      <p>If they lose places in coming shifts, we email them about each. Otherwise nobody is emailed.</p>
      <ActionForm action={`${path}/roles`} id="roles" request={request}>
        <input type="hidden" name="version" value={version} />
        <RoleChoice data={data} chosen={roles} label="Roles" />
        <Press path={path} label="Save the roles" />
      </ActionForm>
    </Panel>
  );
}

/** The email as it will be sent; staff may change every word. */
function EmailFields({ words, to }: { words: OwnWords; to: string }) {
  return (
    <section className="email" aria-label="The email">
      <dl className="kv">
        <div>
          <dt>To</dt>
          <dd>
            <bdi>{to}</bdi>
          </dd>
        </div>
      </dl>
      <TextField name="subject" label="Subject" defaultValue={words.subject} />
      <TextArea
        name="message"
        label="Message"
        hint="Change what you like. The reference, and the link to their page where it still works, stand below it."
        defaultValue={words.message}
        rows={7}
      />
    </section>
  );
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="panel act" aria-labelledby="act-title" id="act">
      <h2 id="act-title">
        <bdi>{title}</bdi>
      </h2>
      {children}
    </section>
  );
}

function Press({
  path,
  label,
  step,
  isFinal = false,
}: {
  path: string;
  label: string;
  step?: string;
  isFinal?: boolean;
}) {
  return (
    <p className="row press">
      <button className={isFinal ? "btn final" : "btn"} type="submit" {...(step ? { name: "step", value: step } : {})}>
        <bdi>{label}</bdi>
      </button>
      <a className="btn quiet" href={path}>
        Cancel
      </a>
    </p>
  );
}

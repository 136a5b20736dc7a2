import { formatWhen } from "#admin/format-when.ts";
import type { ScreenRequest } from "#admin/screen.ts";
import { ActionForm, TextArea } from "#admin/ui/form.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { Note } from "#admin/ui/note.tsx";
import { formatDollars, formatList } from "#shared/language.ts";
import type { CallOffOfEvent } from "./call-off-part.ts";
import { countTickets, describeCallOffEffects, sumRefunds } from "./call-off-words.ts";

type CallOffProps = { readonly data: CallOffOfEvent; readonly request: ScreenRequest };

/** What calling off the event means, the email with its reason, and who has to approve. */
export function CallOffForm({ data, request }: CallOffProps) {
  const { event, formId, deciders, outlook } = data;
  const path = `/admin/events/${event.screenId}/call-off`;
  const others = deciders.filter(({ id }) => id !== request.staff?.id).map(({ name }) => name);
  return (
    <ActionForm action={path} id="call-off" request={ofPreview(request, path)} className="stack">
      <input type="hidden" name="form" value={request.form?.values.form?.[0] ?? formId} />
      <Outlook data={data} isAsked={false} />
      <section aria-labelledby="h-email">
        <div className="sec-h">
          <h2 id="h-email">The email to buyers</h2>
        </div>
        <div className="email">
          <p>
            <b>{data.email.subject}</b>
          </p>
          <EmailText text={data.email.before} />
          <TextArea
            name="reason"
            label="Why, in your own words"
            hint="Every buyer reads this. The rest is as you see it, with each buyer’s name, amount and reference."
            rows={3}
          />
          <EmailText text={data.email.after} />
        </div>
        <p className="acts">
          <button className="btn quiet" type="submit" formAction={`${path}/preview`} formTarget="_blank">
            <Icon name="ext" />
            See the whole email
          </button>
        </p>
      </section>
      {others.length === 0 ? (
        <Note look="warn" title="Nobody else may approve it">
          So it cannot be called off yet: sales would stop, and nobody could decide. An administrator must invite
          another person, or give somebody a role that may make refunds.
        </Note>
      ) : (
        <>
          <Note title="Someone else has to approve it">
            <bdi>{formatList(others, "or")}</bdi> can approve it{!request.hasNoMail && ", and gets an email"}. Until
            then nothing is cancelled or refunded.
          </Note>
          <p className="acts">
            <button className="btn danger" type="submit">
              Ask to call off this event, and refund {formatDollars(sumRefunds(outlook))} for{" "}
              {countTickets(outlook.tickets)}
            </button>
          </p>
        </>
      )}
    </ActionForm>
  );
}

/** What was wrong with the preview is wrong with the form. */
function ofPreview(request: ScreenRequest, path: string): ScreenRequest {
  const { form } = request;
  return form?.action === `${path}/preview` ? { ...request, form: { ...form, action: path } } : request;
}

/** The email's own words; the name, the amount and the reference are invented. */
function EmailText({ text }: { text: string }) {
  return <p className="email-text">{text}</p>;
}

export function Outlook({ data: { outlook }, isAsked }: Pick<CallOffProps, "data"> & { readonly isAsked: boolean }) {
  return (
    <section aria-labelledby="h-outlook">
      <div className="sec-h">
        <h2 id="h-outlook">What happens</h2>
      </div>
      <dl className="kv">
        {describeCallOffEffects(outlook, { isAsked }).map(({ title, text }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** That the last request was declined or withdrawn. */
export function LastDecision({ asked }: { asked: NonNullable<CallOffOfEvent["request"]> }) {
  const { decision, decided_at, decider, decision_reason } = asked;
  return (
    <Note title={decision === "declined" ? "Declined last time" : "Withdrawn last time"}>
      <p>
        <bdi>{decider}</bdi> {decision === "declined" ? "declined" : "withdrew"} it on {formatWhen(decided_at!)}. The
        event takes place.
      </p>
      {decision_reason !== "" && <p dir="auto">“{decision_reason}”</p>}
    </Note>
  );
}

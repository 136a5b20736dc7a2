import "#shared/ui/form-without-eval.ts";
import { useState } from "react";
import { plural } from "#shared/language.ts";
import { paths } from "#shared/paths.ts";
import { describeRefusal } from "#shared/ui/ask.ts";
import { NOT_LOADED, whileLoading } from "#shared/ui/feedback.ts";
import { useOneAtATime } from "#shared/ui/form-actions.tsx";
import { ErrorSummary, FormRefusal, useErrorTitle, useFormProblems } from "#shared/ui/form-error-summary.tsx";
import { TextField } from "#shared/ui/form-field.tsx";
import { LegalNote } from "#shared/ui/form-legal.tsx";
import { useFocus } from "#shared/ui/use-focus.ts";
import { useForm } from "#shared/ui/use-form.ts";
import { type WaitingForm, waitingForm } from "../../contract.ts";
import type { WantedType } from "./waiting-calls.ts";

type JoinWaitingListProps = {
  readonly wanted: WantedType;
  readonly title: string;
  /** In one order. */
  readonly max: number;
  readonly offerHours: number;
};

/** The form to wait for seats of a ticket type that is sold out (WAIT-1). */
export function JoinWaitingList(props: JoinWaitingListProps) {
  const [joined, setJoined] = useState<string>();
  return (
    <section className="plain-card needs-script" aria-label="Waiting list">
      {joined === undefined ? <JoinForm {...props} onJoined={setJoined} /> : <Joined email={joined} />}
    </section>
  );
}

const fieldNames = ["firstName", "lastName", "email", "quantity"] as const;

function JoinForm({ wanted, title, max, offerHours, onJoined }: JoinWaitingListProps & { onJoined: Joined }) {
  const { form, problems, refusal, shownAt, isSending, submit } = useJoining(wanted, max, onJoined);
  useErrorTitle(problems.length > 0 || refusal !== undefined);
  const field = (name: (typeof fieldNames)[number]) => ({ id: name, error: form.errors[name], ...form.register(name) });
  const hours = plural(offerHours, { one: "1 hour", other: `${offerHours} hours` });
  return (
    <form className="stack" method="post" noValidate onSubmit={submit} aria-labelledby="join-title">
      <h2 id="join-title">Wait for {title}</h2>
      <p className="muted instruction">
        When seats come free, we email whoever has waited longest. They are then yours alone for {hours}. You pay only
        if you buy them.
      </p>
      <ErrorSummary problems={problems} shownAt={shownAt} />
      <TextField {...field("firstName")} label="First Name" autoComplete="given-name" className="w-md" />
      <TextField {...field("lastName")} label="Last Name" autoComplete="family-name" className="w-md" />
      <TextField
        {...field("email")}
        label="Email"
        hint="We offer you seats at this address."
        type="email"
        autoComplete="email"
        spellCheck={false}
        className="w-md"
      />
      <TextField
        {...field("quantity")}
        label="Tickets"
        hint="All of them are offered together, or none. Somebody who could also come alone can wait on their own."
        inputMode="numeric"
        className="w-xs"
      />
      {refusal !== undefined && (
        <FormRefusal text={refusal} shownAt={shownAt} className="not-sent">
          <p>What you typed is still here.</p>
        </FormRefusal>
      )}
      <LegalNote />
      <div className="form-actions">
        <button type="submit" className="btn btn-cta" aria-disabled={isSending}>
          Join the waiting list
        </button>
      </div>
    </form>
  );
}

type Joined = (email: string) => void;

function useJoining(wanted: WantedType, max: number, onJoined: Joined) {
  const [schema] = useState(() => waitingForm(max));
  const form = useForm<WaitingForm>(schema);
  const { show, ...shown } = useFormProblems((name: (typeof fieldNames)[number]) => form.errors[name]);
  const { isBusy: isSending, run } = useOneAtATime();
  const post = async (fields: WaitingForm) => {
    show([]);
    const sending = import("./waiting-calls.ts").then((calls) => calls.joinWaitingList(wanted, fields));
    const answer = await whileLoading(sending).catch(() => undefined);
    if (answer?.ok) return onJoined(fields.email);
    if (answer?.fields === undefined) return show([], answer ? describeRefusal(answer) : NOT_LOADED);
    form.addErrors(Object.fromEntries(Object.entries(answer.fields).map(([name, [fault]]) => [name, fault])));
    show(fieldNames);
  };
  const submit = form.submit(post, () => show(fieldNames));
  return {
    form,
    ...shown,
    isSending,
    async submit(event: Parameters<typeof submit>[0]) {
      event.preventDefault();
      await run(() => submit(event));
    },
  };
}

function Joined({ email }: { email: string }) {
  return (
    <div className="thanks" role="status" tabIndex={-1} ref={useFocus<HTMLDivElement>(email)}>
      <h2>You are on the waiting list</h2>
      <p>
        We have sent an email to <b>{email}</b>. It shows your place, and how to leave the list. If it does not arrive,
        check your spam folder.
      </p>
      <p>
        <a href={paths.events}>See our other events</a>
      </p>
    </div>
  );
}

import "#shared/ui/form-without-eval.ts";
import { useEffect, useRef, useState } from "react";
import type { CaptchaSetup } from "#shared/captcha/ui/captcha-box.tsx";
import { SeenCaptcha } from "#shared/captcha/ui/seen-captcha.tsx";
import type { Organisation } from "#shared/organisation.ts";
import { paths } from "#shared/paths.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { ErrorSummary, useErrorTitle } from "#shared/ui/form-error-summary.tsx";
import { describedBy, Field, TextField } from "#shared/ui/form-field.tsx";
import { LegalNote } from "#shared/ui/form-legal.tsx";
import { whenLeft } from "#shared/ui/form-resolver.ts";
import { Icon } from "#shared/ui/icon.tsx";
import { THANKS } from "../../contact.ts";
import { MessageCount } from "./message-count.tsx";
import type { FieldName } from "./use-draft.ts";
import { useMessage } from "./use-message.ts";

type Reached = Pick<Organisation, "phone" | "email">;
type ContactFormProps = { readonly organisation: Reached; readonly captcha: CaptchaSetup };

/** The form of the contact page, and what stands in its place once the message is there (PAGE-7). */
export function ContactForm({ organisation, captcha }: ContactFormProps) {
  const [sentFrom, setSentFrom] = useState<string>();
  return (
    <section className="plain-card contact-card" aria-label="Send us a message">
      {sentFrom === undefined ? (
        <>
          <WithoutScript organisation={organisation} />
          <MessageForm organisation={organisation} captcha={captcha} onSent={setSentFrom} />
        </>
      ) : (
        <Thanks email={sentFrom} organisation={organisation} />
      )}
    </section>
  );
}

/** What is typed before the page's script runs is kept. */
function MessageForm({ organisation, captcha: setup, onSent }: ContactFormProps & { onSent: (email: string) => void }) {
  const message = useMessage(setup, onSent);
  const { captcha, problems, refusal, shownAt, doing } = message;
  useErrorTitle(problems.length > 0 || refusal !== undefined);
  return (
    <form
      className="needs-script"
      method="post"
      noValidate
      onSubmit={message.submit}
      onFocus={message.begin}
      aria-label="Message"
    >
      <h2>Send us a message</h2>
      <p className="muted instruction">Answer every question unless it says optional.</p>
      <ErrorSummary problems={problems} shownAt={shownAt} />
      <Questions {...message} />
      <SeenCaptcha captcha={captcha} setup={setup} action="contact" />
      {refusal !== undefined && <Refusal says={refusal} shownAt={shownAt} organisation={organisation} />}
      <Trap input={message.trap} />
      <LegalNote />
      <div className="form-actions">
        <button className="btn btn-lg" type={message.isReady ? "submit" : "button"} aria-disabled={doing !== "nothing"}>
          Send a message
        </button>
        <p className="why" role="status">
          {says[doing]}
        </p>
      </div>
    </form>
  );
}

function Questions({ form, keep }: Pick<ReturnType<typeof useMessage>, "form" | "keep">) {
  const { errors } = form.formState;
  const field = (name: FieldName) => {
    const left = whenLeft(form, name);
    const onChange = () => {
      keep();
      left.onChange();
    };
    return { id: name, error: errors[name]?.message, ...form.register(name, { ...left, onChange }) };
  };
  const { error, ...message } = field("message");
  const described = { id: "message", error };
  return (
    <>
      <TextField {...field("name")} label="Name" autoComplete="name" aria-required className="w-md" />
      <TextField
        {...field("email")}
        label="Email"
        hint="We write back to this address."
        type="email"
        autoComplete="email"
        spellCheck={false}
        aria-required
        className="w-md"
      />
      <TextField
        {...field("phone")}
        label={<Optional label="Phone" />}
        type="tel"
        autoComplete="tel"
        className="w-sm"
      />
      <TextField {...field("subject")} label={<Optional label="Subject" />} />
      <Field label="Message" {...described}>
        <textarea className="textarea" rows={7} aria-required {...message} {...describedBy(described)} />
        <MessageCount control={form.control} />
      </Field>
    </>
  );
}

const says = {
  nothing: "",
  checking: "Checking that you are a person …",
  sending: "Sending your message …",
};

function Optional({ label }: { label: string }) {
  return (
    <>
      {label} <span className="opt">(optional)</span>
    </>
  );
}

/** People neither see nor reach this field; programs that fill in everything fill it in too. */
function Trap({ input }: { input: React.RefObject<HTMLInputElement | null> }) {
  return (
    <div className="trap" aria-hidden="true">
      <label htmlFor="website">Leave this empty</label>
      <input id="website" name="website" tabIndex={-1} autoComplete="off" ref={input} />
    </div>
  );
}

/** Beside the button: why the message did not go, and how else to reach somebody. */
function Refusal({ says, shownAt, organisation }: { says: string; shownAt: number; organisation: Reached }) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal takes focus anew
  useEffect(() => box.current?.focus(), [shownAt]);
  return (
    <div className="error-summary not-sent" role="alert" tabIndex={-1} ref={box}>
      <p className="err">
        <Icon name="alert" />
        <span>{says}</span>
      </p>
      <p>
        What you wrote is kept. You can also reach us by <Ways organisation={organisation} />.
      </p>
    </div>
  );
}

function Ways({ organisation: { phone, email } }: { organisation: Reached }) {
  return (
    <>
      phone on <a href={telephoneLink(phone)}>{phone}</a> or by email at <a href={`mailto:${email}`}>{email}</a>
    </>
  );
}

function Thanks({ email, organisation }: { email: string; organisation: Reached }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div className="thanks" role="status" tabIndex={-1} ref={box}>
      <img src="/identity/illustrations/spot-success.svg" alt="" width={160} height={160} />
      <h2>{THANKS}</h2>
      <p>
        One of our team will read it and write back to <b>{email}</b>. If it cannot wait, reach us by{" "}
        <Ways organisation={organisation} />.
      </p>
      <p>
        <a href={paths.contact}>Send another message</a>
      </p>
    </div>
  );
}

function WithoutScript({ organisation }: { organisation: Reached }) {
  return (
    <noscript>
      <h2>Write to us or call</h2>
      <p className="no-script">
        Sending a message from this page needs JavaScript, which is switched off in your browser. You can reach us by{" "}
        <Ways organisation={organisation} />.
      </p>
    </noscript>
  );
}

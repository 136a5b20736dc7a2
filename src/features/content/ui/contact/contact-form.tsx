import "#shared/ui/form-without-eval.ts";
import { useState } from "react";
import type { CaptchaSetup } from "#shared/captcha/ui/captcha-box.tsx";
import { SeenCaptcha } from "#shared/captcha/ui/seen-captcha.tsx";
import type { Organisation } from "#shared/organisation.ts";
import { paths } from "#shared/paths.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { CharactersLeft } from "#shared/ui/form-characters-left.tsx";
import { ErrorSummary, FormRefusal, useErrorTitle } from "#shared/ui/form-error-summary.tsx";
import { describedBy, Field, TextField } from "#shared/ui/form-field.tsx";
import { LegalNote } from "#shared/ui/form-legal.tsx";
import { useFocus } from "#shared/ui/use-focus.ts";
import { maxLengths, THANKS } from "../../contact.ts";
import type { MessageField } from "./use-draft.ts";
import { useMessage } from "./use-message.ts";

type OrganisationContact = Pick<Organisation, "phone" | "email">;
type ContactFormProps = { readonly organisation: OrganisationContact; readonly captcha: CaptchaSetup };

/** The contact form, replaced by thanks once the message is sent (PAGE-7). */
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
      {refusal !== undefined && (
        <FormRefusal text={refusal} shownAt={shownAt} className="not-sent">
          <p>
            Your message is still here. You can also reach us by <Ways organisation={organisation} />.
          </p>
        </FormRefusal>
      )}
      <Trap input={message.trap} />
      <LegalNote />
      <div className="form-actions">
        <button className="btn btn-lg" type={message.isReady ? "submit" : "button"} aria-disabled={doing !== "nothing"}>
          Send a message
        </button>
        <p className="why" role="status">
          {sentences[doing]}
        </p>
      </div>
    </form>
  );
}

function Questions({ form, keep }: Pick<ReturnType<typeof useMessage>, "form" | "keep">) {
  const field = (name: MessageField) => ({
    id: name,
    error: form.errors[name],
    ...form.register(name, { onChange: keep }),
  });
  const { error, ...message } = field("message");
  const described = { id: "message", error };
  return (
    <>
      <TextField {...field("name")} label="Name" autoComplete="name" aria-required className="w-md" />
      <TextField
        {...field("email")}
        label="Email"
        hint="We’ll reply to this address."
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
        <textarea className="textarea" rows={7} dir="auto" aria-required {...message} {...describedBy(described)} />
        <CharactersLeft text={form.watch("message") ?? ""} max={maxLengths.message} />
      </Field>
    </>
  );
}

const sentences = {
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

/** A hidden field that people can't see or reach, but programs that fill in everything do. */
function Trap({ input }: { input: React.RefObject<HTMLInputElement | null> }) {
  return (
    <div className="trap" aria-hidden="true">
      <label htmlFor="website">Leave this empty</label>
      <input id="website" name="website" tabIndex={-1} autoComplete="off" ref={input} />
    </div>
  );
}

function Ways({ organisation: { phone, email } }: { organisation: OrganisationContact }) {
  return (
    <>
      phone on <a href={telephoneLink(phone)}>{phone}</a> or by email at <a href={`mailto:${email}`}>{email}</a>
    </>
  );
}

function Thanks({ email, organisation }: { email: string; organisation: OrganisationContact }) {
  return (
    <div className="thanks" role="status" tabIndex={-1} ref={useFocus<HTMLDivElement>(email)}>
      <img src="/identity/illustrations/spot-success.svg" alt="" width={160} height={160} />
      <h2>{THANKS}</h2>
      <p>
        One of our team will read it and reply to <b>{email}</b>. If it’s urgent, reach us by{" "}
        <Ways organisation={organisation} />.
      </p>
      <p>
        <a href={paths.contact}>Send another message</a>
      </p>
    </div>
  );
}

function WithoutScript({ organisation }: { organisation: OrganisationContact }) {
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

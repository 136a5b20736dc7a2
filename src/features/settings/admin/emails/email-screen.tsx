import type { DescribedAct } from "#admin/acts.ts";
import { hasRight } from "#admin/rights.ts";
import { type FilledForm, type ScreenRequest, screen } from "#admin/screen.ts";
import { Acts } from "#admin/ui/acts.tsx";
import { ActionForm, TextArea, TextField } from "#admin/ui/form.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { When } from "#admin/ui/when.tsx";
import { EarlierVersions, fillFromVersion, readChosenVersion } from "../earlier-versions.tsx";
import { TheirChanges } from "../their-changes-panel.tsx";
import { fieldOf, type ShownPlaceholder, type ShownText } from "./email-words.ts";
import { EMAILS_PATH, emailPath, type ShownEmail } from "./emails-part.ts";

type Shown = { readonly email: ShownEmail; readonly acts: readonly DescribedAct[]; readonly now: Date };

export const emailScreen = screen<Shown>({
  path: emailPath(":name"),
  right: "settings.see",
  section: "settings",
  load: async ({ findEmail, listActs, now }, request) => {
    const { name = "" } = request.params;
    const wanted = { from: request.form?.values.from?.[0], chosen: readChosenVersion(request) };
    const email = await findEmail(name, wanted);
    if (email === null) return null;
    return { email, acts: await listActs({ subject: "email", subjectId: name }), now: now() };
  },
  title: ({ email }) => email.title,
  body: (shown, request) => <EmailBody shown={shown} request={request} />,
});

function EmailBody({ shown: { email, acts, now }, request }: { shown: Shown; request: ScreenRequest }) {
  const { version, texts } = email;
  const mayChange = request.staff !== null && hasRight(request.staff, "settings.change");
  const form = fillForm(email, request.form);
  return (
    <>
      <PageHead title={email.title} about={email.when} crumbs={[{ label: "Emails", path: EMAILS_PATH }]} />
      <Ignored email={email} />
      <ActionForm action={emailPath(email.name)} id="email" request={{ form }} className="settings-form">
        {mayChange && <Fields email={email} texts={texts} />}
        {!mayChange && <AsSent texts={texts} />}
        <section className="panel previews" aria-labelledby="previews">
          <h2 id="previews">See it first</h2>
          <p className="small">
            Shows the whole email with what you have typed and with invented data, as HTML and as text, in a new tab. It
            saves and sends nothing.
          </p>
          <div className="acts">
            <button
              className="btn quiet"
              type="submit"
              formAction={`${emailPath(email.name)}/preview`}
              formTarget="_blank"
            >
              <Icon name="ext" />
              See the whole email
            </button>
          </div>
        </section>
        <Placeholders placeholders={email.placeholders} />
      </ActionForm>
      {mayChange && <EarlierVersions versions={email.earlier} path={emailPath(email.name)} now={now} />}
      <section className="panel" aria-labelledby="history">
        <h2 id="history">What was changed</h2>
        <Acts acts={acts} now={now} nothing="Nothing has been changed yet: all texts are as delivered." />
        {version.savedAt !== null && version.savedBy === null && (
          <p className="hint">
            SQL changed this email last, <When at={version.savedAt} now={now} />.
          </p>
        )}
      </section>
    </>
  );
}

/** What was saved and is not sent. */
function Ignored({ email: { texts, gone } }: { email: ShownEmail }) {
  const ignored = texts.filter((text) => text.ignored !== null);
  if (ignored.length === 0 && gone.length === 0) return null;
  return (
    <div className="editor-note">
      <Note look="bad" title="Some saved texts no longer fit this email, so it goes out with the delivered ones">
        <ul>
          {ignored.map(({ name, label, ignored }) => (
            <li key={name}>
              {label}: <bdi>‘{ignored!.words}’</bdi>. {ignored!.fault}
            </li>
          ))}
          {gone.map((words) => (
            <li key={words}>
              <bdi>‘{words}’</bdi>. The email no longer has this text.
            </li>
          ))}
        </ul>
        Saving this form removes them. The database keeps them in its history.
      </Note>
    </div>
  );
}

function Fields({ email: { name, version, base }, texts }: { email: ShownEmail; texts: readonly ShownText[] }) {
  const isEdited = texts.some(({ words, delivered, ignored }) => words !== delivered || ignored !== null);
  const theirs = base === null ? [] : texts.filter(({ words }, index) => words !== base[index]!.words);
  return (
    <>
      <input type="hidden" name="from" value={version.number} />
      {theirs.length > 0 && (
        <TheirChanges
          changes={theirs.map(({ name, label, words }) => ({ name, label, text: words }))}
          by={version.savedBy?.name ?? null}
        />
      )}
      {texts.map((text) => (
        <WordsField text={text} key={text.name} />
      ))}
      <p className="hint">Saving asks for your passkey, because emails go out in your name.</p>
      <div className="acts">
        <button className="btn" type="submit">
          Save
        </button>
        {isEdited && (
          <button className="btn quiet" type="submit" formAction={`${emailPath(name)}/delivered`}>
            All as delivered
          </button>
        )}
        <a className="btn quiet" href={EMAILS_PATH}>
          Leave it as it is
        </a>
      </div>
    </>
  );
}

function WordsField({ text: { name, label, when, isLine, delivered, words } }: { text: ShownText }) {
  const shared = { name: fieldOf(name), label, defaultValue: words, ...(when !== null && { hint: when }) };
  return (
    <div className="detail">
      {isLine ? <TextField {...shared} /> : <TextArea {...shared} rows={Math.ceil(words.length / 70) + 1} />}
      {words !== delivered && (
        <p className="hint as-typed">
          Changed here. As delivered: <bdi>‘{delivered}’</bdi>. Empty the field to restore it.
        </p>
      )}
    </div>
  );
}

/** For those who may see settings, but not change them. */
function AsSent({ texts }: { texts: readonly ShownText[] }) {
  return (
    <section className="panel" aria-labelledby="words">
      <h2 id="words">Texts</h2>
      <dl className="kv wide">
        {texts.map(({ name, label, when, words }) => (
          <div key={name}>
            <dt>
              {label}
              {when !== null && <span className="hint"> {when}</span>}
            </dt>
            <dd className="as-typed">
              <bdi>{words}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Placeholders({ placeholders }: { placeholders: readonly ShownPlaceholder[] }) {
  return (
    <section className="panel" aria-labelledby="placeholders">
      <h2 id="placeholders">Placeholders</h2>
      <p className="small">
        Each stands for something that differs from email to email. ‘Must stay’: a text that has it as delivered cannot
        leave it out. ‘Must stay where it is’: no other text can use it either. Codes, links, buttons, lists, and your
        details at the end are part of the email, whatever you write.
      </p>
      <dl className="kv wide">
        {placeholders.map(({ name, about, rule }) => (
          <div key={name}>
            <dt>
              <code>{`{${name}}`}</code>
            </dt>
            <dd>
              {about} {rule}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** What was sent, also to be looked at; texts that were left alone have what somebody else has saved since. */
function fillForm({ name, texts, base, chosen }: ShownEmail, form: FilledForm | null): FilledForm | null {
  if (form === null) {
    if (chosen === null) return null;
    const words = chosen.texts.map((text) => [fieldOf(text.name), [text.words]] as const);
    return fillFromVersion(emailPath(name), chosen.number, Object.fromEntries(words));
  }
  const theirs = texts.flatMap(({ name, words }, index) => {
    const field = fieldOf(name);
    const isLeftAlone = base !== null && (form.values[field]?.[0] ?? "") === base[index]!.words;
    return isLeftAlone ? [[field, [words]] as const] : [];
  });
  return { ...form, action: emailPath(name), values: { ...form.values, ...Object.fromEntries(theirs) } };
}

import type { DescribedAct } from "#admin/acts.ts";
import { hasRight } from "#admin/rights.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { Acts } from "#admin/ui/acts.tsx";
import { ActionForm } from "#admin/ui/form.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { Status } from "#admin/ui/status.tsx";
import type { ReadLegalText } from "../../server/legal-texts.ts";
import { type FilledIn, LEGAL_TEXTS_PATH } from "./legal-texts-part.ts";

type Shown = {
  readonly texts: readonly ReadLegalText[];
  readonly filledIn: readonly FilledIn[];
  readonly hasOutsideCaptcha: boolean;
  readonly acts: readonly DescribedAct[];
  readonly now: Date;
};

export const legalTextsScreen = screen<Shown>({
  path: LEGAL_TEXTS_PATH,
  right: "settings.see",
  section: "settings",
  menuLabel: "Legal texts",
  load: async ({ listLegalTexts, listFilledIn, hasOutsideCaptcha, listActs, now }) => {
    const texts = await listLegalTexts();
    const acts = await listActs(texts.map(({ key }) => ({ subject: "legal-text", subjectId: key })));
    return { texts, filledIn: listFilledIn(), hasOutsideCaptcha, acts, now: now() };
  },
  title: () => "Legal texts",
  body: (shown, request) => <LegalTexts shown={shown} request={request} />,
});

/** What only the charity knows, by the text's key. A program cannot check any of it. */
const toCheck: Readonly<Record<string, readonly string[]>> = {
  privacy: [
    "Who hosts this site and who delivers its email, and in which countries. The text only says ‘Companies that host this site and deliver our email’, and Australian Privacy Principle 1 asks for the countries.",
    "What whoever you support receives from you, and where they are. The text says: what gifts are for, how much, and the names that a Qurban is offered for.",
    "What you keep outside this site, such as spreadsheets, mailing lists and paper forms.",
    "Whether you answer requests and complaints within 30 days, as the text promises.",
  ],
  refunds: [
    "When you refund a gift. The text says: mistakes, payments that nobody authorised, and whatever the law says.",
    "Whether ticket buyers may cancel until the hour that the text names, with no fee kept.",
  ],
  terms: [
    "Which state’s law applies. The text says New South Wales.",
    "What you are liable for, and what happens with a gift for a cause that needs no more.",
  ],
  accessibility: [
    "Who answers when somebody cannot use the site, by telephone too.",
    "That this version was not audited by a specialist, if it has been since.",
  ],
};
const outsideCaptcha =
  "Your captcha is another company’s: it receives data about the browser and may set cookies. The text does not say so yet.";

function LegalTexts({ shown, request }: { shown: Shown; request: ScreenRequest }) {
  const { texts, filledIn, acts, now } = shown;
  return (
    <>
      <PageHead
        title="Legal texts"
        about="Written for this site as it is delivered. A person has to read each, and change what is not true of you, before visitors rely on it."
      />
      <section className="panel" aria-labelledby="filled-in">
        <div className="panel-head">
          <h2 id="filled-in">Filled in from your details</h2>
          <a className="btn quiet" href="/admin/settings/organisation">
            <Icon name="sliders" />
            Change
          </a>
        </div>
        <dl className="kv wide">
          {filledIn.map(({ label, text }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{text === "" ? <Status look="act">Missing</Status> : <bdi>{text}</bdi>}</dd>
            </div>
          ))}
        </dl>
      </section>
      {texts.map((text) => (
        <TextPanel text={text} shown={shown} request={request} key={text.key} />
      ))}
      <p className="hint">
        None of this is legal advice. Let your adviser read the texts too, above all if you work with children or in
        another country.
      </p>
      <section className="panel" aria-labelledby="read-by">
        <h2 id="read-by">Who has read them</h2>
        <Acts acts={acts} now={now} nothing="Nobody has yet." />
      </section>
    </>
  );
}

function TextPanel({ text, shown, request }: { text: ReadLegalText; shown: Shown; request: ScreenRequest }) {
  const { key, title, digest, path, editPath, isRead, isChanged } = text;
  const id = `text-${key}`;
  const { staff, form } = request;
  const points = [...(toCheck[key] ?? []), ...(key === "privacy" && shown.hasOutsideCaptcha ? [outsideCaptcha] : [])];
  const isOfThis = form?.values.key?.[0] === key;
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id}>{title}</h2>
        <Status look={isRead ? "ok" : "act"}>
          {isRead ? "Read" : isChanged ? "Changed since it was read" : "Nobody has read it"}
        </Status>
      </div>
      <p className="small">What only you know, so that the text may be wrong about it:</p>
      <ul className="dots">
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      <ActionForm action={LEGAL_TEXTS_PATH} id={`read-${key}`} request={{ form: isOfThis ? form : null }}>
        <input type="hidden" name="key" value={key} />
        <input type="hidden" name="digest" value={digest} />
        <div className="acts">
          <a className="btn quiet" href={path} target="_blank" rel="noopener">
            <Icon name="ext" />
            Read it as visitors will
          </a>
          <a className="btn quiet" href={editPath}>
            <Icon name="page" />
            Change the text
          </a>
          {!isRead && staff !== null && hasRight(staff, "settings.change") && (
            <button className="btn" type="submit">
              I have read ‘{title}’, and it is true
            </button>
          )}
        </div>
      </ActionForm>
    </section>
  );
}

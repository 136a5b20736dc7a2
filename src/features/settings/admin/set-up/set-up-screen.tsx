import type { DescribedAct } from "#admin/acts.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { nextSetUpStep, SET_UP_PATH, type SetUp, type SetUpStep, stepActionPath } from "#admin/set-up.ts";
import { Acts } from "#admin/ui/acts.tsx";
import { ActionForm } from "#admin/ui/form.tsx";
import { Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { Requirements } from "#admin/ui/requirements.tsx";
import { StepButtons, stepLooks } from "#admin/ui/set-up-bar.tsx";
import { Status } from "#admin/ui/status.tsx";
import { plural } from "#shared/language.ts";
import { EXAMPLE_TEXTS_ID, GOING_LIVE_PATH } from "../going-live/going-live-part.ts";
import { OPEN_SITE_PATH } from "./set-up-part.ts";

type Shown = {
  readonly setUp: SetUp | null;
  readonly obstacles: readonly string[];
  /** How much that visitors would see still has a text of the example. */
  readonly exampleTexts: number;
  readonly acts: readonly DescribedAct[];
  readonly now: Date;
};

export const setUpScreen = screen<Shown>({
  path: SET_UP_PATH,
  right: "settings.change",
  section: "settings",
  load: async ({ findSetUp, listObstacles, listExampleTexts, listActs, now }) => {
    const setUp = await findSetUp();
    const exampleTexts = setUp === null ? 0 : (await listExampleTexts()).length;
    const names = ["", ...(setUp?.steps ?? []).map(({ name }) => name)];
    const acts = await listActs(names.map((name) => ({ subject: "set-up", subjectId: name })));
    return { setUp, obstacles: listObstacles(), exampleTexts, acts, now: now() };
  },
  title: () => "Set up your site",
  body: (shown, request) =>
    shown.setUp === null ? <Finished /> : <Steps shown={shown} setUp={shown.setUp} request={request} />,
});

function Finished() {
  return (
    <>
      <PageHead title="Set up your site" />
      <Note look="ok" title="There is nothing left to set up">
        Everything that the steps asked for can be changed at any time under{" "}
        <a href="/admin/settings/organisation">Settings</a> and <a href="/admin/pages">Content</a>.
      </Note>
    </>
  );
}

function Steps({ shown, setUp, request }: { shown: Shown; setUp: SetUp; request: ScreenRequest }) {
  const { isOpen, steps, missingForLive } = setUp;
  const next = nextSetUpStep(setUp);
  return (
    <>
      <PageHead
        title="Set up your site"
        about="Take the steps in any order. You can stop at any time: everything is kept, and your dashboard leads back here."
      >
        {next !== undefined && (
          <a className="btn" href={next.paths[0]}>
            {next.state === "open" ? "Next" : "Back to"}: {next.title}
          </a>
        )}
      </PageHead>
      {!isOpen && (
        <div className="editor-note">
          <Note look="warn" title="Visitors do not see the site yet">
            They see a page that says that it is being set up. You see the site while you are logged in:{" "}
            <a href="/" target="_blank" rel="noopener">
              look at it
            </a>
            .
          </Note>
        </div>
      )}
      <ol className="set-up-list">
        {steps.map((step) => (
          <StepRow step={step} request={request} key={step.name} />
        ))}
      </ol>
      <OpenPanel setUp={setUp} shown={shown} request={request} />
      <section className="panel" aria-labelledby="set-up-live">
        <div className="panel-head">
          <h2 id="set-up-live">Missing for going live</h2>
          <a href={GOING_LIVE_PATH}>All requirements</a>
        </div>
        {missingForLive.length === 0 ? (
          <p>Nothing: every requirement of real payments is met.</p>
        ) : (
          <>
            <p className="small">
              Names in capitals are settings of the server. <a href={mailtoOf(missingForLive)}>Email this list</a> to
              whoever runs it.
            </p>
            <Requirements results={missingForLive} />
          </>
        )}
      </section>
      <section className="panel" aria-labelledby="set-up-acts">
        <h2 id="set-up-acts">Who did what</h2>
        <Acts acts={shown.acts} now={shown.now} nothing="Nobody has finished or skipped a step yet." />
      </section>
    </>
  );
}

/** An email of one's own mail program; nothing in it is secret. */
function mailtoOf(missing: SetUp["missingForLive"]): string {
  const body = [
    "Before our website can take donations, its server needs:",
    "",
    ...missing.map((one) => `- ${one.sentence}`),
  ];
  const text = `${body.join("\r\n")}\r\n\r\ndocs/operations.md, ‘Going live’, explains each of them.`;
  return `mailto:?subject=${encodeURIComponent("Settings for our website")}&body=${encodeURIComponent(text)}`;
}

function StepRow({ step, request }: { step: SetUpStep; request: ScreenRequest }) {
  const { title, about, paths, state, missing, name } = step;
  return (
    <li>
      <div className="panel-head">
        <h2>
          <a href={paths[0]}>{title}</a>
        </h2>
        <Status look={stepLooks[state].look} icon={stepLooks[state].icon}>
          {stepLooks[state].text}
        </Status>
      </div>
      <p>{about}</p>
      {missing.length > 0 && (
        <ul className="dots small">
          {missing.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      <ActionForm action={stepActionPath(name)} id={`step-${name}`} request={request}>
        <div className="acts">
          <StepButtons step={step} />
        </div>
      </ActionForm>
    </li>
  );
}

type OpenProps = { readonly setUp: SetUp; readonly shown: Shown; readonly request: ScreenRequest };

function OpenPanel({ setUp: { isOpen, steps }, shown: { obstacles, exampleTexts }, request }: OpenProps) {
  const left = steps.filter(({ state }) => state !== "done");
  if (isOpen) return null;
  return (
    <section className="panel" aria-labelledby="set-up-open">
      <h2 id="set-up-open">Open the site</h2>
      {exampleTexts > 0 && (
        <p>
          Read first:{" "}
          <a href={`${GOING_LIVE_PATH}#${EXAMPLE_TEXTS_ID}`}>
            {plural(exampleTexts, {
              one: "one page or section still has the example text",
              other: `${exampleTexts} pages and sections still have the example text`,
            })}
          </a>
          , about the work of an invented charity.
        </p>
      )}
      {obstacles.length > 0 ? (
        <ActionForm action={OPEN_SITE_PATH} id="open-site" request={request}>
          <p>You can show the site to visitors once this is done:</p>
          <ul className="dots">
            {obstacles.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </ActionForm>
      ) : (
        <ActionForm action={OPEN_SITE_PATH} id="open-site" request={request}>
          <p>
            {left.length === 0
              ? "Every step is done. From now on everybody sees the site, and can give."
              : `Everybody will see the site, and can give. You have not done: ${left.map(({ title }) => title).join(", ")}.`}
          </p>
          <p className="hint">
            Make a small donation with a real card first, compare it with the provider’s list, and refund it. Opening
            asks for your passkey.
          </p>
          <div className="acts">
            <button className="btn" type="submit">
              Open the site to visitors
            </button>
          </div>
        </ActionForm>
      )}
    </section>
  );
}

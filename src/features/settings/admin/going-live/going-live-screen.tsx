import { screen } from "#admin/screen.ts";
import { Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { Requirements } from "#admin/ui/requirements.tsx";
import { formatList } from "#shared/language.ts";
import { type LiveResult, type LiveTopic, liveTopics } from "#shared/live-checks.ts";
import type { ExampleText } from "../../server/settings-services.ts";
import { EXAMPLE_TEXTS_ID, GOING_LIVE_PATH, type GoingLive } from "./going-live-part.ts";

type Shown = GoingLive & { readonly exampleTexts: readonly ExampleText[] };

export const goingLiveScreen = screen<Shown>({
  path: GOING_LIVE_PATH,
  right: "settings.see",
  section: "settings",
  menuLabel: "Going live",
  load: async ({ readGoingLive, listExampleTexts }) => ({
    ...readGoingLive(),
    exampleTexts: await listExampleTexts(),
  }),
  title: () => "Going live",
  body: (shown) => <GoingLiveBody shown={shown} />,
});

function GoingLiveBody({ shown: { isLive, isDemo, results, exampleTexts } }: { shown: Shown }) {
  const missing = results.filter(({ isMet }) => !isMet).length;
  return (
    <>
      <PageHead title="Going live" about="What the site needs before it takes real payments." />
      <div className="editor-note">
        {isLive ? (
          <Note look="ok" title="This site takes real payments" />
        ) : (
          <Note
            look={missing === 0 ? "ok" : "warn"}
            title={isDemo ? "Payments are simulated: no money moves" : "Payments are off: donors cannot give yet"}
          >
            {missing === 0
              ? `Every requirement below is met. ${toStart(isDemo)}`
              : `${missing} of ${results.length} requirements are missing. Whoever runs the server meets them in its settings. ${toStart(isDemo)}`}
          </Note>
        )}
      </div>
      {(Object.keys(liveTopics) as LiveTopic[]).map((topic) => (
        <Topic topic={topic} results={results.filter((result) => result.topic === topic)} key={topic} />
      ))}
      {exampleTexts.length > 0 && <ExampleTexts texts={exampleTexts} />}
      <section className="panel" aria-labelledby="yourself">
        <h2 id="yourself">What no program can check</h2>
        <ul className="requirements">
          {yourself.map(({ text, link, path }) => (
            <li key={text}>
              {text}
              {path !== undefined && (
                <>
                  {" "}
                  <a href={path}>{link}</a>
                </>
              )}
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

const toStart = (isDemo: boolean) =>
  isDemo
    ? "A real site begins with an empty database and PAYMENTS=off: this one holds invented donations."
    : "Then they restart the site with PAYMENTS=live.";

const yourself: readonly { readonly text: string; readonly link?: string; readonly path?: string }[] = [
  {
    text: "Legal name, ABN, gift fund and the sentences on receipts are right, and your tax adviser agrees.",
    link: "Organisation",
    path: "/admin/settings/organisation",
  },
  {
    text: "Each cause says rightly whether gifts to it are deductible.",
    link: "What donors give to",
    path: "/admin/catalogue",
  },
  {
    text: "The fees are what you want, and merchant fees are allowed.",
    link: "Fees",
    path: "/admin/settings/fees",
  },
  {
    text: "Your adviser has read the policies, and pages and services say only what is true of you.",
    link: "Pages",
    path: "/admin/pages",
  },
  {
    text: "At least two people are administrators, each with two passkeys.",
    link: "Staff",
    path: "/admin/staff",
  },
  { text: "A backup has been restored once, and something watches whether the site answers." },
  {
    text: "Once it is live: a small donation with a real card arrived, is in the provider’s list, and was refunded.",
    link: "Donations",
    path: "/admin/donations",
  },
];

function ExampleTexts({ texts }: { texts: Shown["exampleTexts"] }) {
  return (
    <section className="panel" aria-labelledby={EXAMPLE_TEXTS_ID}>
      <h2 id={EXAMPLE_TEXTS_ID}>Still the example text: {texts.length}</h2>
      <p>
        The site came with these words about the work of an invented charity, and figures that are not yours. Visitors
        read them as what you say of yourself. Change what is not true of you, or take the page down.
      </p>
      <ul className="requirements">
        {texts.map(({ title, kind, fields, editPath }) => (
          <li key={editPath}>
            <a href={editPath}>{title}</a> ({kind}): {formatList(fields, "comma")}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Topic({ topic, results }: { topic: LiveTopic; results: readonly LiveResult[] }) {
  const id = `topic-${topic}`;
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>{liveTopics[topic]}</h2>
      <Requirements results={results} />
    </section>
  );
}

import type { DescribedAct } from "#admin/acts.ts";
import { hasRight } from "#admin/rights.ts";
import { type Screen, type ScreenRequest, screen } from "#admin/screen.ts";
import { Acts } from "#admin/ui/acts.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { Status } from "#admin/ui/status.tsx";
import { When } from "#admin/ui/when.tsx";
import type { Organisation } from "#shared/organisation.ts";
import { isPlaceholder } from "#shared/organisation.ts";
import { listValues, type OrganisationGroup, organisationGroups, textOf } from "../../organisation-fields.ts";
import type { BankAccountRequest } from "../../server/bank-account-requests.ts";
import type { OrganisationVersion } from "../../server/organisation-store.ts";
import { requestPath } from "./bank-accounts-part.ts";
import { bankAccountsScreen } from "./bank-accounts-screen.tsx";
import { groupScreen } from "./organisation-form.tsx";
import { groupPath, ORGANISATION_PATH } from "./organisation-part.ts";

type Shown = {
  readonly version: OrganisationVersion;
  readonly delivered: Organisation;
  /** New bank accounts that wait for another administrator. */
  readonly asked: BankAccountRequest | null;
  readonly acts: readonly DescribedAct[];
  readonly now: Date;
};

const overview = screen<Shown>({
  path: ORGANISATION_PATH,
  right: "settings.see",
  section: "settings",
  menuLabel: "Organisation",
  load: async ({ readOrganisationVersion, deliveredOrganisation, findOpenBankAccountRequest, listActs, now }) => {
    const about = organisationGroups.map(({ name }) => ({ subject: "organisation", subjectId: name }));
    const reads = [readOrganisationVersion(), findOpenBankAccountRequest(), listActs(about)] as const;
    const [version, asked, acts] = await Promise.all(reads);
    return { version, delivered: deliveredOrganisation, asked, acts, now: now() };
  },
  title: () => "Organisation",
  body: (shown, request) => <Overview shown={shown} request={request} />,
});

function Overview({ shown, request }: { shown: Shown; request: ScreenRequest }) {
  const { version, delivered, asked, acts, now } = shown;
  const mayChange = request.staff !== null && hasRight(request.staff, "settings.change");
  return (
    <>
      <PageHead title="Organisation" about="What header, footer, contact page, emails and receipts say about you." />
      {version.faults.length > 0 && (
        <div className="editor-note">
          <Note look="bad" title="SQL has made these settings invalid, so the site ignores that change">
            {version.faults.join(" ")} Saving anything here replaces the change. The database keeps it in its history.
          </Note>
        </div>
      )}
      {asked !== null && (
        <div className="editor-note">
          <Note title="New bank accounts wait for another administrator">
            <bdi>{asked.requestedBy.name}</bdi> asked for them. Donors see the accounts below until then.{" "}
            <a href={requestPath(asked.id)}>See what would change</a>
          </Note>
        </div>
      )}
      {organisationGroups.map((group) => (
        <GroupPanel group={group} version={version} delivered={delivered} mayChange={mayChange} key={group.name} />
      ))}
      <section className="panel" aria-labelledby="history">
        <h2 id="history">What was changed</h2>
        <Acts acts={acts} now={now} nothing="Nothing has been changed yet." />
        {version.savedAt !== null && version.savedBy === null && (
          <p className="hint">
            SQL changed these settings last, <When at={version.savedAt} now={now} />.
          </p>
        )}
      </section>
    </>
  );
}

type GroupProps = {
  readonly group: OrganisationGroup;
  readonly version: OrganisationVersion;
  readonly delivered: Organisation;
  readonly mayChange: boolean;
};

function GroupPanel({ group, version: { organisation }, delivered, mayChange }: GroupProps) {
  const id = `group-${group.name}`;
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id}>{group.title}</h2>
        {mayChange && (
          <a className="btn quiet" href={groupPath(group)} aria-label={`Change: ${group.title}`}>
            <Icon name="sliders" />
            Change
          </a>
        )}
      </div>
      <dl className="kv wide">
        {listValues(group).map(({ name, label }) => {
          const text = textOf(organisation, name);
          return (
            <div key={name}>
              <dt>{label}</dt>
              <dd className="as-typed">
                {isPlaceholder(name, text) ? (
                  <Status look="act">To fill in</Status>
                ) : text === "" ? (
                  <span className="muted">Nothing</span>
                ) : (
                  <bdi>{wordsFor(text)}</bdi>
                )}
                {text !== textOf(delivered, name) && (
                  <>
                    {" "}
                    <Status look="plain" icon="note">
                      Changed here
                    </Status>
                  </>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}

const yesAndNo: Readonly<Record<string, string>> = { yes: "Yes", no: "No" };
const wordsFor = (text: string) => yesAndNo[text] ?? text;

export const organisationScreens: readonly Screen[] = [
  overview,
  bankAccountsScreen,
  ...organisationGroups.map(groupScreen),
];

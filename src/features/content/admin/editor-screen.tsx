import { randomUUID } from "node:crypto";
import { type FilledForm, type Screen, type ScreenRequest, screen } from "#admin/screen.ts";
import { EventViews } from "#admin/ui/event-views.tsx";
import { ActionForm, type Option } from "#admin/ui/form.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { Status } from "#admin/ui/status.tsx";
import { When } from "#admin/ui/when.tsx";
import { textLines } from "#shared/html/text-lines.ts";
import { clockIn, dayInSydney } from "#shared/language.ts";
import type { Item, Version } from "../server/editing/items.ts";
import {
  type ContentData,
  canTakeDown,
  type Kind,
  readContent,
  rightsOf,
  toText,
  withDelivered,
  withoutDelivered,
} from "../server/editing/kind.ts";
import { canPutAside } from "../server/editing/write.ts";
import { ContentFieldInput } from "./content-field.tsx";
import type { EditedItem } from "./editing-reads.ts";
import { CallOffLink, CopyEventForm } from "./events/copy-event-form.tsx";
import { agreementToMove } from "./events/moved-event.ts";
import { describeState } from "./item-words.ts";
import { LeftOut } from "./left-out.tsx";
import { mayChange } from "./list-screen.tsx";
import { BeforePublishing, PreviewPanel, PublishPanel, type PublishState } from "./publish-panel.tsx";
import { VersionChanges } from "./version-changes.tsx";

const newPath = (kind: Kind) => `/admin/${kind.name}/new`;

export function newItemScreen(kind: Kind): Screen {
  return screen<{ now: Date; funds: readonly Option[] }>({
    path: newPath(kind),
    right: rightsOf(kind).change,
    section: kind.section ?? "content",
    load: async ({ listFunds, now }) => ({ now: now(), funds: await fundsFor(kind, listFunds) }),
    title: () => kind.words.write,
    body: ({ now, funds }, request) => {
      const today = dayInSydney(now);
      const minute = clockIn("Australia/Sydney", now).slice(0, 16);
      const start = kind.begin?.(now) ?? { published_on: today, image_date: today, starts_at: minute };
      const state = { isNew: true, isPublished: false, scheduled: null };
      return (
        <>
          <PageHead title={kind.words.write} crumbs={[{ label: kind.words.plural, path: `/admin/${kind.name}` }]} />
          <EditorForm kind={kind} funds={funds} request={request} state={state} action={newPath(kind)} data={start}>
            <input type="hidden" name="form" value={request.form?.values.form?.[0] ?? randomUUID()} />
          </EditorForm>
        </>
      );
    },
  });
}

type Edited = {
  readonly edited: EditedItem;
  /** The version that the form began from; null unless somebody has saved since. */
  readonly base: Version | null;
  readonly funds: readonly Option[];
  readonly now: Date;
};

/** The causes to choose from, if the kind has a field for one. */
const fundsFor = async ({ fields }: Kind, listFunds: () => Promise<readonly Option[]>) =>
  fields.some(({ input }) => input === "fund") ? listFunds() : [];

/** An item as it was last saved. */
export function editorScreen(kind: Kind): Screen {
  return screen<Edited>({
    path: `/admin/${kind.name}/:id`,
    right: rightsOf(kind).see,
    section: kind.section ?? "content",
    load: async ({ findContent, findContentVersion, listFunds, now }, { params, form }) => {
      const edited = await findContent(kind, params.id!);
      if (edited === null) return null;
      const from = Number(form?.values.from?.[0] ?? edited.item.latest);
      const isOld = Number.isInteger(from) && from !== edited.item.latest;
      const base = isOld ? await findContentVersion(edited.item.id, from) : null;
      return { edited, base, funds: await fundsFor(kind, listFunds), now: now() };
    },
    title: ({ edited }) => String(edited.version.data.title),
    body: (shown, request) => <EditorBody kind={kind} shown={shown} request={request} />,
  });
}

function EditorBody({ kind, shown, request }: { kind: Kind; shown: Edited; request: ScreenRequest }) {
  const { edited, base, funds, now } = shown;
  const { item, version } = edited;
  const action = `/admin/${kind.name}/${item.id}`;
  const note = kind.note?.(item.key) ?? null;
  const { scheduled, published, latest } = item;
  return (
    <>
      <EditorHead kind={kind} edited={edited} now={now} />
      {kind.name === "events" && (
        <EventViews id={item.id} here="details" staff={request.staff} callOff={edited.callOff} />
      )}
      {note !== null && (
        <div className="editor-note">
          <Note>{note}</Note>
        </div>
      )}
      {published !== null && published > latest && (
        <ChangedOutside compare={`${action}/history?before=${published}&after=${latest}`} />
      )}
      {mayChange(request, kind) ? (
        <EditorForm
          kind={kind}
          action={action}
          funds={funds}
          request={request}
          data={withDelivered(version.data, edited.delivered)}
          state={{
            isNew: false,
            isPublished: published === latest,
            scheduled,
            away: listAway(kind, item),
          }}
          edited={edited}
          conflict={base && request.form && <Conflict kind={kind} base={base} edited={edited} form={request.form} />}
        >
          <input type="hidden" name="from" value={latest} />
        </EditorForm>
      ) : (
        <ReadOnly kind={kind} edited={edited} />
      )}
      {kind.name === "events" && mayChange(request, kind) && (
        <>
          <CopyEventForm id={item.id} request={request} />
          {edited.callOff === null && <CallOffLink id={item.id} />}
        </>
      )}
    </>
  );
}

/** The item's title and state, who saved it last, and where else it can be seen. */
function EditorHead({ kind, edited: { item, version, path }, now }: { kind: Kind } & Pick<Edited, "edited" | "now">) {
  const { latest, published, wasPublished, isPutAside, scheduled } = item;
  const { text, look } = describeState({
    latest,
    published,
    wasPublished,
    isPutAside,
    scheduledAt: scheduled?.at ?? null,
  });
  return (
    <PageHead
      title={<bdi>{String(version.data.title)}</bdi>}
      about={
        <>
          <Status look={look}>{text}</Status> <SavedLine version={version} now={now} />
        </>
      }
      crumbs={[{ label: kind.words.plural, path: `/admin/${kind.name}` }]}
    >
      {published !== null && (
        <a className="btn plain" href={path}>
          <Icon name="ext" />
          See it on the site
        </a>
      )}
      <a className="btn plain" href={`/admin/${kind.name}/${item.id}/history`}>
        <Icon name="history" />
        History
      </a>
    </PageHead>
  );
}

/** How this item can be put out of sight, or back. */
function listAway(kind: Kind, item: Item): PublishState["away"] {
  if (item.published !== null) return canTakeDown(kind, item.key) ? "take-down" : undefined;
  if (item.isPutAside) return "bring-back";
  return canPutAside(item) ? "put-aside" : undefined;
}

/** Shown if SQL changed the item while somebody was working on a draft. */
function ChangedOutside({ compare }: { compare: string }) {
  return (
    <div className="editor-note">
      <Note look="warn" title="What visitors see has changed outside the back office">
        This draft began before that. <a href={compare}>Compare them</a> before you publish it.
      </Note>
    </div>
  );
}

function SavedLine({ version: { number, savedAt, savedBy }, now }: { version: Version; now: Date }) {
  return (
    <span className="small muted">
      Version {number}, <When at={savedAt} now={now} />
      {savedBy !== null && (
        <>
          , <bdi>{savedBy.name}</bdi>
        </>
      )}
    </span>
  );
}

type FormProps = {
  kind: Kind;
  action: string;
  data: ContentData;
  funds: readonly Option[];
  request: ScreenRequest;
  state: PublishState;
  edited?: EditedItem;
  conflict?: React.ReactNode;
  children: React.ReactNode;
};

function EditorForm(props: FormProps) {
  const { kind, action, data, funds, request, state, edited, conflict, children } = props;
  return (
    <ActionForm action={action} id="content" request={request}>
      {children}
      {conflict}
      {request.form?.state === "checking" && <LeftOut kind={kind} form={request.form} />}
      {request.form?.state === "checking" && <AgreedMove kind={kind} form={request.form} />}
      <div className="split">
        <div>
          {kind.fields.map((field) => (
            <ContentFieldInput field={field} value={data[field.name]} funds={funds} key={field.name} />
          ))}
        </div>
        <aside aria-label="Publishing">
          <PublishPanel state={state} request={request} />
          {edited && <BeforePublishing checks={edited.checks} />}
          {edited && <PreviewPanel edited={edited} />}
        </aside>
      </div>
    </ActionForm>
  );
}

/** Sending the form again means agreeing to what it does to the people who have tickets. */
function AgreedMove({ kind, form }: { kind: Kind; form: FilledForm }) {
  const read = kind.name === "events" ? readContent(kind, typedIn(form), null) : null;
  if (read === null || "errors" in read) return null;
  return <input type="hidden" name="agreedMove" value={agreementToMove(kind.tidy?.(read.data) ?? read.data)} />;
}

const typedIn = ({ values }: FilledForm) =>
  Object.fromEntries(Object.entries(values).map(([name, given]) => [name, given[0] ?? ""]));

/** What somebody else has saved in the meantime, beside what was typed. */
function Conflict(props: { kind: Kind; base: Version; edited: EditedItem; form: FilledForm }) {
  const { kind, base, form } = props;
  const { version: theirs, delivered } = props.edited;
  const read = readContent(kind, withoutDelivered(typedIn(form), delivered), base.data);
  if ("errors" in read) return null;
  return (
    <section className="editor-note" aria-label="Both versions">
      <VersionChanges
        kind={kind}
        before={{
          title: `Version ${theirs.number}, by ${theirs.savedBy?.name ?? "somebody outside"}`,
          data: theirs.data,
        }}
        after={{ title: "What you typed, below", data: read.data }}
      />
      <p>
        Saving keeps your text below as the latest version. <a href={form.action}>Keep theirs instead</a>: yours stays
        in the history.
      </p>
    </section>
  );
}

/** The item for people who may read it but not change it: of a text its words, not its HTML. */
function ReadOnly({ kind, edited: { version, delivered } }: { kind: Kind; edited: EditedItem }) {
  const data = withDelivered(version.data, delivered);
  return (
    <dl className="kv">
      {kind.fields.map(({ name, label, input }) => (
        <div key={name}>
          <dt>{label}</dt>
          <dd className="as-typed" dir="auto">
            {(input === "html" ? textLines(toText(data[name])) : toText(data[name])) || "–"}
          </dd>
        </div>
      ))}
    </dl>
  );
}

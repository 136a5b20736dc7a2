import { type DashboardPart, MAX_NAMED, nameFirst, type WaitingLine } from "#admin/dashboard.ts";
import type { AdminPart } from "#admin/feature.ts";
import type { SearchPart } from "#admin/search.ts";
import { plainText } from "#shared/contract/plain-line.ts";
import { plural } from "#shared/language.ts";
import { takeInRows } from "../server/editing/items.ts";
import { type Kind, rightsOf } from "../server/editing/kind.ts";
import { kinds } from "../server/editing/kinds.ts";
import { countLate, countStates, listItems, listTitles } from "../server/editing/list-items.ts";
import { contentAuditFields, contentAuditWords } from "./audit-words.ts";
import type { ContentAdminServices } from "./content-services.ts";
import { editingReads } from "./editing-reads.ts";
import { copyEventAction } from "./events/copy-event.ts";
import { externalLinksPart } from "./external-links/external-links-part.ts";
import { describeState } from "./item-words.ts";
import { messagesPart } from "./messages/messages-part.ts";
import { picturesPart } from "./pictures/pictures-part.ts";
import { redirectsPart } from "./redirects/redirects-part.ts";
import { saveActions } from "./save-actions.ts";

/** What content adds to the back office’s server: one part for each kind. */
export function contentAdmin(services: ContentAdminServices): readonly AdminPart[] {
  return [
    { reads: editingReads(services), auditFields: contentAuditFields },
    ...kinds.map((kind) => kindPart(services, kind)),
    { actions: [copyEventAction(services)], auditWords: { "events.copy": "copied" } },
    picturesPart(services),
    redirectsPart(services),
    externalLinksPart(services),
    messagesPart(services),
  ];
}

const kindPart = (services: ContentAdminServices, kind: Kind): AdminPart => ({
  actions: saveActions(services, kind),
  dashboard: [dashboardPart(services, kind)],
  search: [searchPart(services, kind)],
  auditWords: contentAuditWords(kind),
  auditSubjects: {
    [kind.name]: {
      label: kind.words.one,
      group: kind.words.plural,
      path: (id) => `/admin/${kind.name}/${id}`,
      listNames: (ids) => listTitles(services.database, ids.map(Number)),
      find: async (text) => (await findTitled(services, kind, text)).map(({ id }) => String(id)),
    },
  },
});

/** The scheduled task runs every few seconds: if something is later than this, it could not be published. */
const LATE_MS = 60_000;

const dashboardPart = ({ database, now }: ContentAdminServices, kind: Kind): DashboardPart => ({
  right: rightsOf(kind).change,
  listWaiting: async () => {
    const [{ draft }, late] = await Promise.all([
      countStates(database, kind),
      countLate(database, kind, new Date(now().getTime() - LATE_MS)),
    ]);
    const { draftsWaiting, plural: linkText } = kind.words;
    const waiting: WaitingLine[] = [];
    if (draft > 0) {
      const sentence = plural(draft, { one: draftsWaiting.one, other: draftsWaiting.other(draft) });
      const filter = { q: "", state: "draft" } as const;
      const drafts = await listItems(database, kind, { filter, limit: MAX_NAMED, offset: 0 });
      const text = nameFirst(
        sentence,
        drafts.map(({ title }) => title),
        draft,
      );
      waiting.push({ text, linkText, path: `/admin/${kind.name}?state=draft`, look: "act" });
    }
    if (late > 0) {
      const text = plural(late, {
        one: "Something could not be published at its time.",
        other: `${late} things were to be published by now, and could not be.`,
      });
      waiting.push({ text, linkText, path: `/admin/${kind.name}?state=scheduled`, look: "bad" });
    }
    return waiting;
  },
});

const MAX_HITS = 5;

async function findTitled({ database }: ContentAdminServices, kind: Kind, text: string) {
  await takeInRows(database, kind);
  return listItems(database, kind, { filter: { q: plainText(text), state: null }, limit: MAX_HITS, offset: 0 });
}

const searchPart = (services: ContentAdminServices, kind: Kind): SearchPart => ({
  right: rightsOf(kind).see,
  find: async (text) => {
    const hits = (await findTitled(services, kind, text)).map((item) => ({
      label: item.title,
      detail: describeState(item).text,
      path: `/admin/${kind.name}/${item.id}`,
    }));
    return [{ title: kind.words.plural, icon: "page", hits }];
  },
});

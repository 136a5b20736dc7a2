import { dayInSydney } from "#shared/language.ts";
import { fillInNames, type Organisation } from "#shared/organisation.ts";
import type { Menus } from "#shared/pages/frame.ts";
import { type Page, page } from "#shared/pages/page.ts";
import { ownPagePath, paths } from "#shared/paths.ts";
import { Prose } from "#shared/ui/prose.tsx";
import type { LegalPageType, OwnPage, Service, WrittenPage, WrittenPageType } from "../content.ts";
import { legalLinks, listBeside, worldLink } from "../menu-links.ts";
import { type ServiceType, servicePaths } from "../services.ts";
import { ContentLayout, type ContentPlace, type Neighbours } from "./content-layout.tsx";
import { Day } from "./day.tsx";
import { ServicePage } from "./services/service-page.tsx";
import { WorldPage } from "./services/world-page.tsx";

const legalTypes = ["privacy", "refunds", "terms", "accessibility"] as const satisfies LegalPageType[];
const policies: Neighbours = { label: "Policies", links: legalLinks };

export const writtenPages: readonly Page[] = [
  written(paths.chairmanMessage, "msg_chairman", ({ supports }) => `Portrait of the chairman of ${supports}`),
  written(paths.recognition, "recognition"),
  written(paths.vision, "vision"),
  page<OwnPage>({
    path: ownPagePath(":slug"),
    load: ({ findOwnPage }, { params }) => findOwnPage(params.slug!),
    head: ({ title, description, picture }, { path }) => ({
      title,
      description,
      picture,
      trail: [
        { label: "Home", path: paths.home },
        { label: title, path },
      ],
    }),
    body: (data, place) => <OwnPageView page={data} place={place} menus={place.menus} />,
  }),
  ...Object.entries(servicePaths).map(([type, path]) => service(path, type as ServiceType)),
  page({
    path: "/:organisation-world",
    load: async ({ findWrittenPage }, { params }, { slug }) =>
      params.organisation === slug ? findWrittenPage("world") : null,
    head: (world, { organisation }) => ({
      title: worldLink(organisation).label,
      description: describe(world, organisation),
      picture: world.picture,
    }),
    body: (world, place) => <WorldPage page={world} place={place} />,
  }),
  ...legalTypes.map(legal),
];

const describe = ({ description }: WrittenPage, organisation: Organisation) =>
  fillInNames({ description }, organisation).description;

/** Title, picture and text come from the server (PAGE-1). */
function written(path: string, type: WrittenPageType, alt?: (organisation: Organisation) => string): Page {
  return page<WrittenPage>({
    path,
    load: ({ findWrittenPage }) => findWrittenPage(type),
    head: (written, { organisation }) => ({
      title: written.title,
      description: describe(written, organisation),
      picture: written.picture,
    }),
    body: (data, place) => (
      <WrittenPageView
        page={data}
        place={{ ...place, neighbours: listBeside(place.menus, path, "organisation") }}
        alt={alt?.(place.organisation)}
      />
    ),
  });
}

function legal(type: LegalPageType): Page {
  const path = paths[type];
  return page<WrittenPage>({
    path,
    load: ({ findLegalPage }) => findLegalPage(type),
    head: (written, { organisation }) => ({
      title: written.title,
      description: describe(written, organisation),
      picture: written.picture,
      trail: [
        { label: "Home", path: paths.home },
        { label: written.title, path },
      ],
    }),
    body: (data, place) => <LegalPage page={data} place={{ ...place, neighbours: policies }} />,
  });
}

function service(path: string, type: ServiceType): Page {
  return page<Service>({
    path,
    load: ({ findService }) => findService(type),
    head: ({ title, summary, picture }) => ({ title, description: summary, picture }),
    body: (found, place) => (
      <ServicePage service={found} place={{ ...place, neighbours: listBeside(place.menus, path, "services") }} />
    ),
  });
}

/** Chairman's message, recognition or vision, from the server (PAGE-1). */
function WrittenPageView({ page, place, alt }: { page: WrittenPage; place: ContentPlace; alt?: string | undefined }) {
  return (
    <ContentLayout place={place} title={page.title} picture={page.picture} alt={page.alt ?? alt}>
      <Prose html={page.html} className="written" />
    </ContentLayout>
  );
}

/** A page that the charity has added; beside it the list of the menu that it is in, if any. */
function OwnPageView({ page, place, menus }: { page: OwnPage; place: ContentPlace; menus: Menus }) {
  const { title, summary, html, picture, alt } = page;
  return (
    <ContentLayout
      place={{ ...place, neighbours: listBeside(menus, place.path) }}
      title={title}
      {...(summary !== "" && { lede: summary })}
      picture={picture}
      alt={alt}
    >
      <Prose html={html} className="written" />
    </ContentLayout>
  );
}

/** A policy: a long text with only the other policies beside it (PAGE-9). */
function LegalPage({ page, place }: { page: WrittenPage; place: ContentPlace }) {
  return (
    <ContentLayout place={place} title={page.title} picture={page.picture} alt={page.alt} isQuiet>
      <Prose html={page.html} className="written" />
      <p className="muted small changed">
        Last changed on <Day date={dayInSydney(page.updatedAt)} />
      </p>
    </ContentLayout>
  );
}

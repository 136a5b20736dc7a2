import type { LegalPageType, WrittenPage, WrittenPageType } from "#features/content/content.ts";
import type { Neighbours } from "#features/content/ui/content-layout.tsx";
import { ambulanceFund } from "#features/content/ui/services/ambulance-fund.tsx";
import { fightAgainstHunger } from "#features/content/ui/services/fight-against-hunger.tsx";
import { floodRelief } from "#features/content/ui/services/flood-relief.tsx";
import { homeAndOrphanage } from "#features/content/ui/services/home-and-orphanage.tsx";
import { patientCare } from "#features/content/ui/services/patient-care.tsx";
import { rehabilitationCenter } from "#features/content/ui/services/rehabilitation-center.tsx";
import { type Service, ServicePage } from "#features/content/ui/services/service-page.tsx";
import { WorldPage } from "#features/content/ui/services/world-page.tsx";
import { LegalPage } from "#features/content/ui/written/legal-page.tsx";
import { WrittenPageView } from "#features/content/ui/written/written-page.tsx";
import { describeDrawing } from "#shared/images/drawings.ts";
import type { Picture } from "#shared/images/picture.ts";
import type { Organisation } from "#shared/organisation.ts";
import { paths } from "#shared/paths.ts";
import { type Page, page } from "./rendering/page.ts";
import { legalLinks, type MenuLink, organisationLinks, serviceLinks, worldLink } from "./shell/menu.ts";

const [privacy, refunds, terms, accessibility] = legalLinks;
const policies: Neighbours = { label: "Policies", links: legalLinks };
const [chairmansMessage, recognition, vision] = organisationLinks;
const aboutUs: Neighbours = { label: "Organisation", links: organisationLinks };
const ourServices: Neighbours = { label: "Our services", links: serviceLinks };

/** The pages about the organisation, its services and its place in the world. */
export const contentPages: readonly Page[] = [
  written(chairmansMessage, "msg_chairman", {
    describe: ({ supports }) =>
      `What the chairman of ${supports} asks of everybody who works there, and says to friends here.`,
    alt: ({ supports }) => `Portrait of the chairman of ${supports}`,
  }),
  written(recognition, "recognition", {
    describe: ({ name }) =>
      `How ${name} is answerable: its entry on the charity register, its books, and who has recognised its work.`,
  }),
  written(vision, "vision", {
    describe: ({ name }) => `What ${name} wants to see, what it does towards that every day, and what it holds to.`,
  }),
  service(paths.ambulanceFund, ambulanceFund, "ambulance"),
  service(paths.fightAgainstHunger, fightAgainstHunger, "dastarkhwan-meal"),
  service(paths.homeAndOrphanage, homeAndOrphanage, "homes-courtyard"),
  picturedService(paths.patientCare, patientCare, "patient_care"),
  picturedService(paths.rehabilitationCenter, rehabilitationCenter, "rehabilitation_center"),
  picturedService(paths.floodRelief, floodRelief, "flood_relief"),
  page({
    path: "/:organisation-world",
    load: async ({ findWrittenPage }, { params }, { slug }) =>
      params.organisation === slug ? findWrittenPage("world") : null,
    head: (world, { organisation }) => ({
      title: worldLink(organisation).label,
      description: `Who does what between ${organisation.name} and ${organisation.supports}, and where to read more.`,
      picture: world.picture,
    }),
    body: (world, place) => <WorldPage page={world} place={place} />,
  }),
  legal(
    privacy,
    "privacy",
    (name) => `What ${name} collects on this website and why, who receives it, and your rights.`,
  ),
  legal(
    refunds,
    "refunds",
    (name) => `When ${name} refunds donations and event tickets, how to ask, and how long it takes.`,
  ),
  legal(terms, "terms", (name) => `The terms for donations, tickets and accounts on the website of ${name}.`),
  legal(
    accessibility,
    "accessibility",
    (name) => `How accessible the website of ${name} is, what was tested, and how to tell us about a problem.`,
  ),
];

type Words = {
  readonly describe: (organisation: Organisation) => string;
  readonly alt?: (organisation: Organisation) => string;
};

/** Title, picture and text are the server's (PAGE-1); the window is called what the menu calls the page. */
function written({ path, label }: MenuLink, type: WrittenPageType, { describe, alt }: Words): Page {
  return page<WrittenPage>({
    path,
    load: ({ findWrittenPage }) => findWrittenPage(type),
    head: ({ picture }, { organisation }) => ({ title: label, description: describe(organisation), picture }),
    body: (data, place) => (
      <WrittenPageView page={data} place={{ ...place, neighbours: aboutUs }} alt={alt?.(place.organisation)} />
    ),
  });
}

/** A policy, whose text the organisation writes (PAGE-9). */
function legal({ path, label }: MenuLink, type: LegalPageType, describe: (name: string) => string): Page {
  return page<WrittenPage>({
    path,
    load: ({ findLegalPage }) => findLegalPage(type),
    head: ({ picture }, { organisation: { name } }) => ({
      title: label,
      description: describe(name),
      picture,
      trail: [
        { label: "Home", path: paths.home },
        { label, path },
      ],
    }),
    body: (data, place) => <LegalPage page={data} place={{ ...place, neighbours: policies }} />,
  });
}

/** The text and the drawing are this site's own (PAGE-3). */
function service(path: string, own: Service, drawing: string): Page {
  return serviceRow(path, own, async () => ({
    picture: describeDrawing(`/identity/illustrations/${drawing}.svg`),
  }));
}

/** The text is this site's own, the picture is the server's (PAGE-2). */
function picturedService(path: string, own: Service, type: WrittenPageType): Page {
  return serviceRow(path, own, ({ findWrittenPage }) => findWrittenPage(type));
}

function serviceRow(path: string, own: Service, load: Parameters<typeof page<{ picture: Picture | null }>>[0]["load"]) {
  const { title, description } = own;
  return page({
    path,
    load,
    head: ({ picture }) => ({ title, description, picture }),
    body: ({ picture }, place) => (
      <ServicePage service={own} picture={picture} place={{ ...place, neighbours: ourServices }} />
    ),
  });
}

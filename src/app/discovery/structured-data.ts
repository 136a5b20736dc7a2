import { language } from "#shared/language.ts";
import { type Organisation, organisationId } from "#shared/organisation.ts";
import type { PageContext, PageHead } from "#shared/pages/page.ts";
import { paths } from "#shared/paths.ts";
import type { Crumb } from "#shared/ui/page-navigation.tsx";

type StructuredPage = {
  readonly head: PageHead;
  readonly trail: readonly Crumb[];
  readonly context: PageContext;
};

/** The JSON-LD graph of a page for search engines, as schema.org items (NAV-9). */
export function structuredData({ head, trail, context }: StructuredPage): readonly object[] {
  const { organisation, publicUrl, path } = context;
  return [
    ngo(organisation, publicUrl),
    ...(path === paths.home ? [website(organisation, publicUrl)] : []),
    ...(trail.length > 1 ? [breadcrumbs(trail, context)] : []),
    ...(head.structured ?? []),
  ];
}

function ngo(organisation: Organisation, publicUrl: string) {
  const { name, phone, email, address, abn, socials, nativeName } = organisation;
  return {
    "@type": "NGO",
    "@id": organisationId(publicUrl),
    name,
    ...(nativeName === undefined ? {} : { alternateName: nativeName.text }),
    url: `${publicUrl}/`,
    logo: `${publicUrl}/icons/icon-512.png`,
    telephone: phone,
    email,
    address: { "@type": "PostalAddress", streetAddress: address, addressCountry: "AU" },
    ...(abn === "" ? {} : { taxID: abn }),
    sameAs: Object.values(socials),
  };
}

function website({ name }: Organisation, publicUrl: string) {
  return {
    "@type": "WebSite",
    name,
    url: `${publicUrl}/`,
    inLanguage: language,
    publisher: { "@id": organisationId(publicUrl) },
  };
}

/** Skips steps that are not pages; the last step is the page itself. */
function breadcrumbs(trail: readonly Crumb[], { publicUrl, path }: PageContext) {
  return {
    "@type": "BreadcrumbList",
    itemListElement: trail
      .map((crumb, index) => (index === trail.length - 1 ? { ...crumb, path } : crumb))
      .filter((crumb) => crumb.path !== undefined)
      .map((crumb, index) => ({
        "@type": "ListItem",
        position: index + 1,
        name: crumb.label,
        item: `${publicUrl}${crumb.path}`,
      })),
  };
}

import { Prose } from "#shared/ui/prose.tsx";
import type { WrittenPage } from "../../content.ts";
import { ContentLayout, type ContentPlace } from "../content-layout.tsx";

/** The world page: server content, reference links and a button to the charity's main site (PAGE-4). */
export function WorldPage({ page, place }: { page: WrittenPage; place: ContentPlace }) {
  const { supports, supportsUrl } = place.organisation;
  const label = place.trail.at(-1)?.label ?? page.title;
  return (
    <ContentLayout
      place={place}
      title={label}
      lede={page.title}
      picture={page.picture}
      action={
        supportsUrl !== undefined && (
          <a className="btn btn-on-deep" href={supportsUrl} rel="external noopener">
            Visit the site of {supports}
          </a>
        )
      }
    >
      <Prose html={page.html} className="written" />
      {page.links.length > 0 && <References links={page.links} />}
    </ContentLayout>
  );
}

function References({ links }: Pick<WrittenPage, "links">) {
  return (
    <section className="references" aria-labelledby="references-title">
      <h2 id="references-title">Read more elsewhere</h2>
      <p className="muted">These links lead to other sites.</p>
      <ul>
        {links.map(({ label, url }) => (
          <li key={url}>
            <a href={url} rel="external noopener">
              {label}
            </a>{" "}
            <span className="muted small">{new URL(url).host}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

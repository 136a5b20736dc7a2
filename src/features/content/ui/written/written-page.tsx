import type { WrittenPage } from "../../content.ts";
import { ContentLayout, type ContentPlace } from "../content-layout.tsx";
import { Prose } from "../prose.tsx";

/** Chairman's message, recognition, vision: title, picture and text are the server's (PAGE-1). */
export function WrittenPageView({
  page,
  place,
  alt,
}: {
  page: WrittenPage;
  place: ContentPlace;
  alt?: string | undefined;
}) {
  return (
    <ContentLayout place={place} title={page.title} picture={page.picture} alt={alt}>
      <Prose html={page.html} className="written" />
    </ContentLayout>
  );
}

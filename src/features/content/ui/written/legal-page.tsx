import { dayInSydney } from "#shared/sydney.ts";
import type { WrittenPage } from "../../content.ts";
import { ContentLayout, type ContentPlace } from "../content-layout.tsx";
import { Day } from "../day.tsx";
import { Prose } from "../prose.tsx";

/** A policy: a long text with nothing beside it but the other policies (PAGE-9). */
export function LegalPage({ page, place }: { page: WrittenPage; place: ContentPlace }) {
  return (
    <ContentLayout place={place} title={page.title} picture={page.picture} isQuiet>
      <Prose html={page.html} className="written" />
      <p className="muted small changed">
        Last changed on <Day date={dayInSydney(page.updatedAt)} />
      </p>
    </ContentLayout>
  );
}

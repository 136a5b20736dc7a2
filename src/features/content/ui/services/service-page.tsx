import { Prose } from "#shared/ui/prose.tsx";
import type { Service } from "../../content.ts";
import { ContentLayout, type ContentPlace } from "../content-layout.tsx";
import { Figures, Questions, YourDonation } from "./service-parts.tsx";

/** One of the charity's services: its text, and what happens to a donation to it. */
export function ServicePage({ service, place }: { service: Service; place: ContentPlace }) {
  const { title, lede, giveTo, cause, donation, figures, html, questions, picture, alt } = service;
  return (
    <ContentLayout
      place={place}
      title={title}
      lede={lede}
      giveTo={giveTo}
      cause={cause === "" ? undefined : cause}
      picture={picture}
      alt={alt}
    >
      {figures.length > 0 && <Figures figures={figures} />}
      <Prose html={html} className="written service-text" />
      <div className="prose">
        {questions.length > 0 && <Questions questions={questions} />}
        <YourDonation organisation={place.organisation} donation={donation} />
      </div>
    </ContentLayout>
  );
}

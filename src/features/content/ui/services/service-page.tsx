import type { ComponentType } from "react";
import type { Picture } from "#shared/images/picture.ts";
import { ContentLayout, type ContentPlace } from "../content-layout.tsx";

/** One of the services, with the text that this site itself brings. */
export type Service = {
  readonly title: string;
  /** For search engines and where the page is shared; at most 155 characters. */
  readonly description: string;
  readonly lede: string;
  /** As the call to give names it. */
  readonly giveTo: string;
  /** The key of the donation category that is nearest to it. */
  readonly cause: string;
  readonly Text: ComponentType<ServiceTextProps>;
};
export type ServiceTextProps = Pick<ContentPlace, "organisation">;

/** A service: its picture, its text, the way to give to it (PAGE-2, PAGE-3). */
export function ServicePage({
  service: { title, lede, giveTo, cause, Text },
  picture,
  place,
}: {
  service: Service;
  picture: Picture | null;
  place: ContentPlace;
}) {
  return (
    <ContentLayout place={place} title={title} lede={lede} giveTo={giveTo} cause={cause} picture={picture}>
      <div className="prose">
        <Text organisation={place.organisation} />
      </div>
    </ContentLayout>
  );
}

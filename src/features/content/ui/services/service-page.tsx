import type { ReactNode } from "react";
import type { Picture } from "#shared/images/picture.ts";
import { ContentLayout, type ContentPlace } from "../content-layout.tsx";
import { YourDonation } from "./service-parts.tsx";

/** A service, with text that is part of this site's code. */
export type Service = {
  readonly title: string;
  /** For search engines and shared links; at most 155 characters. */
  readonly description: string;
  readonly lede: string;
  /** The service's name in the call to donate. */
  readonly giveTo: string;
  /** The key of the closest donation category. */
  readonly cause: string;
  /** A sentence on what a donation to it pays for. */
  readonly donation: string;
  readonly text: ReactNode;
};

export function ServicePage({
  service: { title, lede, giveTo, cause, donation, text },
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
        {text}
        <YourDonation organisation={place.organisation} donation={donation} />
      </div>
    </ContentLayout>
  );
}

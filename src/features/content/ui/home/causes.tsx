import { CAUSE_CUT } from "#shared/excerpt.ts";
import { ContentPicture, inCard } from "#shared/images/ui/picture.tsx";
import { causePath } from "../../cause-path.ts";
import type { HomeContent } from "../../content.ts";
import type { HomeTexts } from "../../home-texts.ts";
import { ReadMore } from "../read-more.tsx";
import { Carousel, Slide } from "./carousel.tsx";

type Cause = HomeContent["causes"][number];

type CausesProps = {
  causes: readonly Cause[];
  texts: Pick<HomeTexts, "causesHeading" | "causesLede">;
  takenDown?: readonly string[];
};

/** The causes carousel (HOME-4): three cards at a time. */
export function Causes({ causes, texts, takenDown = [] }: CausesProps) {
  return (
    <section className="section paper-bg causes" aria-labelledby="causes-title">
      <div className="wrap" data-rise="">
        <Carousel
          id="causes-title"
          title={texts.causesHeading}
          lede={texts.causesLede}
          name="Causes"
          previous="Previous causes"
          next="Next causes"
        >
          {causes.map((cause, index) => (
            <Slide key={cause.title} position={index + 1} count={causes.length} className="card">
              <CauseCard cause={cause} path={pathOf(cause, takenDown)} />
            </Slide>
          ))}
        </Carousel>
      </div>
    </section>
  );
}

/** An unknown title, or a page that was taken down, has no link (HOME-6). */
function pathOf({ title }: Cause, takenDown: readonly string[]): string | null {
  const path = causePath(title);
  return path === null || takenDown.includes(path) ? null : path;
}

/** The heading's link covers the whole card, below the toggle. */
function CauseCard({ cause: { title, picture, alt, description }, path }: { cause: Cause; path: string | null }) {
  return (
    <>
      <div className="media">
        <ContentPicture picture={picture} alt={alt ?? ""} sizes={inCard} />
      </div>
      <div className="strip-ajrak" aria-hidden="true" />
      <div className="body">
        <h3 dir="auto">{path === null ? title : <a href={path}>{title}</a>}</h3>
        <ReadMore text={description} cutAt={CAUSE_CUT} about={title} />
      </div>
    </>
  );
}

import { ContentPicture } from "#shared/images/ui/picture.tsx";
import { causePath } from "../../cause-path.ts";
import type { HomeContent } from "../../content.ts";
import { CAUSE_CUT } from "../../excerpt.ts";
import { ReadMore } from "../read-more.tsx";
import { CarouselControls } from "./carousel-controls.tsx";

type Cause = HomeContent["causes"][number];

/** The causes carousel (HOME-4): a list that scrolls by itself, three cards a turn once its script runs. */
export function Causes({ causes }: { causes: readonly Cause[] }) {
  return (
    <section className="section paper-bg causes" aria-labelledby="causes-title">
      <div className="wrap" data-rise="">
        {/* biome-ignore lint/a11y/useSemanticElements: the carousel pattern is a group with a role description. */}
        <div
          className="carousel"
          role="group"
          aria-roledescription="carousel"
          aria-labelledby="causes-title"
          data-enhance="carousel"
        >
          <div className="sec-head">
            <div>
              <h2 id="causes-title">Our causes</h2>
              <p className="lede">
                Every call answered, every cloth laid, every door open. Choose the work you want to stand behind.
              </p>
            </div>
            <CarouselControls of="causes" />
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard. */}
          <section className="car-track" tabIndex={0} aria-label="Causes">
            {causes.map((cause, index) => (
              <CauseCard key={cause.title} cause={cause} position={`${index + 1} of ${causes.length}`} />
            ))}
          </section>
        </div>
      </div>
    </section>
  );
}

/** The heading holds the link, stretched over the card; the toggle lies above it. An unknown title gets no link (HOME-6). */
function CauseCard({ cause, position }: { cause: Cause; position: string }) {
  const path = causePath(cause.title);
  return (
    // biome-ignore lint/a11y/useSemanticElements: the carousel pattern names each slide by its place.
    <div className="card" role="group" aria-roledescription="slide" aria-label={position}>
      <div className="media">
        <ContentPicture
          picture={cause.picture}
          alt=""
          sizes="(min-width: 1025px) 25rem, (min-width: 641px) 50vw, 100vw"
        />
      </div>
      <div className="strip-ajrak" aria-hidden="true" />
      <div className="body">
        <h3>{path === null ? cause.title : <a href={path}>{cause.title}</a>}</h3>
        <ReadMore text={cause.description} cutAt={CAUSE_CUT} about={cause.title} />
      </div>
    </div>
  );
}

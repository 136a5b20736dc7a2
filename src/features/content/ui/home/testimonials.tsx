import { ContentPicture } from "#shared/images/ui/picture.tsx";
import type { HomeContent } from "../../content.ts";
import { CarouselControls } from "./carousel-controls.tsx";

/** The donors carousel (HOME-7): turns by itself every ten seconds until it is stopped. */
export function Testimonials({ testimonials }: Pick<HomeContent, "testimonials">) {
  return (
    <section className="section tile-bg voices" aria-labelledby="voices-title">
      <div className="wrap" data-rise="">
        {/* biome-ignore lint/a11y/useSemanticElements: the carousel pattern is a group with a role description. */}
        <div
          className="carousel"
          role="group"
          aria-roledescription="carousel"
          aria-labelledby="voices-title"
          data-enhance="carousel"
          data-every="10000"
        >
          <div className="sec-head">
            <div>
              <h2 id="voices-title">Our donors</h2>
              <p className="lede">People across Australia who keep the water flowing.</p>
            </div>
            <CarouselControls of="donors" rotates />
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard. */}
          <section className="car-track by-width" tabIndex={0} aria-label="Donors">
            {testimonials.map(({ picture, title }, index) => (
              // biome-ignore lint/a11y/useSemanticElements: the carousel pattern names each slide by its place.
              <div
                key={title}
                role="group"
                aria-roledescription="slide"
                aria-label={`${index + 1} of ${testimonials.length}`}
              >
                <figure className="face">
                  <span className="jharokha">
                    <ContentPicture picture={picture} alt="" sizes="17rem" />
                  </span>
                  <figcaption>{title}</figcaption>
                </figure>
              </div>
            ))}
          </section>
        </div>
      </div>
    </section>
  );
}

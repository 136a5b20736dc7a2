import type { ComponentProps, ReactNode } from "react";
import { Icon } from "#shared/ui/icon.tsx";
import { ScrollRegion } from "../scroll-region.tsx";

type CarouselProps = {
  readonly id: string;
  readonly title: string;
  readonly lede: string;
  /** 'Donors', and the labels of its buttons: 'Previous donors', 'Next donors'. */
  readonly name: string;
  readonly previous: string;
  readonly next: string;
  /** Milliseconds between automatic turns; none if left out. */
  readonly every?: number;
  readonly className?: string;
  readonly children: ReactNode;
};

/** A heading above a list that scrolls, with controls that work once its script runs. */
export function Carousel({ id, title, lede, name, previous, next, every, className = "", children }: CarouselProps) {
  return (
    <Group what="carousel" className="carousel" aria-labelledby={id} data-enhance="carousel" data-every={every}>
      <div className="sec-head">
        <div>
          <h2 id={id}>{title}</h2>
          {lede !== "" && <p className="lede">{lede}</p>}
        </div>
        <Controls previous={previous} next={next} rotates={every !== undefined} />
      </div>
      <ScrollRegion className={`car-track ${className}`.trim()} label={name}>
        {children}
      </ScrollRegion>
    </Group>
  );
}

type SlideProps = { readonly position: number; readonly count: number; readonly className?: string };

export function Slide({ position, count, className, children }: SlideProps & { readonly children: ReactNode }) {
  return (
    <Group what="slide" className={className} aria-label={`${position} of ${count}`}>
      {children}
    </Group>
  );
}

function Group({ what, ...group }: ComponentProps<"div"> & { readonly what: "carousel" | "slide" }) {
  // biome-ignore lint/a11y/useSemanticElements: the carousel pattern is of groups with a role description.
  return <div role="group" aria-roledescription={what} {...group} />;
}

type ControlsProps = Pick<CarouselProps, "previous" | "next"> & { readonly rotates: boolean };

/** Invisible until the script runs, so that no control does nothing. Their space is reserved from the start. */
function Controls({ previous, next, rotates }: ControlsProps) {
  return (
    <div className="car-ctrl">
      {rotates && (
        <button className="icon-btn" type="button" data-rotation="" aria-label="Stop slide rotation">
          <Icon name="pause" className="when-rotating" />
          <Icon name="play" className="when-still" />
        </button>
      )}
      <button className="icon-btn" type="button" data-turn="-1" aria-label={previous}>
        <Icon name="left" />
      </button>
      <span className="car-dots" aria-hidden="true" />
      <button className="icon-btn" type="button" data-turn="1" aria-label={next}>
        <Icon name="right" />
      </button>
      <span className="sr" aria-live="polite" />
    </div>
  );
}

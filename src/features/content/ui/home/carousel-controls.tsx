import { Icon } from "#shared/ui/icon.tsx";

type CarouselControlsProps = { of: string; rotates?: boolean };

/** Invisible until the carousel's script runs, so that no control is ever dead; their room is kept from the start. */
export function CarouselControls({ of, rotates = false }: CarouselControlsProps) {
  return (
    <div className="car-ctrl">
      {rotates && (
        <button className="icon-btn" type="button" data-rotation="" aria-label="Stop slide rotation">
          <Icon name="pause" className="when-rotating" />
          <Icon name="play" className="when-still" />
        </button>
      )}
      <button className="icon-btn" type="button" data-turn="-1" aria-label={`Previous ${of}`}>
        <Icon name="left" />
      </button>
      <span className="car-dots" aria-hidden="true" />
      <button className="icon-btn" type="button" data-turn="1" aria-label={`Next ${of}`}>
        <Icon name="right" />
      </button>
      <span className="sr" aria-live="polite" />
    </div>
  );
}

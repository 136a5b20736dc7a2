import { Icon, type IconName } from "#shared/ui/icon.tsx";
import sprite from "#shared/ui/identity/brand/icons.svg?raw";
import { Part, Sample } from "./part.tsx";

const kinds = [
  ["", "Next"],
  ["btn-cta", "Donate"],
  ["btn-quiet", "Previous"],
  ["btn-danger", "Delete"],
] as const;

export function Buttons() {
  return (
    <Part id="buttons" title="Buttons and links">
      <Sample title="At rest" note="Marigold means giving, and stands once in a view. Everything else is indigo.">
        <div className="row">
          {kinds.map(([kind, label]) => (
            <button key={label} type="button" className={`btn ${kind}`}>
              {label}
            </button>
          ))}
          <button type="button" className="btn">
            <Icon name="down" />
            With an icon
          </button>
          <a className="btn btn-cta btn-lg" href="#buttons">
            Large
          </a>
        </div>
      </Sample>
      <Sample title="With focus" note="Two rings, so that one of them always contrasts.">
        <div className="row">
          {kinds.map(([kind, label]) => (
            <button key={label} type="button" className={`btn focused ${kind}`}>
              {label}
            </button>
          ))}
        </div>
      </Sample>
      <Sample title="Off" note="It keeps its focus and a sentence says why; pressing it shows the errors.">
        <div className="form-actions">
          <button type="button" className="btn" aria-disabled="true" aria-describedby="off-why">
            Next
          </button>
          <span className="why" id="off-why">
            Please add at least one donation.
          </span>
        </div>
      </Sample>
      <Sample title="Busy" note="While its work is under way, a second press does nothing.">
        <div className="form-actions">
          <button type="button" className="btn btn-cta" aria-disabled="true" aria-describedby="busy-why">
            Donate $106.58
          </button>
          <span className="why" id="busy-why">
            Sending your payment …
          </span>
        </div>
      </Sample>
      <Sample title="On the deep and tile grounds">
        <div className="ground deep">
          <button type="button" className="btn btn-on-deep">
            Read more
          </button>
          <button type="button" className="btn btn-cta">
            Donate Now
          </button>
          <button type="button" className="icon-btn" aria-label="Previous, on deep">
            <Icon name="left" />
          </button>
          <a href="#grounds">Grounds and strips</a>
        </div>
        <div className="ground tile-bg">
          <button type="button" className="btn btn-on-deep">
            Read more
          </button>
          <button type="button" className="icon-btn" aria-label="Next, on tile">
            <Icon name="right" />
          </button>
          <a href="#grounds">Grounds and strips</a>
        </div>
      </Sample>
      <Sample title="Small ones">
        <div className="row">
          <button type="button" className="icon-btn" aria-label="Open the sample menu">
            <Icon name="menu" />
          </button>
          <button type="button" className="link-btn">
            Change
          </button>
          <a href="#icons">The icons below</a>
          <a href="https://www.acnc.gov.au/charity" rel="external">
            The register of charities
          </a>
        </div>
      </Sample>
      <Sample title="A whole line">
        <button type="button" className="btn btn-cta btn-block w-md">
          Continue As a Guest User
        </button>
      </Sample>
    </Part>
  );
}

/** Read from the sprite, so that none is missing. */
const icons = [...sprite.matchAll(/id="i-(\w+)"/g)].map(([, name]) => name as IconName);

export function Icons() {
  return (
    <Part id="icons" title="Icons">
      <ul className="swatches">
        {icons.map((name) => (
          <li key={name} className="glyph">
            <Icon name={name} />
            {name}
          </li>
        ))}
      </ul>
    </Part>
  );
}

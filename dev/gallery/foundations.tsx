import tokens from "#shared/ui/styles/tokens.css?raw";
import { contrast, listPrimitives, pairs, readColours } from "./colours.ts";
import { Part, Sample } from "./part.tsx";

/** A box in one of the colours: an attribute, because the page's policy refuses inline styles. */
function Swatch({ fill, ink }: { fill: string; ink?: string }) {
  return (
    <svg className="swatch" viewBox="0 0 96 48" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <rect width="96" height="48" fill={`var(--${fill})`} />
      {ink !== undefined && <circle cx="48" cy="24" r="13" fill={`var(--${ink})`} />}
    </svg>
  );
}

export function Colours() {
  const light = readColours(tokens, "light");
  const dark = readColours(tokens, "dark");
  const ratio = (colours: typeof light, ink: string, ground: string) =>
    contrast(colours.get(ink)!, colours.get(ground)!).toFixed(1);
  return (
    <Part id="colours" title="Colours">
      <Sample title="What colours are made of" note="Parts never use these; they use the names of the next table.">
        <ul className="swatches">
          {listPrimitives(tokens).map(([name, colour]) => (
            <li key={name}>
              <Swatch fill={name} />
              <b>{name}</b>
              <span className="hint num">{colour}</span>
            </li>
          ))}
        </ul>
      </Sample>
      {([4.5, 3] as const).map((minRatio) => (
        <Sample
          key={minRatio}
          title={minRatio === 3 ? "Lines and marks: at least 3" : "Text: at least 4.5"}
          note="The box shows the colours as they are now; the figures are their contrast in light and in dark."
        >
          <table className="dense">
            <thead>
              <tr>
                <th scope="col">What on what</th>
                <th scope="col">Now</th>
                <th scope="col" className="num">
                  Light
                </th>
                <th scope="col" className="num">
                  Dark
                </th>
              </tr>
            </thead>
            <tbody>
              {pairs
                .filter((pair) => pair[2] === minRatio)
                .map(([ink, ground]) => (
                  <tr key={ink + ground}>
                    <td>
                      {ink} on {ground}
                    </td>
                    <td>
                      <Swatch fill={ground} ink={ink} />
                    </td>
                    <td className="num">{ratio(light, ink, ground)}</td>
                    <td className="num">{ratio(dark, ink, ground)}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </Sample>
      ))}
    </Part>
  );
}

const sizes = ["4xl", "3xl", "2xl", "xl", "lg", "md", "sm", "xs"] as const;

export function Type() {
  return (
    <Part id="type" title="Type">
      <Sample
        title="Sizes"
        note="The three largest are for headings in Young Serif; they grow from 390 to 1440 pixels."
      >
        <dl className="sizes">
          {sizes.map((size) => (
            <div key={size}>
              <dt className="hint">fs-{size}</dt>
              <dd className={`fs-${size}`}>Water is free to whoever comes</dd>
            </div>
          ))}
        </dl>
      </Sample>
      <Sample title="Running text">
        <p className="lede">A lede opens a page: one or two sentences, a little larger.</p>
        <p>
          Figtree for text, with <b>strong words</b>, <i>words of another language</i>,{" "}
          <a href="#type">links in the text</a> and <code>things one types</code>. A line is 66 letters long at most.
        </p>
        <p className="muted">Muted text says what is also good to know.</p>
        <p className="small">Small text.</p>
      </Sample>
      <Sample
        title="Figures"
        note="Always Figtree, in columns as wide as each other: Young Serif has old-style figures."
      >
        <p className="num">
          <b>$1,234,567.89</b>
          <br />
          <b>$9,876,543.21</b>
        </p>
      </Sample>
      <Sample title="Urdu" note="In its own direction, higher lines; a name inside English text keeps its direction.">
        <p lang="ur" dir="rtl" className="urdu">
          پانی سب کے لیے ہے، جو بھی آئے۔
        </p>
        <p>
          On behalf of <bdi lang="ur">آمنہ رضا</bdi>, <bdi>Yusuf Raza</bdi>
        </p>
      </Sample>
    </Part>
  );
}

const spaces = ["s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8"] as const;

export function Space() {
  return (
    <Part id="space" title="Space and shape">
      <Sample title="Spaces" note="Multiples of four pixels.">
        <dl className="sizes">
          {spaces.map((space) => (
            <div key={space}>
              <dt className="hint">{space}</dt>
              <dd>
                <svg className="ruler" aria-hidden="true">
                  <rect width={`var(--${space})`} height="16" fill="var(--selected-line)" />
                </svg>
              </dd>
            </div>
          ))}
        </dl>
      </Sample>
      <Sample title="Corners" note="One types in soft corners and presses cut ones.">
        <div className="row">
          <span className="input w-xs">Soft</span>
          <span className="btn">Cut</span>
          <span className="plain-card">A card</span>
        </div>
      </Sample>
    </Part>
  );
}

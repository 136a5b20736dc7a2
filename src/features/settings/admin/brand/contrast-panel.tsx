import { Icon } from "#admin/ui/icon.tsx";
import { Note } from "#admin/ui/note.tsx";
import type { Hex } from "#shared/brand/oklch.ts";
import { type BrandColours, type CheckedPair, checkPairs, offerShades } from "#shared/brand/shades.ts";
import { plural } from "#shared/language.ts";

const names = { main: "Main colour", accent: "Accent" } as const;

/** The contrast of every pair of colours that is used, and what to take where one fails. */
export function Contrast({ colours, mayChange }: { colours: BrandColours; mayChange: boolean }) {
  const pairs = checkPairs(colours);
  const failing = pairs.filter(({ passes }) => !passes);
  const offered = Object.entries(offerShades(colours)) as [keyof typeof names, Hex][];
  return (
    <section className="panel" aria-labelledby="contrast">
      <h2 id="contrast">Contrast</h2>
      {failing.length === 0 ? (
        <Note look="ok">
          All {pairs.length} pairs of colours that pages use have the contrast that WCAG 2.2 asks for, in light and in
          dark.
        </Note>
      ) : (
        <Note
          look="bad"
          title={plural(failing.length, { one: "One pair fails", other: `${failing.length} pairs fail` })}
        >
          Text needs a contrast of 4.5, lines and marks need 3.
        </Note>
      )}
      {offered.map(([name, shade]) => (
        <div className="brand-offer" key={name}>
          <Swatch shade={colours[name]} />
          <Icon name="right" />
          <Swatch shade={shade} />
          <p>
            {names[name]}: <code>{shade}</code> is the nearest shade of the same hue that passes.
          </p>
          {mayChange && (
            <button className="btn" type="submit" form="brand" name="take" value={`${name}:${shade}`}>
              Take {shade}
            </button>
          )}
        </div>
      ))}
      {failing.length > 0 && <Pairs pairs={failing} label="Pairs that fail" />}
      <details>
        <summary>Every pair, with its contrast</summary>
        <Pairs pairs={pairs} label="All pairs" />
      </details>
    </section>
  );
}

function Pairs({ pairs, label }: { pairs: readonly CheckedPair[]; label: string }) {
  return (
    <div className="brand-pairs">
      <table aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Where</th>
            <th scope="col">Colours</th>
            <th scope="col" className="num">
              Contrast
            </th>
          </tr>
        </thead>
        <tbody>
          {pairs.map(({ scheme, ink, ground, where, inkShade, groundShade, ratio, minRatio, passes }) => (
            <tr key={`${scheme} ${ink} ${ground}`}>
              <td>
                {where}
                {scheme === "dark" && <span className="muted small"> (dark)</span>}
              </td>
              <td>
                <Sample ink={inkShade} ground={groundShade} />
              </td>
              <td className="num">
                {ratio.toFixed(2)}
                {!passes && <b> of {minRatio}</b>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Drawn, because pages may not have styles of their own. */
export function Swatch({ shade }: { shade: string }) {
  return (
    <svg className="brand-swatch" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <rect width="32" height="32" fill={shade} />
    </svg>
  );
}

function Sample({ ink, ground }: { ink: string; ground: string }) {
  return (
    <svg className="brand-sample" viewBox="0 0 56 28" width="56" height="28" aria-hidden="true">
      <rect width="56" height="28" fill={ground} />
      <text x="28" y="19" textAnchor="middle" fontWeight="700" fontSize="15" fill={ink}>
        Aa
      </text>
    </svg>
  );
}

import { formatPercent } from "#shared/language.ts";

/** One month or day: this period's bar, and the year before as a line across it. */
export type Bar = { readonly label: string; readonly cents: number | null; readonly beforeCents: number };

const WIDTH = 880;
const HEIGHT = 288;
const START = 72;
const TOP = 14;
const FLOOR = 252;

/** Bars from 0 with the year before as lines. The table below it has the figures; the chart repeats none of them. */
export function BarChart({ title, about, bars }: { title: string; about: string; bars: readonly Bar[] }) {
  const lines = scaleFor(Math.max(...bars.map(({ cents, beforeCents }) => Math.max(cents ?? 0, beforeCents)), 0));
  const top = lines.at(-1)!;
  const heightOf = (cents: number) => round(FLOOR - (cents / top) * (FLOOR - TOP));
  const slot = (WIDTH - START) / bars.length;
  const wide = Math.min(34, slot * 0.6);
  const labelEvery = bars.length > 16 ? 5 : 1;
  return (
    <svg
      className="ch read months"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-labelledby="chart-title chart-about"
      focusable="false"
    >
      <title id="chart-title">{title}</title>
      <desc id="chart-about">{about}</desc>
      {lines.map((cents) => (
        <g key={cents}>
          <path className={cents === 0 ? "ax" : "g"} d={`M${START} ${heightOf(cents)}H${WIDTH}`} />
          <text x={START - 8} y={heightOf(cents) + 4} textAnchor="end">
            {shortDollars(cents)}
          </text>
        </g>
      ))}
      {bars.map(({ label, cents, beforeCents }, index) => {
        const middle = round(START + slot * (index + 0.5));
        const across = `M${round(middle - wide / 2 - 4)} ${heightOf(beforeCents)}h${round(wide + 8)}`;
        return (
          <g key={label}>
            {cents !== null && cents > 0 && (
              <rect
                className="b1"
                x={round(middle - wide / 2)}
                y={heightOf(cents)}
                width={round(wide)}
                height={round(FLOOR - heightOf(cents))}
              />
            )}
            {beforeCents > 0 && (
              <>
                <path className="halo" d={across} />
                <path className="l2 whole" d={across} />
              </>
            )}
            {index % labelEvery === 0 && (
              <text x={middle} y={FLOOR + 27} textAnchor="middle">
                {label}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

const round = (length: number) => Math.round(length * 10) / 10;

/** Four or five round amounts for the axis, from 0 to above the highest bar. */
function scaleFor(highest: number): number[] {
  const max = Math.max(highest, 400);
  const power = 10 ** Math.floor(Math.log10(max / 4));
  const step = [1, 2, 2.5, 5, 10].map((by) => by * power).find((each) => each * 4 >= max)!;
  return [0, 1, 2, 3, 4].map((times) => times * step);
}

/** '$25k', '$1.5m' */
function shortDollars(cents: number): string {
  const dollars = cents / 100;
  if (dollars === 0) return "0";
  if (dollars >= 1_000_000) return `$${round(dollars / 1_000_000)}m`;
  return dollars >= 1000 ? `$${round(dollars / 1000)}k` : `$${dollars}`;
}

/** Shares as bars beside their names; the table beside it has the figures. */
export function ShareChart({ about, shares }: { about: string; shares: readonly { label: string; share: number }[] }) {
  const max = Math.max(...shares.map(({ share }) => share), 0.01);
  return (
    <svg className="ch read" viewBox={`0 0 560 ${shares.length * 44}`} role="img" aria-label={about} focusable="false">
      {shares.map(({ label, share }, index) => (
        <g key={label}>
          <text className="lab" x={0} y={12 + index * 44}>
            {label}
          </text>
          <rect className="b1" x={0} y={19 + index * 44} width={round((share / max) * 490)} height={14} />
          <text x={round((share / max) * 490) + 8} y={30 + index * 44}>
            {formatPercent(share * 10_000)}
          </text>
        </g>
      ))}
    </svg>
  );
}

/** The legend: what bar and line mean. */
export function ChartKey({ now, before }: { now: string; before: string }) {
  return (
    <ul className="key">
      <li>
        <svg className="ch" viewBox="0 0 16 12" aria-hidden="true" focusable="false">
          <rect className="b1" x="2" y="0" width="12" height="12" />
        </svg>
        {now}
      </li>
      <li>
        <svg className="ch" viewBox="0 0 16 12" aria-hidden="true" focusable="false">
          <path className="l2 whole" d="M0 6H16" />
        </svg>
        {before}
      </li>
    </ul>
  );
}

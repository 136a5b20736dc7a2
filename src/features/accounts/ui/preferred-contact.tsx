import type { ComponentProps } from "react";

type Radio = Omit<ComponentProps<"input">, "type" | "value"> & { readonly chosen?: string };

/** How we may contact a person; SMS by default (LOG-11). Takes what `register` returns. */
export function PreferredContactField({ chosen = "SMS", ...radio }: Radio) {
  return (
    <fieldset className="field preferred-contact">
      <legend className="legend">Preferred contact</legend>
      {(["SMS", "Email"] as const).map((way) => (
        <label className="check" key={way}>
          <input {...radio} type="radio" value={way} defaultChecked={way === chosen} />
          <span>{way}</span>
        </label>
      ))}
    </fieldset>
  );
}

import { type ComponentProps, useEffect, useEffectEvent, useMemo, useRef } from "react";
import { describedBy, Field, type TextField } from "#shared/ui/form-field.tsx";
import { useLoad } from "#shared/ui/use-load.tsx";
import { useOnMount } from "#shared/ui/use-on-mount.ts";
import type { Country, KnownPlaces, State } from "../contract.ts";

export const DEFAULT_COUNTRY = "Australia";

/** The countries, and the states of the chosen one. */
type Places = {
  /** Names. */
  readonly countries: readonly string[];
  readonly country: Country | undefined;
  /** Undefined while loading. */
  readonly states: readonly State[] | undefined;
  readonly hasFailed: boolean;
  readonly tryAgain: () => void;
};

/** The page's own places, and the states of another country once it is chosen. */
export function usePlaces(country: string, known: KnownPlaces): Places {
  const names = useMemo(() => known.countries.map(({ name }) => name), [known.countries]);
  const chosen = known.countries.find(({ name }) => name === country);
  const isKnown = country === known.statesOf;
  const load = async () => (await import("./place-calls.ts")).listStates(chosen!.id);
  const { data, error, reload } = useLoad(load, { of: country, isWanted: chosen !== undefined && !isKnown });
  return {
    countries: names,
    country: chosen,
    states: isKnown ? known.states : data,
    hasFailed: error !== undefined,
    tryAgain: reload,
  };
}

type ChosenProps = {
  /** In a form with several places, the second has its own ids and no autofill. */
  readonly id?: string;
  readonly autoComplete?: "off";
  readonly places: Places;
  readonly value: string;
  readonly onChange: (name: string) => void;
  readonly onBlur?: () => void;
  readonly error?: string | undefined;
};

type CountryFieldProps = Omit<ChosenProps, "places"> & {
  readonly name?: string;
  readonly countries: readonly string[];
};

/** Names go on the wire, so they are the values. The whole list is in the markup, so that browsers can autofill it. */
export function CountryField({ id = "country", name, autoComplete, countries, ...chosen }: CountryFieldProps) {
  const { value, onChange, onBlur, error } = chosen;
  const described = { id, error };
  const select = useChosenBefore(value, onChange);
  const options = useMemo(() => countries.map((name) => <option key={name}>{name}</option>), [countries]);
  return (
    <Field label="Country" {...described}>
      <select
        className="select w-md"
        name={name}
        autoComplete={autoComplete ?? "country-name"}
        aria-required
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onBlur={onBlur}
        ref={select}
        {...describedBy(described)}
      >
        {countries.includes(value) || <option>{value}</option>}
        {options}
      </select>
    </Field>
  );
}

/** Takes over what was chosen or autofilled before the page's script ran. */
function useChosenBefore(value: string, onChange: (value: string) => void) {
  const select = useRef<HTMLSelectElement>(null);
  useOnMount(() => {
    const before = select.current?.value ?? "";
    if (before !== "" && before !== value) onChange(before);
  });
  return select;
}

/** A select or, for a country without states, a text field with the country's name (LOG-12). */
export function StateField({ id = "state", autoComplete, places, value, onChange, onBlur, error }: ChosenProps) {
  const { country, states } = places;
  const isUndivided = states?.length === 0;
  const described = { id, error };
  const fallback = isUndivided ? country?.name : undefined;
  // Once for each country, not after each key.
  const correct = useEffectEvent((own: typeof fallback, among: typeof states) => {
    if (own !== undefined && value === "") onChange(own);
    const isForeign = among !== undefined && among.length > 0 && !among.some(({ name }) => name === value);
    if (isForeign && value !== "") onChange("");
  });
  useEffect(() => correct(fallback, states), [fallback, states]);
  const select = useChosenBefore(value, onChange);
  const shared = {
    autoComplete: autoComplete ?? "address-level1",
    "aria-required": true,
    onBlur,
    ...describedBy(described),
  };
  return (
    <Field label="State" {...described}>
      {isUndivided ? (
        <input
          className="input w-md"
          dir="auto"
          value={value}
          onChange={({ target }) => onChange(target.value)}
          {...shared}
        />
      ) : (
        <select
          className="select w-md"
          value={value}
          onChange={({ target }) => onChange(target.value)}
          ref={select}
          {...shared}
        >
          <option value="">{states === undefined ? "" : "Choose a state"}</option>
          {states === undefined && value !== "" && <option>{value}</option>}
          {states?.map(({ id, name }) => (
            <option key={id}>{name}</option>
          ))}
        </select>
      )}
      {places.hasFailed && (
        <p role="alert">
          The states did not load.{" "}
          <button type="button" className="link-btn" onClick={places.tryAgain}>
            Try again
          </button>
        </p>
      )}
    </Field>
  );
}

/** A mobile number without the dial code, which is shown beside it. */
export function MobileField({
  dialCode,
  ...field
}: { dialCode: string } & Omit<ComponentProps<typeof TextField>, "label">) {
  const { id, hint, error, ...input } = field;
  const described = { id, hint, error };
  return (
    <Field label="Mobile Number" {...described}>
      <div className="affix w-md">
        <span>
          <span className="sr">Dial code </span>
          <span>{`+${dialCode}`}</span>
        </span>
        <input
          className="input"
          type="tel"
          inputMode="tel"
          autoComplete="tel-national"
          aria-required
          {...input}
          {...describedBy(described)}
        />
      </div>
    </Field>
  );
}

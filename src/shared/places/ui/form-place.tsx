import { type ComponentProps, useEffect, useMemo, useRef, useState } from "react";
import { describedBy, Field, type TextField } from "#shared/ui/form-field.tsx";
import type { Country, KnownPlaces, State } from "../contract.ts";

export const DEFAULT_COUNTRY = "Australia";

/** The countries, and the states of the one that is chosen. */
export type Places = {
  /** Their names. */
  readonly countries: readonly string[];
  readonly country: Country | undefined;
  /** Undefined while they are on their way. */
  readonly states: readonly State[] | undefined;
  readonly hasFailed: boolean;
  readonly tryAgain: () => void;
};

/** What the page came with, and the states of another country once that is chosen. */
export function usePlaces(country: string, known: KnownPlaces): Places {
  const [fetched, setFetched] = useState<{ of: string; states: readonly State[] }>();
  const [hasFailed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);
  const names = useMemo(() => known.countries.map(({ name }) => name), [known.countries]);
  const chosen = known.countries.find(({ name }) => name === country);
  const isKnown = country === known.statesOf;
  const id = chosen?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try asks anew
  useEffect(() => {
    setFailed(false);
    if (id === undefined || isKnown) return;
    return answering(
      import("./place-calls.ts").then(({ listStates }) => listStates(id)),
      (states) => setFetched({ of: country, states }),
      () => setFailed(true),
    );
  }, [id, tries]);
  return {
    countries: names,
    country: chosen,
    states: isKnown ? known.states : fetched?.of === country ? fetched.states : undefined,
    hasFailed,
    tryAgain: () => setTries(tries + 1),
  };
}

/** Tells one of two, unless the answer is not wanted any more. */
function answering<Data>(asked: Promise<Data>, came: (data: Data) => void, failed: () => void): () => void {
  let isWanted = true;
  asked.then(
    (data) => isWanted && came(data),
    () => isWanted && failed(),
  );
  return () => {
    isWanted = false;
  };
}

type ChosenProps = {
  /** Where a form asks for more than one place, those of others have ids of their own, and nothing is filled in there. */
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

/** Names go on the wire, so names are the values. The whole list is in the markup, so that browsers can fill it in. */
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

/** Takes over what was chosen, or filled in by the browser, before the page's script ran. */
function useChosenBefore(value: string, onChange: (value: string) => void) {
  const select = useRef<HTMLSelectElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the page takes over from the server's markup
  useEffect(() => {
    const before = select.current?.value ?? "";
    if (before !== "" && before !== value) onChange(before);
  }, []);
  return select;
}

/** A list, or, where a country is not divided, a line that has the country's name in it (LOG-12). */
export function StateField({ id = "state", autoComplete, places, value, onChange, onBlur, error }: ChosenProps) {
  const { country, states } = places;
  const isUndivided = states?.length === 0;
  const isForeign = states !== undefined && !isUndivided && !states.some(({ name }) => name === value);
  const described = { id, error };
  const fallback = isUndivided ? country?.name : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each country, not over what is typed afterwards
  useEffect(() => {
    if (fallback !== undefined && value === "") onChange(fallback);
    if (isForeign && value !== "") onChange("");
  }, [fallback, states]);
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
        <input className="input w-md" value={value} onChange={({ target }) => onChange(target.value)} {...shared} />
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
          The list of states did not load.{" "}
          <button type="button" className="link-btn" onClick={places.tryAgain}>
            Try again
          </button>
        </p>
      )}
    </Field>
  );
}

/** The part of a mobile number behind the country's dial code, which stands beside it. */
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
          <span className="sr">Dial code </span>+{dialCode}
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

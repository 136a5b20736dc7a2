import { type ComponentProps, useEffect, useState } from "react";
import type { Country, State } from "#shared/places/contract.ts";
import { describedBy, Field, type TextField } from "./form-field.tsx";

export const DEFAULT_COUNTRY = "Australia";

export type Countries = {
  readonly countries: readonly Country[];
  readonly hasFailed: boolean;
  readonly tryAgain: () => void;
};

/** The countries, and the states of the one that is chosen. `isUndivided` is known once its states came. */
export type Places = Countries & {
  readonly country: Country | undefined;
  /** Undefined while they are on their way. */
  readonly states: readonly State[] | undefined;
};

/** Fetches the countries once, and the states whenever another country is chosen; nothing while `country` is undefined. */
export function usePlaces(country: string | undefined): Places {
  const [countries, setCountries] = useState<readonly Country[]>([]);
  const [known, setKnown] = useState<{ of: number; states: readonly State[] }>();
  const [hasFailed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);
  const isAwaited = country !== undefined;
  const chosen = countries.find(({ name }) => name === country);
  const id = chosen?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try asks anew
  useEffect(() => {
    if (!isAwaited) return;
    return answering(
      loadCalls().then(({ listCountries }) => listCountries()),
      setCountries,
      () => setFailed(true),
    );
  }, [isAwaited, tries]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try asks anew
  useEffect(() => {
    if (id === undefined) return;
    return answering(
      loadCalls().then(({ listStates }) => listStates(id)),
      (states) => setKnown({ of: id, states }),
      () => setFailed(true),
    );
  }, [id, tries]);
  return {
    countries,
    country: chosen,
    states: known !== undefined && known.of === id ? known.states : undefined,
    hasFailed,
    tryAgain() {
      setFailed(false);
      setTries(tries + 1);
    },
  };
}

/** Comes when it is needed: the form is there sooner without it. */
const loadCalls = () => import("./place-calls.ts");

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

type CountryFieldProps = Omit<ChosenProps, "places"> & { readonly name?: string; readonly places: Countries };

/** Names go on the wire, so names are the values; the one that is chosen is there before the list is. */
export function CountryField({ id = "country", name, autoComplete, places, ...chosen }: CountryFieldProps) {
  const { value, onChange, onBlur, error } = chosen;
  const names = places.countries.map(({ name }) => name);
  const described = { id, error };
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
        {...describedBy(described)}
      >
        {names.includes(value) || <option>{value}</option>}
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <PlacesNotLoaded places={places} />
    </Field>
  );
}

/** Says that the lists did not come, where they did not. */
export function PlacesNotLoaded({ places }: { places: Countries }) {
  if (!places.hasFailed) return null;
  return (
    <p role="alert">
      The list of countries and states did not load.{" "}
      <button type="button" className="link-btn" onClick={places.tryAgain}>
        Try again
      </button>
    </p>
  );
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
        <select className="select w-md" value={value} onChange={({ target }) => onChange(target.value)} {...shared}>
          <option value="">{states === undefined ? "" : "Choose a state"}</option>
          {states === undefined && value !== "" && <option>{value}</option>}
          {states?.map(({ id, name }) => (
            <option key={id}>{name}</option>
          ))}
        </select>
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

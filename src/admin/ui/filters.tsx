import type { ReactNode } from "react";
import type { FieldErrors } from "#shared/errors.ts";
import type { Option } from "./form.tsx";
import { Icon } from "./icon.tsx";

type Filter = { readonly name: string; readonly label: string; readonly value: string };
type Errors = { readonly errors: FieldErrors };

/** A list's filters: a form that puts its values into the address. */
export function Filters({ label, path, children }: { label: string; path: string; children: ReactNode }) {
  return (
    <search>
      <form className="filters" action={path} aria-label={label}>
        {children}
        <button className="btn" type="submit">
          Show
        </button>
      </form>
    </search>
  );
}

function FilterFrame({
  name,
  label,
  error,
  children,
}: Omit<Filter, "value"> & { error?: string; children: ReactNode }) {
  const hasError = error !== undefined;
  return (
    <div className={`f${name === "q" ? " grow" : ""}${hasError ? " has-err" : ""}`}>
      <label htmlFor={`filter-${name}`}>{label}</label>
      {children}
      {hasError && (
        <span className="err" id={`filter-${name}-error`}>
          <Icon name="alert" />
          {error}
        </span>
      )}
    </div>
  );
}

const invalid = (name: string, error: string | undefined) =>
  error === undefined ? {} : { "aria-invalid": true, "aria-describedby": `filter-${name}-error` };

/** The box for search words; its name in the address is `q`. */
export function SearchFilter({
  value,
  label = "Search",
  placeholder,
  errors,
}: Errors & { value: string; label?: string; placeholder: string }) {
  const error = errors.q?.[0];
  return (
    <FilterFrame name="q" label={label} {...(error === undefined ? {} : { error })}>
      <div className="with-i">
        <Icon name="search" />
        <input
          className="input"
          id="filter-q"
          name="q"
          type="search"
          defaultValue={value}
          placeholder={placeholder}
          autoComplete="off"
          dir="auto"
          {...invalid("q", error)}
        />
      </div>
    </FilterFrame>
  );
}

/** `type`: a date, or an amount in dollars. */
export function TypedFilter({ name, label, value, type, errors }: Filter & Errors & { type: "date" | "amount" }) {
  const error = errors[name]?.[0];
  return (
    <FilterFrame name={name} label={label} {...(error === undefined ? {} : { error })}>
      <input
        className={type === "amount" ? "input num" : "input"}
        id={`filter-${name}`}
        name={name}
        type={type === "date" ? "date" : "text"}
        inputMode={type === "amount" ? "decimal" : undefined}
        defaultValue={value}
        {...invalid(name, error)}
      />
    </FilterFrame>
  );
}

/** The first option is 'any', with an empty value. */
export function SelectFilter({
  name,
  label,
  value,
  options,
  errors,
}: Filter & Errors & { options: readonly Option[] }) {
  const error = errors[name]?.[0];
  return (
    <FilterFrame name={name} label={label} {...(error === undefined ? {} : { error })}>
      <select className="select" id={`filter-${name}`} name={name} defaultValue={value} {...invalid(name, error)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </FilterFrame>
  );
}

/** The filters that apply, each a link that removes it. */
export function AppliedFilters({
  applied,
  path,
  children,
}: {
  applied: readonly { readonly label: string; readonly without: string }[];
  path: string;
  children?: ReactNode;
}) {
  if (applied.length === 0) return null;
  return (
    <p className="chips">
      <span className="muted">Shown:</span>{" "}
      {applied.map(({ label, without }) => (
        <a className="chip" href={without} key={label}>
          <bdi>{label}</bdi>
          <span className="sr">, remove</span>
          <Icon name="x" />
        </a>
      ))}{" "}
      {applied.length > 1 && <a href={path}>Remove all</a>} {children}
    </p>
  );
}

/** An address with these query parameters; empty ones are left out. */
export function addressWith(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const filled = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return filled.length === 0 ? path : `${path}?${new URLSearchParams(filled)}`;
}

/** Saved filters, as tabs above a list. */
export function SavedFilters({
  label,
  saved,
}: {
  label: string;
  saved: readonly {
    readonly label: string;
    readonly path: string;
    readonly isHere: boolean;
    readonly count?: number;
  }[];
}) {
  return (
    <nav className="views" aria-label={label}>
      {saved.map(({ label: name, path, isHere, count }) => (
        <a href={path} aria-current={isHere ? "page" : undefined} key={path}>
          {name}
          {count !== undefined && count > 0 && <span className="n num">{count}</span>}
        </a>
      ))}
    </nav>
  );
}

/**
 * Links to older and newer rows, or to those after and before in another order; null where there are none. When
 * printed, it says that the list has more rows than this page.
 */
export function Pager({
  label,
  newer,
  older,
  isByTime = true,
  printed = "This is one page of a longer list.",
}: {
  label: string;
  newer: string | null;
  older: string | null;
  /** False if the list is not sorted with the newest first. */
  isByTime?: boolean;
  /** How many rows there are here and in all, where that is known. */
  printed?: string | undefined;
}) {
  if (newer === null && older === null) return null;
  const link = (path: string, rel: "prev" | "next", text: string) => (
    <a className="btn quiet" href={path} rel={rel}>
      {text}
    </a>
  );
  return (
    <nav className="pager" aria-label={label}>
      {newer === null ? <span /> : link(newer, "prev", isByTime ? "Newer" : "Previous")}
      {older !== null && link(older, "next", isByTime ? "Older" : "Next")}
      <p className="printed">{printed}</p>
    </nav>
  );
}

/** Exports the rows that the filters find as a file. Says first that the export asks for proof and is recorded. */
export function ExportMenu<Name extends string>({
  path,
  names,
  typed,
  children,
}: {
  /** Of the list, without `.csv` or `.xlsx`. */
  path: string;
  names: readonly Name[];
  typed: Readonly<Record<Name, string>>;
  children?: ReactNode;
}) {
  return (
    <details className="menu">
      <summary className="btn quiet">
        <Icon name="down" />
        Export
      </summary>
      <form className="pop" action={`${path}.csv`} aria-label="Export">
        {names.map((name) => typed[name] !== "" && <input type="hidden" name={name} value={typed[name]} key={name} />)}
        {children}
        <button type="submit" formAction={`${path}.xlsx`}>
          <Icon name="table" />
          Spreadsheet (XLSX)
        </button>
        <button type="submit">
          <Icon name="note" />
          Plain table (CSV)
        </button>
        <p>Asks again who you are, and is written to the audit trail.</p>
      </form>
    </details>
  );
}

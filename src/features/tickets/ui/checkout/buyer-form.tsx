import { useEffect, useState } from "react";
import { CountryField } from "#shared/places/ui/form-place.tsx";
import { ErrorSummary } from "#shared/ui/form-error-summary.tsx";
import { TextField } from "#shared/ui/form-field.tsx";
import type { BuyerFormState as Form } from "./use-buyer.ts";

/** The buyer, and the email address for the tickets (TIC-3, TIC-4). Frozen while a payment is in progress. */
export function BuyerForm({ buyer, countries, isFrozen, isFolded, onBegin }: BuyerFormProps) {
  const { field, country, problems, shownAt } = buyer;
  const isWrong = problems.length > 0;
  const [isOpen, setOpen] = useState(!isFolded);
  useEffect(() => {
    if (isWrong) setOpen(true);
  }, [isWrong]);
  return (
    <details
      className="details buyer"
      open={isOpen || isWrong}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <h2 id="buyer-heading" tabIndex={-1}>
          Your details
        </h2>
      </summary>
      <form
        method="post"
        noValidate
        onSubmit={(event) => event.preventDefault()}
        onFocus={onBegin}
        onPointerEnter={onBegin}
        aria-labelledby="buyer-heading"
      >
        <ErrorSummary problems={problems} shownAt={shownAt} />
        <p className="muted instruction">Answer every question unless it says optional.</p>
        <fieldset disabled={isFrozen}>
          <legend className="sr">Who buys the tickets</legend>
          <TextField
            {...field("email")}
            label="Email"
            hint="We send your tickets to this address"
            type="email"
            autoComplete="email"
            spellCheck={false}
            className="w-md"
          />
          <TextField {...field("firstName")} label="First Name" autoComplete="given-name" className="w-md" />
          <TextField {...field("lastName")} label="Last Name" autoComplete="family-name" className="w-md" />
          <CountryField {...country} countries={countries} />
          <OptionalFields buyer={buyer} />
        </fieldset>
      </form>
    </details>
  );
}

/** Folded on phones until one of them is filled in, so that the page stays short for people who leave them out. */
function OptionalFields({ buyer: { field, hasOptional } }: { buyer: Form }) {
  const [isOpen, setOpen] = useState(() => window.matchMedia?.("(min-width: 981px)").matches ?? false);
  useEffect(() => {
    if (hasOptional) setOpen(true);
  }, [hasOptional]);
  return (
    <details
      className="details optional-fields"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>Add a phone number or address (optional)</summary>
      <TextField
        {...field("phone")}
        label={<Optional label="Phone" />}
        type="tel"
        autoComplete="tel"
        className="w-sm"
      />
      <TextField {...field("address")} label={<Optional label="Address" />} autoComplete="street-address" />
      <TextField
        {...field("suburb")}
        label={<Optional label="Suburb" />}
        autoComplete="address-level2"
        className="w-md"
      />
      <TextField
        {...field("postcode")}
        label={<Optional label="Post Code" />}
        autoComplete="postal-code"
        className="w-xs"
      />
    </details>
  );
}

type BuyerFormProps = {
  readonly buyer: Form;
  readonly countries: readonly string[];
  readonly isFrozen: boolean;
  /** The form is already filled in, and unfolds only if something is wrong with it. */
  readonly isFolded: boolean;
  /** Called when the person starts to fill in the form, or points at it. */
  readonly onBegin: () => void;
};

function Optional({ label }: { label: string }) {
  return (
    <>
      {label} <span className="opt">(optional)</span>
    </>
  );
}

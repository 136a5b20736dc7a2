import { ErrorSummary } from "#shared/ui/form-error-summary.tsx";
import { TextField } from "#shared/ui/form-field.tsx";
import { CountryField } from "#shared/ui/form-place.tsx";
import type { BuyerForm as Form } from "./use-buyer.ts";

/** Who buys, and where the tickets go (TIC-3, TIC-4). Frozen while a payment is on its way. */
export function BuyerForm({ buyer, countries, isFrozen, onBegin }: BuyerFormProps) {
  const { field, country, problems, shownAt } = buyer;
  const email = field("email");
  return (
    <form
      noValidate
      onSubmit={(event) => event.preventDefault()}
      onFocus={onBegin}
      onPointerEnter={onBegin}
      aria-labelledby="buyer-heading"
    >
      <h2 id="buyer-heading" tabIndex={-1}>
        Your details
      </h2>
      <ErrorSummary problems={problems} shownAt={shownAt} />
      <p className="muted instruction">Answer every question unless it says optional.</p>
      <fieldset disabled={isFrozen}>
        <legend className="sr">Who buys the tickets</legend>
        <TextField
          {...email}
          onBlur={(event) => {
            void email.onBlur(event);
            buyer.checkEmail();
          }}
          label="Email"
          hint="Your tickets are sent here"
          type="email"
          autoComplete="email"
          spellCheck={false}
          className="w-md"
        />
        <TextField {...field("firstName")} label="First Name" autoComplete="given-name" dir="auto" className="w-md" />
        <TextField {...field("lastName")} label="Last Name" autoComplete="family-name" dir="auto" className="w-md" />
        <TextField
          {...field("phone")}
          label={<Optional label="Phone" />}
          type="tel"
          autoComplete="tel"
          className="w-sm"
        />
        <CountryField {...country} countries={countries} />
        <TextField
          {...field("address")}
          label={<Optional label="Address" />}
          autoComplete="street-address"
          dir="auto"
        />
        <TextField
          {...field("suburb")}
          label={<Optional label="Suburb" />}
          autoComplete="address-level2"
          dir="auto"
          className="w-md"
        />
        <TextField
          {...field("postcode")}
          label={<Optional label="Post Code" />}
          autoComplete="postal-code"
          className="w-xs"
        />
      </fieldset>
    </form>
  );
}

type BuyerFormProps = {
  readonly buyer: Form;
  readonly countries: readonly string[];
  readonly isFrozen: boolean;
  /** For the first sign of a hand that comes near. */
  readonly onBegin: () => void;
};

function Optional({ label }: { label: string }) {
  return (
    <>
      {label} <span className="opt">(optional)</span>
    </>
  );
}

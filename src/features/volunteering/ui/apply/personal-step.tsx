import type { KnownPlaces } from "#shared/places/contract.ts";
import { StateField, usePlaces } from "#shared/places/ui/form-place.tsx";
import { TextField } from "#shared/ui/form-field.tsx";
import { labels } from "../../application.ts";
import { untouched } from "../../draft.ts";
import { ChoiceField } from "./choice-field.tsx";
import type { ApplicationForm } from "./use-application.ts";

/** Step 1: the applicant's details (VOL-2). What is typed before the page's script runs is kept. */
export function ApplicantStep({ form, places: known }: { form: ApplicationForm; places: KnownPlaces }) {
  const { field } = form;
  const places = usePlaces(untouched.country, known);
  return (
    <>
      <TextField {...field("name")} label={labels.name} autoComplete="name" />
      <TextField {...field("street")} label={labels.street} autoComplete="street-address" />
      <div className="field-row">
        <StateField places={places} {...form.chosen("state")} />
        <TextField {...field("postcode")} label={labels.postcode} autoComplete="postal-code" className="w-xs" />
      </div>
      <TextField
        {...field("country")}
        label={labels.country}
        hint="You can volunteer with us in Australia only."
        autoComplete="country-name"
        defaultValue={untouched.country}
        readOnly
        className="w-md"
      />
      <TextField
        {...field("mobile")}
        label={labels.mobile}
        hint="Include the country code if it is not Australian."
        type="tel"
        autoComplete="tel"
        className="w-md"
      />
      <TextField
        {...field("email")}
        label={labels.email}
        hint="We send a confirmation to this address."
        type="email"
        autoComplete="email"
        spellCheck={false}
        className="w-md"
      />
      <ChoiceField
        {...field("preferredContact")}
        label={labels.preferredContact}
        choices={["Email", "SMS"]}
        chosen={form.value("preferredContact")}
      />
      <p className="muted small">What you enter stays on this device until you send it, for at most 7 days.</p>
    </>
  );
}

import { CountryField, StateField, usePlaces } from "#shared/places/ui/form-place.tsx";
import { CharactersLeft } from "#shared/ui/form-characters-left.tsx";
import { describedBy, Field, TextField } from "#shared/ui/form-field.tsx";
import { Icon } from "#shared/ui/icon.tsx";
import { interests, labels, MAX_CHARACTERS } from "../../application.ts";
import { ChoiceField } from "./choice-field.tsx";
import { ImageStep } from "./image-step.tsx";
import type { LazyStepsProps } from "./lazy-steps-props.ts";
import type { ApplicationForm } from "./use-application.ts";

/** Steps 2 to 4 are a separate chunk, because the first step needs none of it. */
export function LazyApplicationSteps({ form, organisation, places }: LazyStepsProps) {
  if (form.step === 2) return <SkillsStep form={form} />;
  if (form.step === 3) return <EmergencyStep form={form} places={places} />;
  return <ImageStep form={form} organisation={organisation} />;
}

/** Says what was restored, and what was not. */
export function RestoredNote({ onClear }: { onClear: () => void }) {
  return (
    <p className="note">
      <Icon name="info" />
      <span>
        We have restored what you typed before. Pictures are not kept: please add your photo and signature again.{" "}
        <button type="button" className="link-btn" onClick={onClear}>
          Clear what I typed
        </button>
      </span>
    </p>
  );
}

/** Step 2: skills and interests (VOL-3). */
function SkillsStep({ form }: { form: ApplicationForm }) {
  const { field, value } = form;
  return (
    <>
      <LongText
        form={form}
        name="skills"
        label={labels.skills}
        hint="What are you good at, at work or in your free time?"
      />
      <LongText
        form={form}
        name="experience"
        label={labels.experience}
        hint="Where have you volunteered or worked with people before?"
      />
      <ChoiceField
        {...field("interests")}
        label={labels.interests}
        hint="Choose all that you would enjoy."
        choices={interests}
        chosen={value("interests")}
      />
      <ChoiceField
        {...field("availability")}
        label={labels.availability}
        hint="‘Availability’ means any day of the week. ‘Weekend’ means Saturday and Sunday only."
        choices={["Availability", "Weekend"]}
        chosen={value("availability")}
      />
    </>
  );
}

type LongTextProps = {
  readonly form: ApplicationForm;
  readonly name: "skills" | "experience";
  readonly label: string;
  readonly hint: string;
};

function LongText({ form, name, label, hint }: LongTextProps) {
  const { error, "aria-required": _, ...textarea } = form.field(name);
  const described = { id: name, hint, error };
  return (
    <Field
      {...described}
      label={
        <>
          {label} <span className="opt">(optional)</span>
        </>
      }
    >
      <textarea className="textarea" rows={4} dir="auto" {...textarea} {...describedBy(described)} />
      <CharactersLeft text={form.watched(name)} max={MAX_CHARACTERS} />
    </Field>
  );
}

/** Step 3: the emergency contact (VOL-5). Browsers fill in nothing, because it is someone else. */
function EmergencyStep({ form, places: known }: Pick<LazyStepsProps, "form" | "places">) {
  const { field } = form;
  const country = form.watched("emergencyCountry");
  const places = usePlaces(country, known);
  const chosen = form.chosen("emergencyCountry");
  return (
    <>
      <p>Someone we can call if something happens to you. Please let them know that you have named them.</p>
      <TextField {...field("emergencyName")} label={labels.emergencyName} autoComplete="off" />
      <TextField
        {...field("emergencyEmail")}
        label={labels.emergencyEmail}
        type="email"
        autoComplete="off"
        spellCheck={false}
        className="w-md"
      />
      <TextField
        {...field("emergencyMobile")}
        label={labels.emergencyMobile}
        type="tel"
        autoComplete="off"
        className="w-md"
      />
      <CountryField
        countries={places.countries}
        autoComplete="off"
        {...chosen}
        onChange={(name) => {
          form.choose("emergencyState", "");
          chosen.onChange(name);
        }}
      />
      <TextField {...field("emergencyCity")} label={labels.emergencyCity} autoComplete="off" className="w-md" />
      <div className="field-row">
        <StateField places={places} autoComplete="off" {...form.chosen("emergencyState")} />
        <TextField
          {...field("emergencyPostcode")}
          label={labels.emergencyPostcode}
          autoComplete="off"
          className="w-xs"
        />
      </div>
      <ChoiceField
        {...field("emergencyPreferredContact")}
        label={labels.emergencyPreferredContact}
        choices={["Email", "SMS"]}
        chosen={form.value("emergencyPreferredContact")}
      />
    </>
  );
}

import type { ReactNode } from "react";
import { describedBy, Field, FieldError, TextField } from "#shared/ui/form-field.tsx";
import type { Form, Registered } from "#shared/ui/use-form.ts";
import type { Details, EmergencyContact } from "../../applicant.ts";
import { availabilityWords, interests, labels } from "../../application.ts";

export type ChangeFields = Details & EmergencyContact;
type Name = keyof ChangeFields;
type FieldsProps = { readonly form: Form<ChangeFields> };

export function OwnFields({ form }: FieldsProps) {
  const { register, errors } = form;
  const text = (name: Exclude<keyof Details, "interests">) => lineOf(form, name);
  return (
    <>
      <TextField {...text("street")} autoComplete="street-address" />
      <div className="field-row">
        <TextField {...text("state")} autoComplete="address-level1" />
        <TextField {...text("postcode")} autoComplete="postal-code" className="w-xs" />
      </div>
      <div className="field-row">
        <TextField {...text("mobile")} type="tel" autoComplete="tel" />
        <TextField
          {...text("email")}
          type="email"
          autoComplete="email"
          spellCheck={false}
          hint="If you change your address, we will send it a link to this page."
        />
      </div>
      <Choices id="preferredContact" error={errors.preferredContact}>
        {radios(["Email", "SMS"], register("preferredContact"))}
      </Choices>
      <LongText {...text("skills")} />
      <LongText {...text("experience")} />
      <Choices id="availability" error={errors.availability}>
        {radios(["Availability", "Weekend"], register("availability"), availabilityWords)}
      </Choices>
      <Choices id="interests" error={errors.interests}>
        {interests.map((interest, index) => (
          <label className="check" key={interest}>
            <input
              type="checkbox"
              id={index === 0 ? "interests" : undefined}
              value={interest}
              {...register("interests")}
            />
            <span>{interest}</span>
          </label>
        ))}
      </Choices>
    </>
  );
}

/** Entered again in full, because the page does not show what we hold about someone else. */
export function EmergencyFields({ form }: FieldsProps) {
  const { register, errors } = form;
  const text = (name: keyof EmergencyContact) => ({ ...lineOf(form, name), autoComplete: "off" });
  return (
    <fieldset className="fieldset">
      <legend className="legend">Emergency contact</legend>
      <TextField {...text("emergencyName")} />
      <div className="field-row">
        <TextField {...text("emergencyPostcode")} className="w-xs" />
        <TextField {...text("emergencyCity")} />
      </div>
      <div className="field-row">
        <TextField {...text("emergencyState")} />
        <TextField {...text("emergencyCountry")} />
      </div>
      <div className="field-row">
        <TextField {...text("emergencyMobile")} type="tel" />
        <TextField {...text("emergencyEmail")} type="email" spellCheck={false} />
      </div>
      <Choices id="emergencyPreferredContact" error={errors.emergencyPreferredContact}>
        {radios(["Email", "SMS"], register("emergencyPreferredContact"))}
      </Choices>
    </fieldset>
  );
}

function lineOf({ register, errors }: FieldsProps["form"], name: Exclude<Name, "interests">) {
  return { id: name, label: labels[name], error: errors[name], "aria-required": true, ...register(name) };
}

/** The first one has the name as its id, for links from the error summary. */
function radios(
  values: readonly string[],
  registered: Registered,
  words: Readonly<Record<string, string>> = {},
): ReactNode {
  return values.map((value, index) => (
    <label className="check" key={value}>
      <input type="radio" id={index === 0 ? registered.name : undefined} value={value} {...registered} />
      <span>{words[value] ?? value}</span>
    </label>
  ));
}

function Choices({ id, error, children }: { id: Name; error: string | undefined; children: ReactNode }) {
  return (
    <fieldset
      className={error === undefined ? "field choices" : "field choices has-error"}
      aria-describedby={error === undefined ? undefined : `${id}-error`}
    >
      <legend className="legend">{labels[id]}</legend>
      <FieldError id={id} error={error} />
      {children}
    </fieldset>
  );
}

function LongText({ id, label, error, ...textarea }: ReturnType<typeof lineOf>) {
  const described = { id, error };
  return (
    <Field
      label={
        <>
          {label} <span className="opt">(optional)</span>
        </>
      }
      {...described}
    >
      <textarea
        className="textarea"
        rows={5}
        dir="auto"
        {...textarea}
        aria-required={false}
        {...describedBy(described)}
      />
    </Field>
  );
}

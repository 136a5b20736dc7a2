import type { ReactNode } from "react";
import type { FieldErrors, Path, UseFormRegisterReturn } from "react-hook-form";
import { describedBy, Field, FieldError, TextField } from "#shared/ui/form-field.tsx";
import type { Details, EmergencyContact } from "../../applicant.ts";
import { interests, labels } from "../../application.ts";

export type ChangeFields = Details & EmergencyContact;
type Name = keyof ChangeFields;
type FieldsProps = {
  readonly register: (name: Path<ChangeFields>) => UseFormRegisterReturn;
  readonly errors: FieldErrors<ChangeFields>;
};

export function OwnFields({ register, errors }: FieldsProps) {
  const text = (name: Exclude<keyof Details, "interests">) => lineOf({ register, errors }, name);
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
          hint="To a new address we send the link to this page."
        />
      </div>
      <Choices id="preferredContact" error={errors.preferredContact?.message}>
        {radios(["Email", "SMS"], register("preferredContact"))}
      </Choices>
      <LongText {...text("skills")} />
      <LongText {...text("experience")} />
      <Choices id="availability" error={errors.availability?.message}>
        {radios(["Availability", "Weekend"], register("availability"))}
      </Choices>
      <Choices id="interests" error={errors.interests?.message}>
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

/** Entered anew and whole: the page does not show what we hold of somebody else. */
export function EmergencyFields({ register, errors }: FieldsProps) {
  const text = (name: keyof EmergencyContact) => ({ ...lineOf({ register, errors }, name), autoComplete: "off" });
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
      <Choices id="emergencyPreferredContact" error={errors.emergencyPreferredContact?.message}>
        {radios(["Email", "SMS"], register("emergencyPreferredContact"))}
      </Choices>
    </fieldset>
  );
}

function lineOf({ register, errors }: FieldsProps, name: Exclude<Name, "interests">) {
  return { id: name, label: labels[name], error: errors[name]?.message, "aria-required": true, ...register(name) };
}

/** The first one carries the name as its id, so that the error summary leads to it. */
function radios(values: readonly string[], registered: UseFormRegisterReturn): ReactNode {
  return values.map((value, index) => (
    <label className="check" key={value}>
      <input type="radio" id={index === 0 ? registered.name : undefined} value={value} {...registered} />
      <span>{value}</span>
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

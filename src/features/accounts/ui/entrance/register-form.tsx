import "#shared/ui/form-without-eval.ts";
import { takeKnownPerson } from "#payments/checkout/ui/known-person.ts";
import type { CaptchaSetup } from "#shared/captcha/ui/captcha-box.tsx";
import { SeenCaptcha } from "#shared/captcha/ui/seen-captcha.tsx";
import { useCaptcha } from "#shared/captcha/ui/use-captcha.ts";
import { paths } from "#shared/paths.ts";
import type { KnownPlaces } from "#shared/places/contract.ts";
import { CountryField, DEFAULT_COUNTRY, MobileField, StateField, usePlaces } from "#shared/places/ui/form-place.tsx";
import { showAlert } from "#shared/ui/feedback.ts";
import { TextField } from "#shared/ui/form-field.tsx";
import { LegalNote } from "#shared/ui/form-legal.tsx";
import type { Form } from "#shared/ui/use-form.ts";
import { useOnMount } from "#shared/ui/use-on-mount.ts";
import { hasPasswordFault, RegisterFields } from "../../forms.ts";
import { joinMobile } from "../../mobile.ts";
import { sentences } from "../../person.ts";
import { memberDestination } from "../../return-path.ts";
import { AccountForm } from "../account-form.tsx";
import { PasswordField, ShowPasswords, useShownPasswords } from "../form-password.tsx";
import { leaveFor } from "../leave.ts";
import { beginLoading, loadCalls } from "../load-calls.ts";
import { PreferredContactField } from "../preferred-contact.tsx";
import { type FormOutcome, useAccountForm } from "../use-account-form.ts";
import { useMobileDoubt } from "../use-mobile-doubt.ts";
import { useReturnLink } from "../use-return-link.ts";

const order = [
  "firstName",
  "lastName",
  "email",
  "country",
  "state",
  "mobile",
  "postcode",
  "password",
  "confirmPassword",
] as const satisfies readonly (keyof RegisterFields)[];
const UNSOLVED = "Please complete the verification.";

/** Registration (LOG-11 to LOG-15). What is typed is not stored on the device. */
export function RegisterForm({ captcha: setup, places: known }: RegisterFormProps) {
  const { register, captcha, places, shown, begin } = useRegistration(setup, known);
  const { form, field } = register;
  return (
    <div className="needs-script">
      <p className="muted new-here">
        Already have an account? <a href={useReturnLink(paths.login)}>Log in</a>
      </p>
      <AccountForm name="Create an account" form={register} button="Register" onFocus={begin}>
        <p className="muted instruction">Answer every question.</p>
        <div className="field-row">
          <TextField {...field("firstName")} label="First Name" autoComplete="given-name" />
          <TextField {...field("lastName")} label="Last Name" autoComplete="family-name" />
        </div>
        <TextField
          {...field("email")}
          label="Email"
          hint="You log in with it, and we send receipts to it."
          type="email"
          autoComplete="username"
          spellCheck={false}
        />
        <PlaceAndMobile register={register} places={places} />
        <TextField {...field("postcode")} label="Post Code" autoComplete="postal-code" className="w-xs" />
        <PasswordField
          {...field("password")}
          shown={shown}
          label="Password"
          hint="At least 8 characters."
          autoComplete="new-password"
        />
        <PasswordField
          {...field("confirmPassword")}
          shown={shown}
          label="Confirm Password"
          autoComplete="new-password"
        />
        <ShowPasswords shown={shown} label="Show passwords" />
        <PreferredContactField {...form.register("preferredContact")} />
        <p className="muted small privacy">
          You can change or download your details, or close your account, at any time.
        </p>
        <LegalNote />
        <SeenCaptcha captcha={captcha} setup={setup} action="register" />
      </AccountForm>
    </div>
  );
}

type RegisterFormProps = { readonly captcha: CaptchaSetup; readonly places: KnownPlaces };
type Registering = ReturnType<typeof useRegistration>;

function PlaceAndMobile({ register: { form, field, isBusy }, places }: Pick<Registering, "register" | "places">) {
  const { watch, errors, touched, change } = form;
  const country = watch("country") ?? "";
  const setState = (name: string) => (name === "" ? form.setValue("state", "") : change("state", name));
  const dialCode = places.country?.dialCode ?? "";
  const mobile = watch("mobile") ?? "";
  const isLeft = touched.has("mobile");
  const doubt = useMobileDoubt({ country, dialCode, mobile, isLeft, isSending: isBusy });
  return (
    <>
      <CountryField
        countries={places.countries}
        value={country}
        error={errors.country}
        onChange={(name) => {
          setState("");
          change("country", name);
        }}
      />
      <StateField places={places} value={watch("state") ?? ""} error={errors.state} onChange={setState} />
      <MobileField {...field("mobile")} dialCode={dialCode} hint={doubt} />
    </>
  );
}

function useRegistration(setup: CaptchaSetup, known: KnownPlaces) {
  const captcha = useCaptcha(setup, "register");
  const shown = useShownPasswords();
  const send = async (fields: RegisterFields, typed: RegisterFields): Promise<FormOutcome> => {
    shown.hide();
    if (captcha.isMissing) {
      captcha.setError(UNSOLVED);
      return { kind: "refused", text: UNSOLVED };
    }
    const { confirmPassword: _, ...person } = fields;
    const mobile = joinMobile(places.country?.dialCode ?? "", typed.mobile);
    const { registerPerson } = await loadCalls();
    const outcome = await registerPerson({ ...person, mobile, city: "Not required" }, captcha.solve);
    captcha.forget();
    return outcome;
  };
  const register = useAccountForm<RegisterFields>({
    schema: RegisterFields,
    order,
    defaults: { country: DEFAULT_COUNTRY, state: "" },
    send,
    onDone: () => leaveFor(memberDestination(location.search, paths.home)),
    onWrong: (typed) => (hasPasswordFault(typed) ? showAlert(sentences.noMatchAlert) : undefined),
  });
  useKnownPerson(register.form);
  const places = usePlaces(register.form.watch("country") ?? "", known);
  /** Loads the calls and starts on the captcha while the person types. */
  const begin = () => {
    captcha.begin();
    beginLoading();
  };
  return { register, captcha, places, shown, begin };
}

/** Fills in what a guest entered while paying, but never overwrites a field. */
function useKnownPerson({ values, setValue }: Form<RegisterFields>): void {
  useOnMount(() => {
    const known = takeKnownPerson();
    for (const name of ["firstName", "lastName", "email", "postcode"] as const) {
      if (known[name] && !values()[name]) setValue(name, known[name]);
    }
  });
}

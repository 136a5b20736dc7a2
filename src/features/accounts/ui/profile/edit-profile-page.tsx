import { Postcode } from "#shared/contract/postcode.ts";
import { initialOf } from "#shared/language.ts";
import "#shared/ui/form-without-eval.ts";
import { z } from "zod";
import { paths } from "#shared/paths.ts";
import type { KnownPlaces } from "#shared/places/contract.ts";
import { CountryField, MobileField, StateField, usePlaces } from "#shared/places/ui/form-place.tsx";
import { showToast } from "#shared/ui/feedback.ts";
import { TextField } from "#shared/ui/form-field.tsx";
import { LegalNote } from "#shared/ui/form-legal.tsx";
import { joinMobile } from "../../mobile.ts";
import {
  AccountFirstName,
  AccountLastName,
  City,
  CountryName,
  MobileNumber,
  PreferredContact,
  StateName,
} from "../../person.ts";
import { AccountForm } from "../account-form.tsx";
import { PreferredContactField } from "../preferred-contact.tsx";
import { useAccountForm } from "../use-account-form.ts";
import { useMobileDoubt } from "../use-mobile-doubt.ts";
import { beginPersonalCalls, withPersonalCalls } from "./with-personal-calls.ts";

const order = ["firstName", "lastName", "country", "state", "city", "postcode", "mobile", "preferredContact"] as const;

const ProfileFields = z.object({
  firstName: AccountFirstName,
  lastName: AccountLastName,
  mobile: MobileNumber,
  country: CountryName,
  state: StateName,
  city: City,
  postcode: Postcode,
  preferredContact: PreferredContact,
});
type ProfileFields = z.output<typeof ProfileFields>;

/** `mobile` is the number without its dial code; both are digits. */
export type EditedUser = ProfileFields & { readonly id: number; readonly email: string; readonly dialCode: string };

type EditProfileProps = { readonly user: EditedUser; readonly places: KnownPlaces };

/** The user's own details, under the rules of registration (PRO-3, PRO-4). */
export function EditProfilePage({ user, places: known }: EditProfileProps) {
  const { form, text, country, state, chooseCountry, chooseState, places, dialCode, doubt } = useProfile(user, known);
  const { errors, register } = form.form;
  return (
    <>
      <h1>Edit Profile</h1>
      <div className="plain-card profile-form needs-script">
        <AccountForm name="Edit profile" form={form} button="Save Changes" onFocus={beginPersonalCalls}>
          <div className="field-row">
            <TextField {...text("firstName")} label="First Name" autoComplete="given-name" />
            <TextField {...text("lastName")} label="Last Name" autoComplete="family-name" />
          </div>
          <TextField
            id="email"
            label="Email"
            hint={<EmailHint />}
            type="email"
            value={user.email}
            readOnly
            className="w-md"
          />
          <div className="field-row">
            <CountryField
              countries={places.countries}
              name="country"
              value={country}
              onChange={chooseCountry}
              error={errors.country}
            />
            <StateField places={places} value={state} onChange={chooseState} error={errors.state} />
          </div>
          <div className="field-row">
            <TextField
              {...text("city")}
              label={
                <>
                  City <span className="opt">(optional)</span>
                </>
              }
              aria-required={false}
              autoComplete="address-level2"
            />
            <TextField {...text("postcode")} label="Post Code" autoComplete="postal-code" className="w-xs" />
          </div>
          <div className="field-row">
            <MobileField {...text("mobile")} dialCode={dialCode} hint={doubt} />
            <PreferredContactField {...register("preferredContact")} chosen={user.preferredContact} />
          </div>
          <LegalNote />
        </AccountForm>
      </div>
    </>
  );
}

/** The form's fields, the places of the chosen country, and the dial code that the mobile number gets. */
function useProfile(user: EditedUser, known: KnownPlaces) {
  const defaults = { country: user.country, state: user.state };
  const form = useAccountForm<ProfileFields>({ schema: ProfileFields, order, send, defaults, flagsEmpty: true });
  const { watch, change, touched } = form.form;
  const country = watch("country") ?? user.country;
  const places = usePlaces(country, known);
  // The number may be from another country than the user's, until they choose a country.
  const dialCode = country === user.country ? user.dialCode : (places.country?.dialCode ?? "");
  const mobile = watch("mobile") ?? "";
  const doubt = useMobileDoubt({ country, dialCode, mobile, isLeft: touched.has("mobile"), isSending: form.isBusy });

  async function send(fields: ProfileFields, typed: ProfileFields) {
    // As typed: a leading + means that the dial code is already there.
    const joined = joinMobile(dialCode, typed.mobile);
    const update = { id: user.id, ...fields, mobile: joined };
    const outcome = await withPersonalCalls((calls) => calls.updateUser(update));
    if (outcome.kind === "done") {
      showInSidebar(fields);
      showToast("Your profile is updated.");
    }
    return outcome;
  }

  return {
    form,
    country,
    places,
    dialCode,
    doubt,
    state: watch("state") ?? "",
    chooseState: (name: string) => change("state", name),
    chooseCountry: (name: string) => {
      change("country", name);
      change("state", name === user.country ? user.state : "");
    },
    text: (name: Exclude<keyof ProfileFields, "country" | "state">) => ({
      ...form.field(name),
      defaultValue: user[name],
    }),
  };
}

function EmailHint() {
  return (
    <>
      You log in with it, so you can’t change it here. <a href={paths.contact}>Write to us</a> if you have a new one.
    </>
  );
}

/** The sidebar is outside this island, so React doesn't update it. */
function showInSidebar({ firstName, lastName }: { firstName: string; lastName: string }) {
  const name = document.querySelector(".who bdi");
  if (name !== null) name.textContent = `${firstName} ${lastName}`;
  const avatar = document.querySelector(".who .avatar");
  if (avatar !== null) avatar.textContent = initialOf(firstName);
}

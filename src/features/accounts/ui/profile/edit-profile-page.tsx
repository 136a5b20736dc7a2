import "#shared/ui/form-without-eval.ts";
import { useController } from "react-hook-form";
import { z } from "zod";
import { paths } from "#shared/paths.ts";
import type { KnownPlaces } from "#shared/places/contract.ts";
import { CountryField, MobileField, StateField, usePlaces } from "#shared/places/ui/form-place.tsx";
import { showToast } from "#shared/ui/feedback.ts";
import { TextField } from "#shared/ui/form-field.tsx";
import { LegalNote } from "#shared/ui/form-legal.tsx";
import { joinMobile } from "../../mobile.ts";
import {
  City,
  CountryName,
  FirstName,
  LastName,
  MobileNumber,
  Postcode,
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
  firstName: FirstName,
  lastName: LastName,
  mobile: MobileNumber,
  country: CountryName,
  state: StateName,
  city: City,
  postcode: Postcode,
  preferredContact: PreferredContact,
});
type ProfileFields = z.output<typeof ProfileFields>;

/** `mobile` is the part behind the dial code, which is digits. */
export type EditedUser = ProfileFields & { readonly id: number; readonly email: string; readonly dialCode: string };

type EditProfileProps = { readonly user: EditedUser; readonly places: KnownPlaces };

/** One's own details, changed by the rules of registration (PRO-3, PRO-4). */
export function EditProfilePage({ user, places: known }: EditProfileProps) {
  const form = useAccountForm<ProfileFields>({ schema: ProfileFields, order, send, saysEmpty: true });
  const { control, formState, watch } = form.form;
  const { field: country } = useController({ control, name: "country", defaultValue: user.country });
  const { field: state } = useController({ control, name: "state", defaultValue: user.state });
  const places = usePlaces(country.value, known);
  // The number may be of another country than its person, until they choose one.
  const dialCode = country.value === user.country ? user.dialCode : (places.country?.dialCode ?? "");
  const mobile = watch("mobile") ?? "";
  const doubt = useMobileDoubt({
    country: country.value,
    dialCode,
    mobile,
    isLeft: formState.touchedFields.mobile === true,
  });
  async function send(fields: ProfileFields, typed: ProfileFields) {
    // As it was typed: a + in front says that the dial code is there already.
    const joined = joinMobile(dialCode, typed.mobile);
    const update = { id: user.id, ...fields, mobile: joined };
    const outcome = await withPersonalCalls((calls) => calls.updateUser(update));
    if (outcome.kind === "done") {
      showInSidebar(fields);
      showToast("Your profile is updated.");
    }
    return outcome;
  }
  const chooseCountry = (name: string) => {
    country.onChange(name);
    state.onChange(name === user.country ? user.state : "");
  };
  const errorOf = (name: "country" | "state") => formState.errors[name]?.message;
  const text = (name: Exclude<keyof ProfileFields, "country" | "state">) => ({
    ...form.field(name),
    defaultValue: user[name],
  });
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
              {...country}
              onChange={chooseCountry}
              error={errorOf("country")}
            />
            <StateField places={places} {...state} error={errorOf("state")} />
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
            <PreferredContactField {...form.form.register("preferredContact")} chosen={user.preferredContact} />
          </div>
          <LegalNote />
        </AccountForm>
      </div>
    </>
  );
}

function EmailHint() {
  return (
    <>
      You log in with it, so it cannot be changed here. <a href={paths.contact}>Write to us</a> if you have another.
    </>
  );
}

/** The sidebar stands outside of what the browser renders. */
function showInSidebar({ firstName, lastName }: { firstName: string; lastName: string }) {
  const name = document.querySelector(".who b");
  if (name !== null) name.textContent = `${firstName} ${lastName}`;
  const avatar = document.querySelector(".who .avatar");
  if (avatar !== null) avatar.textContent = [...firstName][0]!.toLocaleUpperCase("en-AU");
}

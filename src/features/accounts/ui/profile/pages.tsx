import { island } from "#shared/pages/island.tsx";
import { type Page, type PageReads, page } from "#shared/pages/page.ts";
import { hasPasskeys } from "#shared/passkeys/passkeys.ts";
import { paths } from "#shared/paths.ts";
import type { SessionUser } from "#shared/sessions/session-user.ts";
import { ProfileLayout } from "#shared/ui/profile-layout.tsx";
import { NeedsScript } from "../account-form.tsx";
import { ChangePasswordPage } from "./change-password-page.tsx";
import { EditProfilePage } from "./edit-profile-page.tsx";
import { ProfilePage } from "./profile-page.tsx";

export const profilePages: readonly Page[] = [
  profilePage(paths.profile, {
    title: "My Profile",
    description: "Your details, where you are logged in, and your data.",
    load: (_, { mobile }) => formatMobile(mobile),
    draw: ({ emailVerifiedAt, firstName, lastName, email, country, state }, mobile) =>
      island("ProfilePage", ProfilePage, {
        profile: {
          firstName,
          lastName,
          email,
          country,
          state,
          mobile,
          isEmailConfirmed: emailVerifiedAt !== null,
        },
      }),
  }),
  profilePage(paths.editProfile, {
    title: "Edit Profile",
    description: "Change your name, where you live and how we reach you.",
    load: async ({ findPlaces }, { country, mobile }) => ({
      places: await findPlaces(country),
      parsed: await parseMobile(mobile),
    }),
    withoutScript: "Changing your details needs JavaScript, which is switched off in your browser.",
    draw: ({ emailVerifiedAt: _, ...user }, { places, parsed }) =>
      island("EditProfilePage", EditProfilePage, { user: { ...user, ...parsed }, places }),
  }),
  profilePage(paths.changePassword, {
    title: "Change Password",
    description: "Set a new password for your account, or add a passkey to it.",
    withoutScript: "Changing your password needs JavaScript, which is switched off in your browser.",
    draw: ({ id, email }, _, site) =>
      island("ChangePasswordPage", ChangePasswordPage, { user: { id, email }, hasPasskeys: hasPasskeys(site) }),
  }),
];

type Own<Data> = {
  readonly title: string;
  readonly description: string;
  readonly load?: (reads: PageReads, user: SessionUser) => Promise<Data>;
  readonly withoutScript?: string;
  readonly draw: (user: SessionUser, data: Data, site: { readonly publicUrl: string }) => ReturnType<typeof island>;
};

function profilePage<Data>(path: string, { title, description, load, draw, withoutScript }: Own<Data>): Page {
  return page<{ user: SessionUser; data: Data }>({
    path,
    load: async (reads, _address, _organisation, user) =>
      user === undefined ? null : { user, data: (await load?.(reads, user)) as Data },
    head: () => ({ title, description }),
    body: ({ user, data }, site) => (
      <ProfileLayout path={path} user={user}>
        {draw(user, data, site)}
        {withoutScript !== undefined && <NeedsScript text={withoutScript} {...site.organisation} />}
      </ProfileLayout>
    ),
    bodyClass: "is-form",
    access: "member",
    isIndexed: false,
  });
}

/** Loaded when first needed, because they would take a twentieth of the start. */
const loadPhoneNumbers = () => import("libphonenumber-js");

/** '61412345678' as '+61 412 345 678'; digits only if it is no valid number. */
async function formatMobile(mobile: string): Promise<string> {
  const { parsePhoneNumberFromString } = await loadPhoneNumbers();
  return parsePhoneNumberFromString(`+${mobile}`)?.formatInternational() ?? `+${mobile}`;
}

/** Splits off the dial code, which is empty if the country is unknown. */
async function parseMobile(mobile: string): Promise<{ dialCode: string; mobile: string }> {
  const { parsePhoneNumberFromString } = await loadPhoneNumbers();
  const known = parsePhoneNumberFromString(`+${mobile}`);
  if (known === undefined) return { dialCode: "", mobile };
  return { dialCode: known.countryCallingCode, mobile: known.nationalNumber };
}

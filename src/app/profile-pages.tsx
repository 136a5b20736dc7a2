import { parsePhoneNumberFromString } from "libphonenumber-js";
import { ChangePasswordPage } from "#features/accounts/ui/change-password-page.tsx";
import { EditProfilePage } from "#features/accounts/ui/edit-profile-page.tsx";
import { ProfilePage } from "#features/accounts/ui/profile-page.tsx";
import { paths } from "#shared/paths.ts";
import type { KnownPlaces } from "#shared/places/contract.ts";
import type { SessionUser } from "#shared/sessions/session-user.ts";
import { ProfileLayout } from "#shared/ui/profile-layout.tsx";
import { island } from "./island.tsx";
import { type Page, page } from "./page.ts";

/** The pages about oneself (PRO-1 to PRO-6). */
export const profilePages: readonly Page[] = [
  profilePage(paths.profile, {
    title: "My Profile",
    description: "Your details, where you are logged in, and your data.",
    draw: ({ mobile, emailVerifiedAt, firstName, lastName, email, country, state }) =>
      island("ProfilePage", ProfilePage, {
        profile: {
          ...{ firstName, lastName, email, country, state },
          isEmailConfirmed: emailVerifiedAt !== null,
          mobile: writeMobile(mobile),
        },
      }),
  }),
  profilePage(paths.editProfile, {
    title: "Edit Profile",
    description: "Change your name, where you live and how we reach you.",
    draw: ({ emailVerifiedAt: _, ...user }, places) =>
      island("EditProfilePage", EditProfilePage, { user: { ...user, ...partMobile(user.mobile) }, places }),
  }),
  profilePage(paths.changePassword, {
    title: "Change Password",
    description: "Set a new password for your account.",
    draw: ({ id, email }) => island("ChangePasswordPage", ChangePasswordPage, { user: { id, email } }),
  }),
];

type Own = {
  readonly title: string;
  readonly description: string;
  readonly draw: (user: SessionUser, places: KnownPlaces) => ReturnType<typeof island>;
};

function profilePage(path: string, { title, description, draw }: Own): Page {
  return page<{ user: SessionUser; places: KnownPlaces }>({
    path,
    load: async ({ findPlaces }, _address, _organisation, user) =>
      user === undefined ? null : { user, places: await findPlaces(user.country) },
    head: () => ({ title, description }),
    body: ({ user, places }) => (
      <ProfileLayout path={path} user={user}>
        {draw(user, places)}
      </ProfileLayout>
    ),
    bodyClass: "is-form",
    needsSession: true,
    isIndexed: false,
  });
}

/** '61412345678' as '+61 412 345 678'; digits that are no number of any country stay together. */
function writeMobile(mobile: string): string {
  return parsePhoneNumberFromString(`+${mobile}`)?.formatInternational() ?? `+${mobile}`;
}

/** The dial code, and the number behind it; all of it is the number when nobody can tell. */
function partMobile(mobile: string): { dialCode: string; mobile: string } {
  const known = parsePhoneNumberFromString(`+${mobile}`);
  if (known === undefined) return { dialCode: "", mobile };
  return { dialCode: known.countryCallingCode, mobile: known.nationalNumber };
}

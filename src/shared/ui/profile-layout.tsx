import type { ReactNode } from "react";
import { initialOf } from "#shared/language.ts";
import { paths } from "#shared/paths.ts";
import { PageLinks } from "./page-navigation.tsx";

const links = [
  { label: "My Profile", path: paths.profile },
  { label: "Edit Profile", path: paths.editProfile },
  { label: "Change Password", path: paths.changePassword },
  { label: "Donation History", path: paths.donationHistory },
];

type Person = { readonly firstName: string; readonly lastName: string; readonly email: string };
type ProfileLayoutProps = { readonly path: string; readonly user: Person; readonly children: ReactNode };

/** A member's own page: name and four links in a sidebar, the page with its h1 beside it (PRO-1). */
export function ProfileLayout({ path, user, children }: ProfileLayoutProps) {
  const { firstName, lastName, email } = user;
  const [mailbox, host] = email.split(/@(?=[^@]*$)/);
  return (
    <div className="paper-bg">
      <div className="wrap profile">
        <nav className="side-nav plain-card" aria-label="Profile">
          <div className="who">
            <Avatar name={firstName} />
            <p>
              <b>
                <bdi>
                  {firstName} {lastName}
                </bdi>
              </b>
              <span>
                {mailbox}
                <wbr />@{host}
              </span>
            </p>
          </div>
          <PageLinks links={links} path={path} />
        </nav>
        <div className="profile-page">{children}</div>
      </div>
    </div>
  );
}

/** The first letter of a name on a star tile; show the name beside it. */
export function Avatar({ name }: { name: string }) {
  return (
    <span className="avatar" aria-hidden="true">
      {initialOf(name)}
    </span>
  );
}

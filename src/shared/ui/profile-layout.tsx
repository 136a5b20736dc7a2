import type { ReactNode } from "react";
import { paths } from "#shared/paths.ts";

const links = [
  { label: "My Profile", path: paths.profile },
  { label: "Edit Profile", path: paths.editProfile },
  { label: "Change Password", path: paths.changePassword },
  { label: "Donation History", path: paths.donationHistory },
];

type Person = { readonly firstName: string; readonly lastName: string; readonly email: string };
type ProfileLayoutProps = { readonly path: string; readonly user: Person; readonly children: ReactNode };

/** A page of one's own: who one is and the four pages in a sidebar, the page itself with its h1 beside it (PRO-1). */
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
                {firstName} {lastName}
              </b>
              <span>
                {mailbox}
                <wbr />@{host}
              </span>
            </p>
          </div>
          <ul>
            {links.map((link) => (
              <li key={link.path}>
                <a href={link.path} aria-current={link.path === path ? "page" : undefined}>
                  {link.label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="profile-page">{children}</div>
      </div>
    </div>
  );
}

/** The first letter of a name on a star tile; whoever shows it says the name beside it. */
export function Avatar({ name }: { name: string }) {
  return (
    <span className="avatar" aria-hidden="true">
      {[...name.trim()][0]?.toLocaleUpperCase("en-AU")}
    </span>
  );
}

import type { AllMenus } from "#features/content/menu-links.ts";
import type { BrandFrame } from "#shared/images/brand-frame.ts";
import type { Organisation } from "#shared/organisation.ts";
import { paths } from "#shared/paths.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { Brand } from "#shared/ui/brand.tsx";
import { Icon } from "#shared/ui/icon.tsx";
import { invitations } from "#shared/ui/invitations.ts";
import { mainMenu, relOf } from "./menu.ts";
import { Socials } from "./socials.tsx";

/** The server redirects visitors who are neither logged in nor guests to the log-in page (NAV-6). */
export function DonateLink({ className }: { className: string }) {
  return (
    <a className={className} href={paths.donation}>
      Donate
    </a>
  );
}

type HeaderProps = { organisation: Organisation; brand: BrandFrame; menus: AllMenus; path: string };

export function Header({ organisation, brand, menus, path }: HeaderProps) {
  return (
    <header className="site-top">
      <div className="strip-scallop" aria-hidden="true" />
      <TopStrip organisation={organisation} />
      <div className="site-head">
        <div className="wrap">
          <Brand organisation={organisation} brand={brand} />
          <MainMenu menus={menus} path={path} />
          <div className="head-actions">
            <a className="icon-btn user" href={paths.login} aria-label="Log in" data-member="no">
              <Icon name="user" />
            </a>
            <UserMenu />
            <DonateLink className="btn btn-cta" />
            <button
              className="icon-btn nav-toggle"
              type="button"
              aria-haspopup="dialog"
              aria-label="Open menu"
              {...{ command: "show-modal", commandfor: "menu" }}
            >
              <Icon name="menu" />
            </button>
          </div>
        </div>
      </div>
    </header>
  );
}

/** The menu of a logged-in user (NAV-5). The shell's script shows it in place of the log-in link. */
function UserMenu() {
  return (
    <nav className="user-menu" aria-label="Your account" data-member="" data-session="member" hidden>
      <button className="icon-btn" type="button" aria-expanded="false" aria-controls="menu-user">
        <span className="sr">
          Your account: <bdi data-first-name="" />
        </span>
        <b aria-hidden="true" data-first-name="initial" />
      </button>
      <ul className="flyout" id="menu-user" hidden>
        <li className="as-whom">
          Logged in as <b dir="auto" data-first-name="" />
        </li>
        <li>
          <a href={paths.profile}>My Profile</a>
        </li>
        <li>
          <button type="button" data-log-out="">
            Log Out
          </button>
        </li>
      </ul>
    </nav>
  );
}

function TopStrip({ organisation }: { organisation: Organisation }) {
  return (
    <div className="top-strip">
      <div className="wrap">
        {invitations.map(({ label, path }) => (
          <a key={path} className="invitation" href={path}>
            <Icon name="user" />
            {label}
          </a>
        ))}
        <span className="grow" />
        <a href={telephoneLink(organisation.phone)}>
          <Icon name="phone" />
          <span className="sr">Helpline </span>
          <bdi>{organisation.phone}</bdi>
        </a>
        <a className="mail" href={`mailto:${organisation.email}`}>
          <Icon name="mail" />
          {organisation.email}
        </a>
        <span className="addr">
          <Icon name="pin" />
          <bdi>{organisation.address}</bdi>
        </span>
        <Socials socials={organisation.socials} />
      </div>
    </div>
  );
}

function MainMenu({ menus, path }: { menus: AllMenus; path: string }) {
  const current = (target: string) => (target === path ? "page" : undefined);
  return (
    <nav className="main-nav" aria-label="Main">
      <ul>
        {mainMenu(menus).map((entry) =>
          "links" in entry ? (
            <li key={entry.id}>
              <button type="button" aria-expanded="false" aria-controls={`menu-${entry.id}`}>
                <bdi>{entry.label}</bdi>
              </button>
              <ul className="flyout" id={`menu-${entry.id}`} hidden>
                {entry.links.map((link) => (
                  <li key={link.path}>
                    <a href={link.path} rel={relOf(link.path)} aria-current={current(link.path)}>
                      <bdi>{link.label}</bdi>
                    </a>
                  </li>
                ))}
              </ul>
            </li>
          ) : (
            <li key={entry.path}>
              <a href={entry.path} rel={relOf(entry.path)} aria-current={current(entry.path)}>
                <bdi>{entry.label}</bdi>
              </a>
            </li>
          ),
        )}
      </ul>
    </nav>
  );
}

import type { Organisation } from "#shared/organisation.ts";
import { paths } from "#shared/paths.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { Icon } from "#shared/ui/icon.tsx";
import { Brand } from "./brand.tsx";
import { mainMenu } from "./menu.ts";
import { Socials } from "./socials.tsx";

/** The server leads on to the log-in whoever has neither a session nor chosen to be a guest (NAV-6). */
export function DonateLink({ className }: { className: string }) {
  return (
    <a className={className} href={paths.donation}>
      Donate
    </a>
  );
}

export function Header({ organisation, path }: { organisation: Organisation; path: string }) {
  return (
    <header className="site-top">
      <div className="strip-scallop" aria-hidden="true" />
      <TopStrip organisation={organisation} />
      <div className="site-head">
        <div className="wrap">
          <Brand organisation={organisation} />
          <MainMenu organisation={organisation} path={path} />
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

/** For who is logged in (NAV-5): the shell's script shows it in place of the link to the log-in, which is as wide, and fills in the name. */
function UserMenu() {
  return (
    <nav className="user-menu" aria-label="Your account" data-member="" data-session="member" hidden>
      <button className="icon-btn" type="button" aria-expanded="false" aria-controls="menu-user">
        <span className="sr">
          Your account: <span data-first-name="" />
        </span>
        <b aria-hidden="true" data-first-name="initial" />
      </button>
      <ul className="flyout" id="menu-user" hidden>
        <li className="as-whom">
          Logged in as <b data-first-name="" />
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
        <a href={paths.volunteer}>
          <Icon name="user" />
          Become a volunteer
        </a>
        <span className="grow" />
        <a href={telephoneLink(organisation.phone)}>
          <Icon name="phone" />
          <span className="sr">Helpline </span>
          {organisation.phone}
        </a>
        <a className="mail" href={`mailto:${organisation.email}`}>
          <Icon name="mail" />
          {organisation.email}
        </a>
        <span className="addr">
          <Icon name="pin" />
          {organisation.address}
        </span>
        <Socials socials={organisation.socials} />
      </div>
    </div>
  );
}

function MainMenu({ organisation, path }: { organisation: Organisation; path: string }) {
  const current = (target: string) => (target === path ? "page" : undefined);
  return (
    <nav className="main-nav" aria-label="Main">
      <ul>
        {mainMenu(organisation).map((entry) =>
          "links" in entry ? (
            <li key={entry.id}>
              <button type="button" aria-expanded="false" aria-controls={`menu-${entry.id}`}>
                {entry.label}
              </button>
              <ul className="flyout" id={`menu-${entry.id}`} hidden>
                {entry.links.map((link) => (
                  <li key={link.path}>
                    <a href={link.path} aria-current={current(link.path)}>
                      {link.label}
                    </a>
                  </li>
                ))}
              </ul>
            </li>
          ) : (
            <li key={entry.path}>
              <a href={entry.path} aria-current={current(entry.path)}>
                {entry.label}
              </a>
            </li>
          ),
        )}
      </ul>
    </nav>
  );
}

import { Fragment } from "react";
import { paths } from "#shared/paths.ts";
import { Icon } from "#shared/ui/icon.tsx";
import { invitations } from "#shared/ui/invitations.ts";
import { ContactLines } from "./contact-lines.tsx";
import { DonateLink, type Header } from "./header.tsx";
import { type MenuGroup, mainMenu, relOf } from "./menu.ts";
import { Socials } from "./socials.tsx";

/** The menu on narrow screens (LAY-4): a modal dialog. The browser opens it, closes it on Escape and returns focus. */
export function MenuPanel({ organisation, menus, path }: Omit<Parameters<typeof Header>[0], "brand">) {
  return (
    <dialog className="panel" id="menu" aria-label="Menu" closedby="any">
      <div className="panel-top">
        <b>Menu</b>
        <button
          className="icon-btn"
          type="button"
          aria-label="Close menu"
          {...{ command: "close", commandfor: "menu" }}
        >
          <Icon name="x" />
        </button>
      </div>
      <nav aria-label="Mobile">
        <ul>
          {mainMenu(menus).map((entry) =>
            "links" in entry ? (
              <PanelGroup key={entry.id} group={entry} path={path} />
            ) : (
              <PanelLink key={entry.path} {...entry} isCurrent={entry.path === path} />
            ),
          )}
        </ul>
      </nav>
      <div className="acts">
        <DonateLink className="btn btn-cta btn-block" />
        <a className="btn btn-quiet btn-block" href={paths.login} data-member="no">
          Log in
        </a>
        <p className="as-whom" data-member="" hidden>
          Logged in as <b dir="auto" data-first-name="" />
        </p>
        <a className="btn btn-quiet btn-block" href={paths.profile} data-member="" hidden>
          My Profile
        </a>
        <button className="btn btn-quiet btn-block" type="button" data-member="" data-log-out="" hidden>
          Log Out
        </button>
      </div>
      <p className="contact">
        {invitations.map(({ label, path }) => (
          <Fragment key={path}>
            <a href={path}>{label}</a>
            <br />
          </Fragment>
        ))}
        <a href={paths.contact}>Contact Us</a>
        <br />
        <ContactLines organisation={organisation} />
      </p>
      <Socials socials={organisation.socials} />
    </dialog>
  );
}

/** Open for the page that it leads to, and always for the charity's own pages. */
function PanelGroup({ group: { id, label, links }, path }: { group: MenuGroup; path: string }) {
  return (
    <li>
      <details open={links.some((link) => link.path === path) || id === "organisation"}>
        <summary>
          <bdi>{label}</bdi>
        </summary>
        <ul>
          {links.map((link) => (
            <PanelLink key={link.path} {...link} isCurrent={link.path === path} />
          ))}
        </ul>
      </details>
    </li>
  );
}

function PanelLink({ path, label, isCurrent }: { path: string; label: string; isCurrent: boolean }) {
  return (
    <li>
      <a href={path} rel={relOf(path)} aria-current={isCurrent ? "page" : undefined}>
        <bdi>{label}</bdi>
      </a>
    </li>
  );
}

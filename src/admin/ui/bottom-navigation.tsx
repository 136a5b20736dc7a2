import type { StaffMember } from "../rights.ts";
import { type MenuEntry, sections } from "../screen.ts";
import { Icon } from "./icon.tsx";

/** As many as fit beside 'More' on the narrowest phone. */
const MAX_TABS = 4;

type Props = { readonly menu: readonly MenuEntry[]; readonly staff: StaffMember };

/** The navigation of narrow windows: four sections; 'More' has the rest, the account and the way out. */
export function BottomNavigation({ menu, staff }: Props) {
  const [tabs, rest] = [menu.slice(0, MAX_TABS), menu.slice(MAX_TABS)];
  return (
    <nav className="tabs-bottom" aria-label="Main, on phones">
      {tabs.map((entry) => (
        <Tab entry={entry} key={entry.section} />
      ))}
      <details className="menu">
        <summary className={rest.some(({ isHere }) => isHere) ? "on" : undefined}>
          <Icon name="menu" />
          More
        </summary>
        <div className="pop">
          {rest.map((entry) => (
            <Tab entry={entry} key={entry.section} />
          ))}
          <a href="/admin/you">
            <Icon name="user" />
            <span>
              <bdi>{staff.name}</bdi>, your account
            </span>
          </a>
          <form method="post" action="/admin/log-out">
            <button type="submit">
              <Icon name="out" />
              Log out
            </button>
          </form>
        </div>
      </details>
    </nav>
  );
}

function Tab({ entry: { section, path, label, isHere } }: { entry: MenuEntry }) {
  return (
    <a className={isHere ? "on" : undefined} href={path} aria-current={isHere ? "true" : undefined}>
      <Icon name={sections[section].icon} />
      {label}
    </a>
  );
}

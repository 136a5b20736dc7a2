import type { ReactNode } from "react";
import { formatList, formatMomentInSydney } from "#shared/language.ts";
import { hasRight, type Role, roles, type StaffMember } from "../rights.ts";
import { type MenuEntry, sections } from "../screen.ts";
import type { SetUp } from "../set-up.ts";
import type { Toast } from "../toast.ts";
import { BottomNavigation } from "./bottom-navigation.tsx";
import { Icon } from "./icon.tsx";
import { Note } from "./note.tsx";
import { SetUpBar } from "./set-up-bar.tsx";

const mark = <img src="/identity/brand/logo-mark.svg" alt="" width="32" height="32" />;

/** The frame of every screen: the navigation (at the left, or at the bottom of narrow windows) and the content. */
export function Layout({
  organisationName,
  staff,
  menu,
  toast,
  setUp,
  path,
  hasNoMail,
  now,
  children,
}: {
  organisationName: string;
  staff: StaffMember;
  menu: readonly MenuEntry[];
  /** Says once what the last act did. */
  toast: Toast | null;
  /** How far a new site is set up; null if there is nothing to say about it here. */
  setUp: SetUp | null;
  path: string;
  hasNoMail: boolean;
  now: Date;
  children: ReactNode;
}) {
  const here = menu.find(({ isHere }) => isHere);
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <div className="frame">
        <div className="fringe" aria-hidden="true" />
        <Rail organisationName={organisationName} menu={menu} staff={staff} />
        <TopBar />
        {here !== undefined && here.screens.length > 1 && <SectionNavigation section={here} />}
        <main className="sheet" id="main" tabIndex={-1} data-enhance="places">
          <div className="in">
            {/* Paper says whose it is, and when 'today' was. */}
            <p className="printed">
              {organisationName}: {formatMomentInSydney(now)}
            </p>
            {setUp !== null && <SetUpBar setUp={setUp} path={path} />}
            {hasNoMail && path !== MAIL_PATH && <NoMail staff={staff} />}
            {children}
          </div>
        </main>
        <BottomNavigation menu={menu} staff={staff} />
        {toast !== null && <ToastView toast={toast} />}
      </div>
    </>
  );
}

type RailProps = { organisationName: string; menu: readonly MenuEntry[]; staff: StaffMember };

/** The navigation at the left of wide windows. */
function Rail({ organisationName, menu, staff }: RailProps) {
  return (
    <header className="rail">
      <a className="mark" href="/admin">
        {mark}
        <span>
          <b>{organisationName}</b>
          <small>Back office</small>
        </span>
      </a>
      <a className="find" href="/admin/find" aria-keyshortcuts="/ Control+K" data-enhance="palette">
        <Icon name="search" />
        Search or go to
        <kbd>/</kbd>
      </a>
      <nav aria-label="Main">
        <ul>
          {menu.map((entry) => (
            <RailEntry entry={entry} key={entry.section} />
          ))}
        </ul>
      </nav>
      <Me staff={staff} />
    </header>
  );
}

/** The head of narrow windows, whose navigation is at the bottom. */
function TopBar() {
  return (
    <header className="topbar">
      <a className="mark" href="/admin">
        {mark}
        <span>
          <b>Back office</b>
        </span>
      </a>
      <a className="ib push" href="/admin/find" aria-label="Search or go to">
        <Icon name="search" />
      </a>
    </header>
  );
}

function SectionNavigation({ section }: { section: MenuEntry }) {
  return (
    <nav className="sub-nav" aria-label={`Screens of ${section.label}`}>
      {section.screens.map(({ path, label, isHere }) => (
        <a href={path} aria-current={isHere ? "page" : undefined} key={path}>
          {label}
        </a>
      ))}
    </nav>
  );
}

const MAIL_PATH = "/admin/settings/mail";

/** Holds for whatever the screens say about emails. */
function NoMail({ staff }: { staff: StaffMember }) {
  return (
    <div className="editor-note">
      <Note look="warn" title="No mail server is set">
        Nobody gets an email from this site, whatever this page says about emails.{" "}
        {hasRight(staff, "settings.see") && <a href={MAIL_PATH}>See what is missing</a>}
      </Note>
    </div>
  );
}

function ToastView({ toast: { message, undo } }: { toast: Toast }) {
  return (
    <div className="toast" data-enhance="toast">
      <span role="status">
        <Icon name="ok" />
        {message}
      </span>
      {undo !== undefined && (
        <form method="post" action={undo.path}>
          {Object.entries(undo.fields).map(([name, value]) => (
            <input type="hidden" name={name} value={value} key={name} />
          ))}
          <button type="submit" className="lk">
            Undo
          </button>
        </form>
      )}
    </div>
  );
}

function RailEntry({ entry: { section, path, label, isHere, waiting, screens } }: { entry: MenuEntry }) {
  const isAlone = screens.length === 1;
  return (
    <li>
      <a
        href={path}
        className={isHere ? "on" : undefined}
        data-key={sections[section].key}
        aria-current={isHere && isAlone && screens[0]!.isHere ? "page" : undefined}
      >
        <Icon name={sections[section].icon} />
        {label}
        {waiting > 0 && (
          <span className="n num">
            {waiting}
            <span className="sr"> waiting</span>
          </span>
        )}
      </a>
      {isHere && !isAlone && (
        <ul>
          {screens.map((one) => (
            <li key={one.path}>
              <a href={one.path} aria-current={one.isHere ? "page" : undefined}>
                {one.label}
              </a>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function Me({ staff }: { staff: StaffMember }) {
  return (
    <div className="me">
      <a href="/admin/you">
        <Initials name={staff.name} />
        <span>
          <bdi>{staff.name}</bdi>
          <small>{nameRoles(staff.roles)}</small>
        </span>
      </a>
    </div>
  );
}

/** 'Treasurer and Auditor' */
export function nameRoles(held: readonly Role[]): string {
  return formatList(
    held.map((role) => roles[role].name),
    "and",
  );
}

/** A star with a person’s initials. */
export function Initials({ name, isLarge = false }: { name: string; isLarge?: boolean }) {
  const words = name.split(/\s+/u).filter(Boolean);
  const initials = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => Array.from(word ?? "")[0] ?? "",
  );
  return (
    <span className={isLarge ? "ini lg" : "ini"} aria-hidden="true">
      {initials.join("").toUpperCase()}
    </span>
  );
}

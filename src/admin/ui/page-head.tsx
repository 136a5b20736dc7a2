import type { ReactNode } from "react";

/**
 * The head of a screen: its title, one line that sums it up, and its actions. Only screens below a list have
 * breadcrumbs.
 */
export function PageHead({
  title,
  about,
  crumbs = [],
  hasNeighbours = false,
  children,
}: {
  title: ReactNode;
  about?: ReactNode;
  crumbs?: readonly { readonly label: string; readonly path: string }[];
  /** Whether a script adds links to the rows before and after it in the list that it was opened from. */
  hasNeighbours?: boolean;
  children?: ReactNode;
}) {
  return (
    <>
      {crumbs.length > 0 && (
        <nav className="crumbs" aria-label="Breadcrumbs" data-has-neighbours={hasNeighbours ? "" : undefined}>
          <ol>
            {crumbs.map(({ label, path }) => (
              <li key={path}>
                <a href={path}>{label}</a>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <header className="head">
        <div>
          <h1>{title}</h1>
          {about && <p className="sub">{about}</p>}
        </div>
        {children && <div className="acts">{children}</div>}
      </header>
    </>
  );
}

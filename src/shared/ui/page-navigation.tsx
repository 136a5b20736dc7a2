/** A breadcrumb; without a path, it is not a page of its own. */
export type Crumb = { readonly label: string; readonly path?: string };

/** Breadcrumbs; the last one is this page. */
export function Breadcrumbs({ trail }: { trail: readonly Crumb[] }) {
  return (
    <nav className="crumbs" aria-label="Breadcrumb">
      <ol>
        {trail.map(({ label, path }, index) => (
          <li key={label} aria-current={index === trail.length - 1 ? "page" : undefined}>
            {path === undefined || index === trail.length - 1 ? label : <a href={path}>{label}</a>}
          </li>
        ))}
      </ol>
    </nav>
  );
}

type PageLinksProps = {
  readonly links: readonly { readonly label: string; readonly path: string }[];
  /** The current page. */
  readonly path: string;
};

export function PageLinks({ links, path }: PageLinksProps) {
  return (
    <ul>
      {links.map((link) => (
        <li key={link.path}>
          <a href={link.path} aria-current={link.path === path ? "page" : undefined}>
            {link.label}
          </a>
        </li>
      ))}
    </ul>
  );
}

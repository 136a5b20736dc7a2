/** One step on the way to a page; a step without a path is not a page of its own. */
export type Crumb = { readonly label: string; readonly path?: string };

/** Where one is; the last step is this page. */
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

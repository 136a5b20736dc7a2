import { listPath } from "#shared/paths.ts";

type ListPagerProps = {
  path: string;
  /** Where the list goes on; null at its end. */
  next: string | null;
  isFirst: boolean;
  older: string;
  newest: string;
};

/** The way on through a long list, and back to where it begins. */
export function ListPager({ path, next, isFirst, older, newest }: ListPagerProps) {
  if (isFirst && next === null) return null;
  return (
    <nav className="pager" aria-label="More of this list">
      {!isFirst && (
        <a className="btn btn-quiet" href={path}>
          {newest}
        </a>
      )}
      {next !== null && (
        <a className="btn btn-quiet" href={listPath(path, next)} rel="next">
          {older}
        </a>
      )}
    </nav>
  );
}

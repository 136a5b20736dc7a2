import { listPath } from "#shared/paths.ts";

type ListPagerProps = {
  path: string;
  /** The cursor of the next page; null at the end. */
  next: string | null;
  isFirst: boolean;
  older: string;
  newest: string;
};

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

import { type MouseEvent, useEffect, useRef } from "react";

export type FormProblem = { readonly fieldId: string; readonly message: string };

/**
 * 'There is a problem' above a form, each item leading to its field. Takes focus whenever `shownAt` changes, so that
 * pressing the button again brings people back to it. Nothing without problems.
 */
export function ErrorSummary({ problems, shownAt }: { problems: readonly FormProblem[]; shownAt: number }) {
  const box = useRef<HTMLDivElement>(null);
  const focusedAt = useRef(0);
  // The problems may come a moment after the press; later changes to them must not pull anybody out of a field.
  useEffect(() => {
    if (shownAt === focusedAt.current || box.current === null) return;
    focusedAt.current = shownAt;
    box.current.focus();
  });
  if (problems.length === 0) return null;
  const goTo = (event: MouseEvent, fieldId: string) => {
    event.preventDefault();
    document.getElementById(fieldId)?.focus();
  };
  return (
    <div className="error-summary" role="alert" tabIndex={-1} ref={box}>
      <h2>There is a problem</h2>
      <ul className="list">
        {problems.map(({ fieldId, message }) => (
          <li key={fieldId}>
            <a href={`#${fieldId}`} onClick={(event) => goTo(event, fieldId)}>
              {message}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The page's title says so while something is wrong. */
export function useErrorTitle(isWrong: boolean) {
  useEffect(() => {
    const title = document.title.replace(/^Error: /, "");
    document.title = isWrong ? `Error: ${title}` : title;
  }, [isWrong]);
}

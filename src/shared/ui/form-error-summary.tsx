import { type MouseEvent, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { Icon } from "./icon.tsx";
import { useFocus } from "./use-focus.ts";

export type FormProblem = { readonly fieldId: string; readonly message: string };

/**
 * 'There is a problem' above a form, with a link to each field. Takes focus whenever `shownAt` changes. Screen readers
 * read it out then, but not what is left of it each time that a field is mended.
 */
export function ErrorSummary({ problems, shownAt }: { problems: readonly FormProblem[]; shownAt: number }) {
  const box = useRef<HTMLDivElement>(null);
  const readOut = useRef<{ at: number; messages?: string }>({ at: 0 });
  const messages = problems.map(({ message }) => message).join("\n");
  // The problems may arrive just after the press; later changes must not move focus out of a field.
  useLayoutEffect(() => {
    const isNew = shownAt !== readOut.current.at && box.current !== null;
    if (isNew) readOut.current = { at: shownAt, messages };
    else if (messages !== readOut.current.messages) readOut.current = { at: readOut.current.at };
    box.current?.setAttribute("aria-live", messages === readOut.current.messages ? "assertive" : "off");
    if (isNew) box.current?.focus();
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

/**
 * What was wrong when the form was last sent: fields, or the reason of the server. `problems` are those that remain, in
 * their current words. Focus moves there whenever `shownAt` changes.
 */
export function useFormProblems<Field extends string>(messageOf: (field: Field) => string | undefined) {
  const [{ fields, refusal, shownAt }, setShown] = useState<ShownProblems<Field>>(nothingShown);
  return {
    problems: listFormProblems(fields, messageOf),
    refusal,
    shownAt,
    show: (wrong: readonly Field[], text?: string) =>
      setShown((before) => ({ fields: wrong, refusal: text, shownAt: before.shownAt + 1 })),
  };
}

type ShownProblems<Field> = {
  readonly fields: readonly Field[];
  readonly refusal: string | undefined;
  readonly shownAt: number;
};

const nothingShown: ShownProblems<never> = { fields: [], refusal: undefined, shownAt: 0 };

/** The fields that have a message, in their order. */
export function listFormProblems<Field extends string>(
  fields: readonly Field[],
  messageOf: (field: Field) => string | undefined,
): FormProblem[] {
  return fields.flatMap((fieldId) => {
    const message = messageOf(fieldId);
    return message === undefined ? [] : [{ fieldId, message }];
  });
}

type RefusalProps = {
  readonly text: string;
  /** Focus moves here when this changes. */
  readonly shownAt: number | string;
  readonly className?: string;
  readonly children?: ReactNode;
};

/** Why the server refused the form; takes focus each time. */
export function FormRefusal({ text, shownAt, className = "refusal", children }: RefusalProps) {
  return (
    <div className={`error-summary ${className}`} role="alert" tabIndex={-1} ref={useFocus<HTMLDivElement>(shownAt)}>
      <p className="err">
        <Icon name="alert" />
        <span>{text}</span>
      </p>
      {children}
    </div>
  );
}

/** Marks the page's title while something is wrong. */
export function useErrorTitle(isWrong: boolean) {
  useLayoutEffect(() => {
    const title = document.title.replace(/^Error: /, "");
    document.title = isWrong ? `Error: ${title}` : title;
  }, [isWrong]);
}
